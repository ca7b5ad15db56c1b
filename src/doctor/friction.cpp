// What friction does, contact by contact: creep inside the cone, lifting while sliding, and pulling
// aside.
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "doctor/vitals.hpp"

namespace perpend::doctor {
namespace {

constexpr double kLoaded = 0.02;  // of mu lambda_n: less friction asks nothing of a contact
constexpr double kInside = 0.95;  // of mu lambda_n: more may be sliding, up to the solver's error

struct Rows {
  Vector3d impulse, rigid, engine;  // N s; m/s after the step by either law
};

double angle(const Eigen::Vector2d& a, const Eigen::Vector2d& b) {
  return std::atan2(std::abs(a[0] * b[1] - a[1] * b[0]), a.dot(b));
}

}  // namespace

void examine_friction(const io::Record& record, const System& rigid, const System& engine,
                      Vitals& out) {
  const Impulses lambda = answer_of(record, rigid);
  const VectorXd y = relative_velocity(rigid, lambda), w = relative_velocity(engine, lambda);
  const double h = record.frame.step;
  for (Index i = 0; i < rigid.contacts(); ++i) {
    const Index row = rigid.frame_contact[static_cast<std::size_t>(i)];
    const Vector3d l = lambda.segment<3>(3 * i);
    const double mu = rigid.mu[i], most = mu * l[0];
    if (!(most > 0)) continue;
    const Eigen::Vector2d force = l.tail<2>(), slip = y.segment<2>(3 * i + 1);
    const double used = force.norm() / most, speed = slip.norm();
    // Noise of the step: a contact that bears less than a thousandth of its step's weight.
    const double rho = effective_mass(rigid, i);
    if (l[0] / rho < 1e-3 * h * out.gravity) continue;
    if (used > kLoaded && used < kInside && (force.dot(slip) < 0)) {
      // Only slip that the force did not hold: against it.
      const double creep = -force.dot(slip) / force.norm();
      ++out.creep.looked;
      out.creep.sum += creep;
      out.creep.worst.raise(creep, row);
    }
    const double slow = 0.05 * h * out.gravity;
    if (speed <= slow) continue;
    // Sliding. It lifts if the normal row is open by mu times its speed while the contact pushes.
    // The bias of a soft contact is relative to its compliance: both are the engine's.
    const double open = w[3 * i], slide = w.segment<2>(3 * i + 1).norm();
    ++out.lift.looked;
    const double part = open / (mu * std::max(slide, slow));
    if (part > 0.6 && part < 1.1 && slide > slow) {
      ++out.lift.showed;
      out.lift.sum += h * mu * slide;
      out.lift.worst.raise(h * mu * slide, row);
    }
    if (used < 0.1 || speed < 4 * slow) continue;
    ++out.turned.looked;
    const double off = angle(-force, slip);
    // Force outside of the cone, or too little of it, as an angle: the corner of the box has 45.
    const double size = std::abs(std::atan(used) - std::atan(1.0));
    const double worst = std::max(off, size);
    out.turned.sum += worst;
    if (worst > 0.035) ++out.turned.showed;
    out.turned.worst.raise(worst, row);
  }
}

}  // namespace perpend::doctor
