// Coulomb's law of one contact as an equation F(x, u) = 0 in m/s, with an element of its
// generalized derivative: what semismooth Newton methods linearize.
//
// With r the effective mass and uhat = u + mu |u_T| n (de Saxce, Feng 1998):
//   alart-curnier       F = (x - p)/r, p_n = max(x_n - r u_n, 0), p_T = x_T - r u_T shortened to
//                       mu p_n                                     (Alart, Curnier 1991)
//   natural-map         F = (x - P_K(x - r uhat))/r
//   fischer-burmeister  F = a + c - (a^2 + c^2)^(1/2) in the Jordan algebra of the second-order
//                       cone, a = (sqrt(mu) x_n, x_T/sqrt(mu))/r,
//                       c = (uhat_n/sqrt(mu), sqrt(mu) u_T)        (Fukushima, Luo, Tseng 2001)
// Where F has a kink, the derivative of one of its sides is given. Derivatives are with respect to
// x/r and to u, so that they have no unit. Joint rows: F = (x - clamp(x - r y, lower, upper))/r.
#pragma once

#include "perpend/system.hpp"

namespace perpend {

enum class ConeFunction { alart_curnier, natural_map, fischer_burmeister };

struct ConeLinearization {
  Vector3d F;
  Matrix3d dx, du;  // dF/d(x/r), dF/du
};
ConeLinearization linearize(ConeFunction, const Vector3d& x, const Vector3d& u, double mu,
                            double r);
// F alone.
Vector3d evaluate(ConeFunction, const Vector3d& x, const Vector3d& u, double mu, double r);

}  // namespace perpend
