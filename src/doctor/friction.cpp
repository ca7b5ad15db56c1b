// What friction does, contact by contact: creep inside the cone, lifting while sliding, and pulling
// aside.
#include <algorithm>
#include <cmath>
#include <map>

#include "doctor/vitals.hpp"

namespace perpend::doctor {
namespace {

constexpr double kLoaded = 0.02;  // of mu lambda_n: less friction asks nothing of a contact
constexpr double kInside = 0.95;  // of mu lambda_n: more may be sliding, up to the solver's error
constexpr double kRolls = 0.01;   // of the speed of rolling or impact: less slip is part of it

// How fast the bodies of a contact turn against each other, m/s at the size of the smaller one.
double rolling(const Frame& frame, Index contact, const Sizes& sizes) {
  const auto pair = frame.contacts.pairs.row(contact);
  const double size = sizes.smaller(frame, pair[0], pair[1]);
  const Rows6& v = frame.bodies.velocities;
  const double turn = (v.row(pair[0]).tail<3>() - v.row(pair[1]).tail<3>()).norm();
  return std::isfinite(size) ? turn * size : 0;
}

}  // namespace

double Slide::turned() const {
  const double off = std::atan2(std::abs(aside), back);
  const double part = std::hypot(back, aside) / coulomb;
  return std::max(off, std::abs(std::atan(part) - std::atan(1.0)));
}

void examine_friction(const io::Record& record, const System& rigid, const System& engine,
                      const Sizes& sizes, Vitals& out) {
  const Impulses lambda = answer_of(record, rigid);
  const VectorXd y = relative_velocity(rigid, lambda), w = relative_velocity(engine, lambda);
  const double h = record.frame.step;
  std::map<std::pair<std::int64_t, std::int64_t>, Slide> pairs;
  std::map<std::pair<std::int64_t, std::int64_t>, double> strength;  // of friction, N s
  const auto pair_of = [&](Index row) {
    const auto pair = record.frame.contacts.pairs.row(row);
    const std::vector<std::int64_t>& ids = record.frame.bodies.ids;
    return std::pair{ids[static_cast<std::size_t>(pair[0])],
                     ids[static_cast<std::size_t>(pair[1])]};
  };
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
    ++out.bearing;
    const double slow = 0.05 * h * out.gravity;
    // The engine holds it, by its own regularised row, or it is too slow to be meant.
    const bool held = w.segment<2>(3 * i + 1).norm() < 0.2 * speed;
    if (used > kLoaded && used < kInside && force.dot(slip) < 0 && (held || speed <= slow)) {
      // Only slip that the force did not hold: against it.
      const double creep = -force.dot(slip) / force.norm();
      ++out.creep.looked;
      const double moves = rolling(record.frame, row, sizes) + std::abs(rigid.normal_velocity[i]);
      if (creep < kRolls * moves) continue;
      out.creep.sum += creep;
      out.creep.worst.raise(creep, row);
      continue;
    }
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
    const auto [first, second] = pair_of(row);
    const std::pair<std::int64_t, std::int64_t> ids = std::minmax(first, second);
    Slide& pair = pairs[ids];
    pair.ids = ids;
    pair.back -= force.dot(slip);
    pair.aside += (first < second ? 1 : -1) * (force[0] * slip[1] - force[1] * slip[0]);
    pair.coulomb += most * speed;
    strength[ids] += most;
    pair.heaviest.raise(most * speed, row);
  }
  for (auto& [ids, pair] : pairs) {
    const auto bodies = record.frame.contacts.pairs.row(pair.heaviest.row);
    const double size = sizes.smaller(record.frame, bodies[0], bodies[1]);
    pair.way = h * pair.coulomb / strength[ids] / size;
    const double turned = pair.turned();
    ++out.turned.looked;
    out.turned.sum += turned;
    if (turned > kTurned) ++out.turned.showed;
    out.turned.worst.raise(turned, pair.heaviest.row);
    out.slides.push_back(pair);
  }
}

}  // namespace perpend::doctor
