// Lengths of vectors, by the slow way where squares would underflow or overflow.
#pragma once

#include <Eigen/Core>
#include <cmath>

namespace perpend {

// Of a tangential vector: sqrt(a^2 + b^2).
inline double tangential(double a, double b) {
  const double square = a * a + b * b;
  if (square > 1e-280 && square < 1e300) return std::sqrt(square);
  return a == 0 && b == 0 ? 0 : std::hypot(a, b);  // zeros are common: what rests
}

inline double length(const Eigen::Vector3d& x) {
  const double square = x.squaredNorm();
  if (square > 1e-280 && square < 1e300) return std::sqrt(square);
  return x[0] == 0 && x[1] == 0 && x[2] == 0 ? 0 : std::hypot(x[0], x[1], x[2]);
}

}  // namespace perpend
