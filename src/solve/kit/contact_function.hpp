// Coulomb's law of one contact, or the bounds of one row, as an equation F = 0 with an element of
// its generalized derivative: what semismooth Newton methods linearize.
//
// With impulses a and velocities u in one unit and uhat = u + mu |u_T| n (de Saxce, Feng 1998):
//   alart-curnier       F = a - p, p_n = max(a_n - u_n, 0), p_T = a_T - u_T shortened to mu p_n
//                                                                  (Alart, Curnier 1991)
//   natural-map         F = a - P_K(a - uhat)
//   fischer-burmeister  F = x + s - (x^2 + s^2)^(1/2) in the Jordan algebra of the second-order
//                       cone, x = (sqrt(mu) a_n, a_T/sqrt(mu)), s = (uhat_n/sqrt(mu),
//                       sqrt(mu) u_T)                              (Fukushima, Luo, Tseng 2002)
// Where F has a kink, the derivative of one of its sides is given. The first is piecewise smooth,
// the last smooth but where x or s lies on the mantle and the other is zero, and where nothing
// slides (|u_T|).
//
// There are two ways to one unit: a = x/r, F in m/s (`linearize`, `evaluate`), and u = r y with
// unknowns that are scaled already (`scaled_...`). The two differ in the order of operations as
// well, and results depend on that in their last bits: that is why both are here.
#pragma once

#include "perpend/system.hpp"

namespace perpend {

enum class ConeFunction { alart_curnier, natural_map, fischer_burmeister };

struct ContactFunction {
  Vector3d value;
  Matrix3d by_x, by_u;
};

// At a = x/r, r the effective mass; derivatives with respect to x/r and u, without a unit.
ContactFunction linearize(ConeFunction, const Vector3d& x, const Vector3d& u, double mu, double r);
// F alone.
Vector3d evaluate(ConeFunction, const Vector3d& x, const Vector3d& u, double mu, double r);

// At u = r y; derivatives with respect to x and y.
ContactFunction scaled_alart_curnier(const Vector3d& x, const Vector3d& y, double mu, double r);
ContactFunction scaled_fischer_burmeister(const Vector3d& x, const Vector3d& y, double mu,
                                          double r);

// The law of a row: lower <= x <= upper, y = 0 inside, y >= 0 at lower, <= 0 at upper. With x/rho
// and r y in one unit; derivatives with respect to x, y and a bound (-lower and upper, or the one
// that is finite).
struct RowFunction {
  double value, by_x, by_y, by_bound;
};
// (x - clamp(x - rho r y, lower, upper))/rho
RowFunction natural_row(double x, double y, double lower, double upper, double rho, double r);
// phi((x - lower)/rho, -phi((upper - x)/rho, -r y)) with phi of fischer.hpp (Billups 1995); an
// infinite bound drops out, and r y is left where both are.
RowFunction fischer_burmeister_row(double x, double y, double lower, double upper, double rho,
                                   double r);

}  // namespace perpend
