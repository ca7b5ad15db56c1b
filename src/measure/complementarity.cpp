// The error measures of Lu et al. 2013, section 5: Fischer-Burmeister merits and the work of
// friction.
//
// Per contact wn = y_n, v_f = (y_t, y_o), s = |v_f|, sigma = mu lambda_n - |lambda_f|.
//   normal_error    1/2 sum phi(lambda_n, wn)^2
//   friction_error  sum s|sigma| + (lambda_f.v_f + |lambda_f| s) + 1/2 tr(A_ff) max(0, -sigma)^2, J
//   total_error     1/2 sum of squares of phi(lambda_n, wn), phi(sigma, s), mu lambda_n v_f +
//                   lambda_f s (Lu et al. 2013, eqs. 4-5), and per joint row y (bilateral),
//                   phi(lambda - lower, y) or its mirror image (one finite bound),
//                   phi(lambda - lower, -phi(upper - lambda, -y)) (two)
//
// Lu et al. write the magnitude error as s.sigma and the direction error as lambda_f.v_f; we take
// |sigma| so that a force outside the cone cannot pay for one inside, add |lambda_f| s so that
// sliding friction, which dissipates, is no error, and add the energy of the part of a force
// outside the cone, which neither sees at a sticking contact.
//
// A group (units.hpp) counts once: one normal pair (sum lambda_n, max w); friction terms of the
// faces with lambda_n > 0, each with its own sigma, v_f and A_ff.
#include <cmath>

#include "measure/tangential.hpp"
#include "measure/terms.hpp"
#include "measure/units.hpp"

namespace perpend {

// For a + b > 0 as 2ab/(a + b + sqrt(a^2 + b^2)): the difference cancels when one is much larger.
double fischer_burmeister(double a, double b) {
  const double sum = a + b, root = tangential(a, b);
  return sum > 0 ? 2 * a * (b / (sum + root)) : sum - root;
}

double fischer_burmeister(double z, double w, double lower, double upper) {
  double phi = w;
  if (std::isfinite(upper)) phi = -fischer_burmeister(upper - z, -phi);
  if (std::isfinite(lower)) phi = fischer_burmeister(z - lower, phi);
  return phi;
}

namespace measure_terms {
namespace {

struct Friction {
  Index contact;
  double mu, normal;  // mu, lambda_n
  Eigen::Vector2d force, velocity;
  double size() const { return tangential(force[0], force[1]); }         // |lambda_f|
  double speed() const { return tangential(velocity[0], velocity[1]); }  // s
  double sigma() const { return mu * normal - size(); }
};

template <class Visit>
void for_each_friction(const System& system, const Unit& unit, const Impulses& lambda,
                       const VectorXd& y, Visit visit) {
  for (const Index i : unit.faces) {
    const Vector3d l = triple(lambda, i);
    if (unit.faces.size() > 1 && !(l[0] > 0)) continue;
    visit(Friction{i, system.mu[i], l[0], l.tail<2>(), y.segment<2>(3 * i + 1)});
  }
}

double square(double x) { return x * x; }

}  // namespace

double normal_error(const System& system, const Impulses& lambda, const VectorXd& y) {
  double sum = 0;
  for_each_unit(system, lambda, y, [&](const Unit& unit) {
    sum += square(fischer_burmeister(unit.lambda_n, unit.w));
  });
  return sum / 2;
}

double friction_error(const System& system, const Impulses& lambda, const VectorXd& y) {
  double sum = 0;
  for_each_unit(system, lambda, y, [&](const Unit& unit) {
    for_each_friction(system, unit, lambda, y, [&](const Friction& f) {
      const double s = f.speed(), sigma = f.sigma();
      // Not negative by Cauchy-Schwarz; rounding may leave it a hair below.
      const double direction = std::max(0.0, f.force.dot(f.velocity) + f.size() * s);
      sum += s * std::abs(sigma) + direction;
      if (sigma < 0) {
        const Matrix3d block = contact_block(system, f.contact);
        sum += (block(1, 1) + block(2, 2)) / 2 * square(sigma);
      }
    });
  });
  return sum;
}

double total_error(const System& system, const Impulses& lambda, const VectorXd& y) {
  double sum = 0;
  for_each_unit(system, lambda, y, [&](const Unit& unit) {
    sum += square(fischer_burmeister(unit.lambda_n, unit.w));
    for_each_friction(system, unit, lambda, y, [&](const Friction& f) {
      const double s = f.speed();
      sum += square(fischer_burmeister(f.sigma(), s));
      sum += (f.mu * f.normal * f.velocity + f.force * s).squaredNorm();
    });
  });
  const Index first = 3 * system.contacts();
  for (Index j = 0; j < system.joint_rows(); ++j)
    sum += square(
        fischer_burmeister(lambda[first + j], y[first + j], system.lower[j], system.upper[j]));
  return sum / 2;
}

}  // namespace measure_terms
}  // namespace perpend
