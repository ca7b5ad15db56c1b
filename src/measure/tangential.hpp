// Lengths of vectors, by the slow way where squares would underflow or overflow.
#pragma once

#include <Eigen/Core>
#include <cmath>

namespace perpend {

// Of a tangential vector: sqrt(a^2 + b^2).
inline double tangential(double a, double b) {
  const double square = a * a + b * b;
  return square > 1e-280 && square < 1e300 ? std::sqrt(square) : std::hypot(a, b);
}

inline double length(const Eigen::Vector3d& x) {
  const double square = x.squaredNorm();
  return square > 1e-280 && square < 1e300 ? std::sqrt(square) : std::hypot(x[0], x[1], x[2]);
}

}  // namespace perpend
