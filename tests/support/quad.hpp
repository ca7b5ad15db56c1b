// Numbers of 113 bits, to check what 53 bits make of the same formulas.
#pragma once

#include <array>
#include <cmath>

namespace perpend::quad {

__extension__ typedef __float128 Quad;

inline Quad absolute(Quad x) { return x < 0 ? -x : x; }

// Two steps of Newton from the 53 bits of the double root.
inline Quad root(Quad x) {
  if (!(x > 0)) return 0;
  Quad r = std::sqrt(static_cast<double>(x));
  for (int k = 0; k < 3; ++k) r = (r + x / r) / 2;
  return r;
}

using Triple = std::array<Quad, 3>;
inline Quad length(const Triple& x) { return root(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]); }

// |lambda - P_K(lambda - rho uhat)|/rho as it is defined (docs/errors.md).
inline Quad coulomb_error(const Triple& lambda, const Triple& u, Quad mu, Quad rho) {
  const Quad speed = root(u[1] * u[1] + u[2] * u[2]);
  const Triple z = {lambda[0] / rho - u[0] - mu * speed, lambda[1] / rho - u[1],
                    lambda[2] / rho - u[2]};
  const Quad tangent = root(z[1] * z[1] + z[2] * z[2]);
  Triple p{};
  if (mu * tangent > -z[0]) {
    p = z;
    if (tangent > mu * z[0]) {
      const Quad n = (z[0] + mu * tangent) / (1 + mu * mu);
      p = {n, mu * n * z[1] / tangent, mu * n * z[2] / tangent};
    }
  }
  return length({lambda[0] / rho - p[0], lambda[1] / rho - p[1], lambda[2] / rho - p[2]});
}

// |lambda - clamp(lambda - rho y, lower, upper)|/rho
inline Quad bounded_error(Quad lambda, Quad y, Quad rho, double lower, double upper) {
  Quad x = lambda - rho * y;
  if (std::isfinite(lower) && x < lower) x = lower;
  if (std::isfinite(upper) && x > upper) x = upper;
  return absolute(lambda - x) / rho;
}

}  // namespace perpend::quad
