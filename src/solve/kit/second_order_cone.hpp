// The second-order cone L = {x_0 >= |(x_1, x_2)|} and its Jordan algebra
// (Faraut, Koranyi 1994; Alizadeh, Goldfarb 2003):
//
//   x o z = (x.z, x_0 z_T + z_0 x_T), identity e = (1, 0, 0), eigenvalues x_0 -+ |x_T|,
//   det x = x_0^2 - |x_T|^2, computed as (x_0 - |x_T|)(x_0 + |x_T|): near the boundary the squares
//   agree in all their digits.
//
// Nesterov and Todd's scaling of x and z inside L is the symmetric W with W z = W^-1 x = l:
//   W = eta (2 v v' - R)^(1/2), R = diag(1, -1, -1), eta = (det x/det z)^(1/4)      (1997)
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "perpend/system.hpp"

namespace perpend {

inline double tangent_length(const Vector3d& x) { return std::sqrt(x[1] * x[1] + x[2] * x[2]); }
// The smaller eigenvalue: how far inside the cone x is.
inline double inside(const Vector3d& x) { return x[0] - tangent_length(x); }
inline double determinant(const Vector3d& x) {
  const double t = tangent_length(x);
  return (x[0] - t) * (x[0] + t);
}

inline Vector3d jordan(const Vector3d& x, const Vector3d& z) {
  return {x.dot(z), x[0] * z[1] + z[0] * x[1], x[0] * z[2] + z[0] * x[2]};
}
// The z with x o z = r. Precondition: x inside the cone.
inline Vector3d jordan_divide(const Vector3d& x, const Vector3d& r) {
  const double along = x[1] * r[1] + x[2] * r[2];
  Vector3d z;
  z[0] = (x[0] * r[0] - along) / determinant(x);
  z.tail<2>() = (r.tail<2>() - z[0] * x.tail<2>()) / x[0];
  return z;
}

// The largest a with x + a d in the cone. Precondition: x inside the cone.
inline double to_boundary(const Vector3d& x, const Vector3d& d) {
  const double t = tangent_length(d);
  const double a = (d[0] - t) * (d[0] + t), b = x[0] * d[0] - x[1] * d[1] - x[2] * d[2],
               c = determinant(x);
  // b^2 >= a c for every d when x is inside; when d is along x both sides are equal but for
  // rounding.
  const double root = std::sqrt(std::max(b * b - a * c, 0.0));
  if (b < 0) return c / (root - b);
  return a < 0 ? -(b + root) / a : std::numeric_limits<double>::infinity();
}

class NesterovTodd {
 public:
  NesterovTodd() = default;
  // Precondition: both inside the cone.
  NesterovTodd(const Vector3d& x, const Vector3d& z) {
    const double root_x = std::sqrt(determinant(x)), root_z = std::sqrt(determinant(z));
    const Vector3d a = x / root_x, b = z / root_z;
    const double gamma = std::sqrt(0.5 * (1 + a.dot(b)));
    v_ = Vector3d(a[0] + b[0], a[1] - b[1], a[2] - b[2]) / (2 * gamma);
    v_[0] = std::sqrt(1 + v_[1] * v_[1] + v_[2] * v_[2]);
    eta_ = std::sqrt(root_x / root_z);
    l_ = apply(z);
  }
  const Vector3d& l() const { return l_; }
  Vector3d apply(const Vector3d& z) const { return eta_ * hyperbolic(v_, z); }  // W z
  Vector3d invert(const Vector3d& x) const {                                    // W^-1 x
    return hyperbolic({v_[0], -v_[1], -v_[2]}, x) / eta_;
  }
  Matrix3d squared() const {  // W^2
    Matrix3d s = 2 * v_ * v_.transpose();
    s.diagonal() += Vector3d(-1, 1, 1);
    return eta_ * eta_ * s;
  }

 private:
  // (2 v v' - R)^(1/2) z for det v = 1
  static Vector3d hyperbolic(const Vector3d& v, const Vector3d& z) {
    const double along = v[1] * z[1] + v[2] * z[2];
    Vector3d out;
    out[0] = v[0] * z[0] + along;
    out.tail<2>() = z.tail<2>() + (z[0] + along / (1 + v[0])) * v.tail<2>();
    return out;
  }

  Vector3d v_ = Vector3d::UnitX(), l_ = Vector3d::Zero();
  double eta_ = 1;
};

}  // namespace perpend
