// How well did the engine solve its own problem, whichever that is? Engines do not say, and names
// are not read. The natural map of every friction law that engines use is evaluated with the
// engine's bias and compliance, and the law with the smallest residual is taken to be its own:
//
//   Coulomb          lambda = P_K(lambda - rho (y + mu s n))      ours, Siconos
//   box              |lambda_t|, |lambda_o| <= mu lambda_n or fixed bounds      Bullet, ODE, DART
//   idle box         the same, but friction stays as it is where lambda_n = 0   Bullet
//   convex cone      lambda = P_K(lambda - rho y)                 MuJoCo, elliptic
//   convex pyramid   lambda = sum of edges n +- mu t, n +- mu o   MuJoCo, pyramidal
//
// Joint rows are the same in all of them.
#include <cmath>

#include "doctor/vitals.hpp"
#include "perpend/formulate.hpp"
#include "perpend/measure/velocity_errors.hpp"

namespace perpend::doctor {
namespace {

VectorXd convex_residuals(const System& system, const Impulses& lambda, const VectorXd& y) {
  VectorXd out(system.contacts());
  for (Index i = 0; i < system.contacts(); ++i) {
    const double rho = effective_mass(system, i);
    const Vector3d l = lambda.segment<3>(3 * i), w = y.segment<3>(3 * i);
    out[i] = (l - project_cone(l - rho * w, system.mu[i])).norm() / rho;
  }
  return out;
}

// The pyramid |l_t| + |l_o| <= mu l_n is what its four edges e can add up to. At a solution every
// edge has w_e = y . e >= 0, and an impulse only where that is 0: the power lambda . y is 0.
VectorXd pyramid_residuals(const System& system, const Impulses& lambda, const VectorXd& y) {
  VectorXd out(system.contacts());
  for (Index i = 0; i < system.contacts(); ++i) {
    const double rho = effective_mass(system, i), mu = system.mu[i];
    const Vector3d l = lambda.segment<3>(3 * i), w = y.segment<3>(3 * i);
    const double lowest = w[0] - mu * std::max(std::abs(w[1]), std::abs(w[2]));
    const double outside = std::max(0.0, std::abs(l[1]) + std::abs(l[2]) - mu * l[0]);
    const double power = l.norm() > 0 ? std::abs(l.dot(w)) / l.norm() : 0;
    out[i] = std::max({std::max(0.0, -lowest), outside / rho, power});
  }
  return out;
}

// The box with the bounds that the engine fixed, as residuals of contacts. `idle`: sweeps leave out
// friction rows while the normal impulse is 0, so that these keep what the sweep before gave them.
VectorXd box_residuals(const System& system, const Impulses& lambda, const VectorXd& y, bool idle) {
  VectorXd out(system.contacts());
  const bool fixed = system.friction_bounds.rows() > 0;
  for (Index i = 0; i < system.contacts(); ++i) {
    const double rho = effective_mass(system, i);
    double worst = std::abs(lambda[3 * i] - std::max(0.0, lambda[3 * i] - rho * y[3 * i])) / rho;
    for (Index k = 1; k < 3 && !(idle && lambda[3 * i] <= 0); ++k) {
      double bound = system.mu[i] * std::max(0.0, lambda[3 * i]);
      if (fixed && std::isfinite(system.friction_bounds(i, k - 1)))
        bound = system.friction_bounds(i, k - 1);
      const double l = lambda[3 * i + k];
      worst =
          std::max(worst, std::abs(l - std::clamp(l - rho * y[3 * i + k], -bound, bound)) / rho);
    }
    out[i] = worst;
  }
  return out;
}

}  // namespace

double own_residual(const System& given, const Impulses& lambda, Peak& where, double& round) {
  const Index m = given.contacts();
  const VectorXd exact = velocity_errors(given, lambda);
  const VectorXd y = relative_velocity(given, lambda);
  const double joints = exact.size() > m ? exact.tail(exact.size() - m).maxCoeff() : 0;
  VectorXd best = exact;
  round = m > 0 ? best.head(m).maxCoeff() : 0;
  if (m > 0 && given.groups.empty()) {
    const auto fits = [&](const VectorXd& other) {
      if (other.maxCoeff() < best.head(m).maxCoeff()) best.head(m) = other;
    };
    fits(convex_residuals(given, lambda, y));
    round = best.head(m).maxCoeff();
    fits(box_residuals(given, lambda, y, false));
    fits(box_residuals(given, lambda, y, true));
    fits(pyramid_residuals(given, lambda, y));
  }
  where = {};
  for (Index i = 0; i < best.size(); ++i) where.raise(best[i], i);
  return std::max(where.value, joints);
}

}  // namespace perpend::doctor
