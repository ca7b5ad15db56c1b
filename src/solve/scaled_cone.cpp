#include "solve/scaled_cone.hpp"

#include <algorithm>
#include <cmath>

#include "measure/natural_map.hpp"

namespace perpend {

ScaledCone::ScaledCone(const System& s) : s_(s), d_(effective_masses(s).cwiseSqrt()) {
  lower_ = s.lower.cwiseQuotient(d_.tail(s.joint_rows()));
  upper_ = s.upper.cwiseQuotient(d_.tail(s.joint_rows()));
}

VectorXd ScaledCone::velocity(const VectorXd& x) const {
  return relative_velocity(s_, impulses(x)).cwiseProduct(d_);
}

void ScaledCone::project(VectorXd& x) const {
  const Index m = s_.contacts();
  for (Index i = 0; i < m; ++i) x.segment<3>(3 * i) = project_cone(x.segment<3>(3 * i), s_.mu[i]);
  for (Index j = 0; j < s_.joint_rows(); ++j)
    x[3 * m + j] = std::clamp(x[3 * m + j], lower_[j], upper_[j]);
}

void ScaledCone::sliding(const VectorXd& u, VectorXd& s) const {
  s.resize(s_.contacts());
  for (Index i = 0; i < s.size(); ++i) s[i] = s_.mu[i] * u.segment<2>(3 * i + 1).norm();
}

void ScaledCone::lift(const VectorXd& s, VectorXd& u) const {
  for (Index i = 0; i < s.size(); ++i) u[3 * i] += s[i];
}

double ScaledCone::residual(const VectorXd& x, const VectorXd& u) const {
  // lambda - P(lambda - d^2 u/d) = d (x - P(x - u)), and the measure divides by d^2.
  const Index m = s_.contacts();
  double worst = 0;
  for (Index i = 0; i < m; ++i) {
    const double e = coulomb_error(x.segment<3>(3 * i), u.segment<3>(3 * i), s_.mu[i], 1);
    worst = std::max(worst, e / d_[3 * i]);
  }
  for (Index row = 3 * m; row < rows(); ++row) {
    const double e = bounded_residual(x[row], u[row], 1, lower_[row - 3 * m], upper_[row - 3 * m]);
    worst = std::max(worst, std::abs(e) / d_[row]);
  }
  return worst;
}

}  // namespace perpend
