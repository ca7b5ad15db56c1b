#include "solve/kit/scaled_cone.hpp"

#include <algorithm>
#include <cmath>

#include "measure/natural_map.hpp"
#include "solve/kit/projections.hpp"

namespace perpend {

ScaledCone::ScaledCone(const System& s) : s_(s), d_(effective_masses(s).cwiseSqrt()) {
  lower_ = s.lower.cwiseQuotient(d_.tail(s.joint_rows()));
  upper_ = s.upper.cwiseQuotient(d_.tail(s.joint_rows()));
}

VectorXd ScaledCone::velocity(const VectorXd& x) const {
  return relative_velocity(s_, impulses(x)).cwiseProduct(d_);
}

void ScaledCone::project(VectorXd& x) const { to_cones_and_bounds(s_.mu, lower_, upper_, x); }

void ScaledCone::sliding(const VectorXd& u, VectorXd& s) const {
  s.resize(s_.contacts());
  for (Index i = 0; i < s.size(); ++i) s[i] = s_.mu[i] * u.segment<2>(3 * i + 1).norm();
}

void ScaledCone::lift(const VectorXd& s, VectorXd& u) const {
  for (Index i = 0; i < s.size(); ++i) u[3 * i] += s[i];
}

double ScaledCone::residual(const VectorXd& x, const VectorXd& u) const {
  return scaled_residual(s_.mu, d_, lower_, upper_, x, u);
}

double scaled_residual(const VectorXd& mu, const VectorXd& d, const VectorXd& lower,
                       const VectorXd& upper, const VectorXd& x, const VectorXd& u) {
  // lambda - P(lambda - d^2 u/d) = d (x - P(x - u)), and the measure divides by d^2.
  const Index first = 3 * mu.size();
  double worst = 0;
  for (Index i = 0; i < mu.size(); ++i) {
    const double e = coulomb_error(x.segment<3>(3 * i), u.segment<3>(3 * i), mu[i], 1);
    worst = std::max(worst, e / d[3 * i]);
  }
  for (Index row = first; row < d.size(); ++row) {
    const double e = bounded_residual(x[row], u[row], 1, lower[row - first], upper[row - first]);
    worst = std::max(worst, std::abs(e) / d[row]);
  }
  return worst;
}

}  // namespace perpend
