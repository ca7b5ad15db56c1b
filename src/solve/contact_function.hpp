// Functions of (lambda, y) of one contact, or of one row, whose zero is its law, with a derivative.
//
//   Alart, Curnier 1991     lambda - p(z), z = lambda - r y:  p_n = max(z_n, 0),
//                           p_T = z_T, shortened to mu p_n
//   Fischer, Burmeister     x + s - (x^2 + s^2)^(1/2) in the algebra of the second-order cone
//                           (Fukushima, Luo, Tseng 2002), with x = (sqrt(mu) lambda_n,
//                           lambda_T/sqrt(mu)) and, by de Saxce's change of variables,
//                           s = ((y_n + mu |y_T|)/sqrt(mu), sqrt(mu) y_T)
// Impulses and velocities must be comparable (scaled by the effective mass); r scales y against
// lambda. The first is piecewise smooth, the second smooth but where x or s lies on the mantle and
// the other is zero, and where nothing slides (|y_T|).
#pragma once

#include "perpend/system.hpp"

namespace perpend {

struct ContactFunction {
  Vector3d value;
  Matrix3d by_lambda, by_y;
};
ContactFunction alart_curnier(const Vector3d& lambda, const Vector3d& y, double mu, double r);
ContactFunction fischer_burmeister_cone(const Vector3d& lambda, const Vector3d& y, double mu,
                                        double r);

// The law of a joint row: lower <= lambda <= upper, y = 0 inside, y >= 0 at lower, <= 0 at upper.
struct RowFunction {
  double value, by_lambda, by_y;
};
// lambda - clamp(lambda - r y, lower, upper)
RowFunction natural_row(double lambda, double y, double lower, double upper, double r);
// With y for r y: y without bounds, phi(lambda - lower, y), -phi(upper - lambda, -y), or
// phi(lambda - lower, -phi(upper - lambda, -y))
RowFunction fischer_burmeister_row(double lambda, double y, double lower, double upper, double r);

}  // namespace perpend
