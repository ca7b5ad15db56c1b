// The Fischer-Burmeister function, its penalized form, and elements of their generalized gradients:
//
//   phi(a, b)        = a + b - sqrt(a^2 + b^2)                             (Lu et al. 2013, eq. 16)
//   phi_lambda(a, b) = lambda phi(a, b) + (1 - lambda) max(a, 0) max(b, 0) (Lu et al. 2013, eq. 17)
// Both vanish exactly where 0 <= a perp b >= 0. phi is smooth but at (0, 0), where every pair
// (1 - cos t, 1 - sin t) belongs to its generalized gradient; phi_lambda has a kink on the border
// of the positive quadrant too. The penalty makes it steep where phi is flat: a and b both large
// and positive (Chen, Chen, Kanzow 2000; lambda in (0, 1], near 1).
//
// 1 - a/sqrt(a^2 + b^2) is computed as b^2/(r (r + a)) for a > 0: the difference cancels where b is
// small beside a, which is what solutions look like.
#pragma once

#include <algorithm>

#include "measure/tangential.hpp"
#include "perpend/measure.hpp"

namespace perpend {

struct Fischer {
  double value, da, db;  // phi and an element of its generalized gradient
};

// At (0, 0) the element is the one that belongs to the direction (along_a, along_b); both zero: to
// (1, 1).
inline Fischer fischer(double a, double b, double along_a = 1, double along_b = 1) {
  double x = a, y = b;
  double r = tangential(x, y);
  if (r == 0) {
    x = along_a;
    y = along_b;
    r = tangential(x, y);
    if (r == 0) {
      x = y = 1;
      r = tangential(x, y);
    }
  }
  const auto one_minus = [r](double p, double q) {
    return p > 0 ? q / r * (q / (r + p)) : 1 - p / r;
  };
  return {fischer_burmeister(a, b), one_minus(x, y), one_minus(y, x)};
}

// The kinks on the border of the positive quadrant are counted to its inside where a, b >= 0.
inline Fischer penalized_fischer(double a, double b, double lambda, double along_a = 1,
                                 double along_b = 1) {
  const Fischer f = fischer(a, b, along_a, along_b);
  const double above_a = std::max(a, 0.0), above_b = std::max(b, 0.0), penalty = 1 - lambda;
  return {lambda * f.value + penalty * above_a * above_b,
          lambda * f.da + (a >= 0 ? penalty * above_b : 0),
          lambda * f.db + (b >= 0 ? penalty * above_a : 0)};
}

}  // namespace perpend
