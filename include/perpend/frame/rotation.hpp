// Which joint rows are rotations.
#pragma once

#include <Eigen/Core>

namespace perpend {

// Whether a joint row with this Jacobian, six columns for each body, is a rotation: both linear
// parts are zero. Its velocity is in rad/s, that of every other row in m/s.
template <class First, class Second>
bool turns(const Eigen::MatrixBase<First>& first, const Eigen::MatrixBase<Second>& second) {
  for (Eigen::Index k = 0; k < 3; ++k)
    if (first[k] != 0 || second[k] != 0) return false;
  return true;
}

}  // namespace perpend
