#include "solve/cone_function.hpp"

#include <algorithm>
#include <cmath>

#include "measure/natural_map.hpp"
#include "perpend/measure.hpp"
#include "solve/second_order_cone.hpp"

namespace perpend {
namespace {

using Eigen::Matrix2d;
using Eigen::Vector2d;

// p = P(z) and its derivative, for both projections: onto the cone, and Alart and Curnier's.
struct Projected {
  Vector3d p;
  Matrix3d dp;
};

Projected project(const Vector3d& z, double mu, bool cone, ConeRegion region) {
  if (region == ConeRegion::open) return {Vector3d::Zero(), Matrix3d::Zero()};
  if (region == ConeRegion::stick) return {z, Matrix3d::Identity()};
  // Along the ray (1, mu t) p follows the normal part, across it turns with z_T.
  const double tangent = tangent_length(z);
  const double scale = cone ? 1 / (1 + mu * mu) : 1;
  const double n = cone ? (z[0] + mu * tangent) * scale : z[0];
  const Vector2d t = tangent > 0 ? Vector2d(z.tail<2>() / tangent) : Vector2d::Zero();
  const Vector3d ray(1, mu * t[0], mu * t[1]);
  Projected out{n * ray, Matrix3d::Zero()};
  if (tangent > 0)
    out.dp.block<2, 2>(1, 1) = mu * n / tangent * (Matrix2d::Identity() - t * t.transpose());
  if (cone)
    out.dp += scale * ray * ray.transpose();
  else
    out.dp.col(0) += ray;
  return out;
}

// Alart and Curnier's: p_n = max(z_n, 0), p_T = z_T shortened to mu p_n.
Projected shorten(const Vector3d& z, double mu) {
  const ConeRegion region = z[0] <= 0                                  ? ConeRegion::open
                            : mu > 0 && tangent_length(z) <= mu * z[0] ? ConeRegion::stick
                                                                       : ConeRegion::slide;
  return project(z, mu, false, region);
}

// duhat/du
Matrix3d saxce(const Vector3d& u, double mu) {
  Matrix3d d = Matrix3d::Identity();
  const double speed = tangent_length(u);
  if (speed > 0) d.block<1, 2>(0, 1) = mu / speed * u.tail<2>().transpose();
  return d;
}

Vector3d hat(const Vector3d& u, double mu) { return {u[0] + mu * tangent_length(u), u[1], u[2]}; }

// (x^2 + z^2)^(1/2) by its eigenvalues; the smaller one is kept from vanishing against the larger,
// where the root has no derivative.
Vector3d root_of_squares(const Vector3d& x, const Vector3d& z) {
  const double y = x.squaredNorm() + z.squaredNorm();
  const Vector2d t = 2 * (x[0] * x.tail<2>() + z[0] * z.tail<2>());
  const double length = t.norm();
  const double high = std::sqrt(y + length), low = std::sqrt(std::max(y - length, 1e-24 * y));
  const Vector2d direction = length > 0 ? Vector2d(t / length) : Vector2d::UnitX();
  Vector3d w;
  w << 0.5 * (high + low), 0.5 * (high - low) * direction;
  return w;
}

Matrix3d arrow(const Vector3d& x) {
  Matrix3d L = x[0] * Matrix3d::Identity();
  L.block<1, 2>(0, 1) = x.tail<2>().transpose();
  L.block<2, 1>(1, 0) = x.tail<2>();
  return L;
}

// The variables of the second-order cone.
Vector3d scaled_impulse(const Vector3d& x, double root, double r) {
  return Vector3d(root * x[0], x[1] / root, x[2] / root) / r;
}
Vector3d scaled_velocity(const Vector3d& uhat, double root) {
  return {uhat[0] / root, root * uhat[1], root * uhat[2]};
}

ConeLinearization fischer_burmeister_cone(const Vector3d& x, const Vector3d& u, double mu,
                                          double r) {
  ConeLinearization out{Vector3d::Zero(), Matrix3d::Identity(), Matrix3d::Zero()};
  if (mu == 0) {  // the half-line in the normal, no friction
    const double a = x[0] / r, c = u[0], root = std::hypot(a, c);
    out.F << fischer_burmeister(a, c), x[1] / r, x[2] / r;
    out.dx(0, 0) = root > 0 ? 1 - a / root : 1;
    out.du(0, 0) = root > 0 ? 1 - c / root : 1;
    return out;
  }
  const double root = std::sqrt(mu);
  const Vector3d a = scaled_impulse(x, root, r), c = scaled_velocity(hat(u, mu), root);
  const Vector3d w = root_of_squares(a, c);
  out.F = a + c - w;
  Matrix3d da = Matrix3d::Identity(), dc = da;
  if (w[0] > 0) {
    const Matrix3d La = arrow(a), Lc = arrow(c);
    for (int k = 0; k < 3; ++k) {
      da.col(k) -= jordan_divide(w, La.col(k));
      dc.col(k) -= jordan_divide(w, Lc.col(k));
    }
  }
  out.dx = da * Vector3d(root, 1 / root, 1 / root).asDiagonal();
  out.du = dc * Vector3d(1 / root, root, root).asDiagonal() * saxce(u, mu);
  return out;
}

}  // namespace

ConeLinearization linearize(ConeFunction function, const Vector3d& x, const Vector3d& u, double mu,
                            double r) {
  if (function == ConeFunction::fischer_burmeister) return fischer_burmeister_cone(x, u, mu, r);
  if (function == ConeFunction::alart_curnier) {
    const Projected to = shorten(x / r - u, mu);
    return {x / r - to.p, Matrix3d::Identity() - to.dp, to.dp};
  }
  ConeRegion region;
  const Vector3d F = coulomb_residual(x, u, mu, r, &region);
  const Projected to = project(x / r - hat(u, mu), mu, true, region);
  return {F, Matrix3d::Identity() - to.dp, to.dp * saxce(u, mu)};
}

Vector3d evaluate(ConeFunction function, const Vector3d& x, const Vector3d& u, double mu,
                  double r) {
  if (function == ConeFunction::natural_map) return coulomb_residual(x, u, mu, r);
  if (function == ConeFunction::alart_curnier) return x / r - shorten(x / r - u, mu).p;
  if (mu == 0) return {fischer_burmeister(x[0] / r, u[0]), x[1] / r, x[2] / r};
  const double root = std::sqrt(mu);
  const Vector3d a = scaled_impulse(x, root, r), c = scaled_velocity(hat(u, mu), root);
  return a + c - root_of_squares(a, c);
}

}  // namespace perpend
