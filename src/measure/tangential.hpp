// The length of a tangential vector.
#pragma once

#include <cmath>

namespace perpend {

// sqrt(a^2 + b^2), by the slow way where squares would underflow or overflow.
inline double tangential(double a, double b) {
  const double square = a * a + b * b;
  return square > 1e-280 && square < 1e300 ? std::sqrt(square) : std::hypot(a, b);
}

}  // namespace perpend
