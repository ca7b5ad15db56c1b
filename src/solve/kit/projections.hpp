// Projections onto sets of impulses. That onto one cone is project_cone (perpend/measure.hpp).
#pragma once

#include <algorithm>

#include "perpend/measure.hpp"

namespace perpend {

// The nearest point of a disk around zero.
inline Eigen::Vector2d to_disk(const Eigen::Vector2d& x, double radius) {
  const double length = x.norm();
  return length > radius ? Eigen::Vector2d(x * (radius / length)) : x;
}

// x <- the nearest point of the cones of contacts and the bounds of joint rows.
inline void to_cones_and_bounds(const VectorXd& mu, const VectorXd& lower, const VectorXd& upper,
                                VectorXd& x) {
  const Index m = mu.size();
  for (Index i = 0; i < m; ++i) x.segment<3>(3 * i) = project_cone(x.segment<3>(3 * i), mu[i]);
  for (Index j = 0; j < lower.size(); ++j)
    x[3 * m + j] = std::clamp(x[3 * m + j], lower[j], upper[j]);
}

}  // namespace perpend
