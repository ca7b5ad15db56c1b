#include "solve/contact_function.hpp"

#include <algorithm>
#include <cmath>

#include "solve/fischer.hpp"

namespace perpend {
namespace {

using Eigen::Vector2d;

// The matrix of the product with x in the algebra of the cone.
Matrix3d arrow(const Vector3d& x) {
  Matrix3d m = x[0] * Matrix3d::Identity();
  m.row(0).tail<2>() = x.tail<2>();
  m.col(0).tail<2>() = x.tail<2>();
  return m;
}

}  // namespace

ContactFunction alart_curnier(const Vector3d& lambda, const Vector3d& y, double mu, double r) {
  const Vector3d z = lambda - r * y;
  if (z[0] <= 0) return {lambda, Matrix3d::Identity(), Matrix3d::Zero()};
  const double tangent = z.tail<2>().norm();
  if (tangent <= mu * z[0]) return {r * y, Matrix3d::Zero(), r * Matrix3d::Identity()};
  const Vector2d t = z.tail<2>() / tangent;
  Vector3d p;
  p << z[0], mu * z[0] * t;
  Matrix3d by_z = Matrix3d::Zero();
  by_z(0, 0) = 1;
  by_z.col(0).tail<2>() = mu * t;
  by_z.bottomRightCorner<2, 2>() =
      mu * z[0] / tangent * (Eigen::Matrix2d::Identity() - t * t.transpose());
  return {lambda - p, Matrix3d::Identity() - by_z, r * by_z};
}

ContactFunction fischer_burmeister_cone(const Vector3d& lambda, const Vector3d& velocity, double mu,
                                        double r) {
  const Vector3d y = r * velocity;
  if (mu == 0) {
    const Fischer n = fischer(lambda[0], y[0]);
    ContactFunction f{{n.value, lambda[1], lambda[2]}, Matrix3d::Identity(), Matrix3d::Zero()};
    f.by_lambda(0, 0) = n.da;
    f.by_y(0, 0) = r * n.db;
    return f;
  }
  const double root_mu = std::sqrt(mu);
  const Vector3d stretch(root_mu, 1 / root_mu, 1 / root_mu);
  const Vector3d x = stretch.cwiseProduct(lambda);
  const double speed = y.tail<2>().norm();
  Matrix3d s_by_y = Vector3d(stretch.cwiseInverse()).asDiagonal();
  if (speed > 0) s_by_y.row(0).tail<2>() += root_mu / speed * y.tail<2>();
  const Vector3d s((y[0] + mu * speed) / root_mu, root_mu * y[1], root_mu * y[2]);

  // z = (x^2 + s^2)^(1/2) by its two spectral values; the lower one as a sum of squares,
  // because the difference loses all digits near the mantle.
  const Vector2d w = x[0] * x.tail<2>() + s[0] * s.tail<2>();
  const double length = w.norm();
  const Vector2d n = length > 0 ? Vector2d(w / length) : Vector2d(1, 0);
  const auto lower = [&](const Vector3d& a) {
    const double along = n.dot(a.tail<2>());
    return (a[0] - along) * (a[0] - along) + (a.tail<2>() - along * n).squaredNorm();
  };
  const double low = std::sqrt(lower(x) + lower(s));
  const double high = std::sqrt(x.squaredNorm() + s.squaredNorm() + 2 * length);
  Vector3d z;
  z << 0.5 * (low + high), 0.5 * (high - low) * n;

  // dz = L(z)^-1 L(x) dx; on the mantle the inverse is taken a little inside.
  const double inside = std::max(low, 1e-9 * high);
  Vector3d d;
  d << 0.5 * (inside + high), 0.5 * (high - inside) * n;
  Matrix3d by_x = Matrix3d::Identity(), by_s = Matrix3d::Identity();
  if (high > 0) {
    // L(d)^-1 in closed form: det = d_0^2 - |d_T|^2 = inside high.
    const double det = inside * high;
    Matrix3d inverse;
    inverse(0, 0) = d[0] / det;
    inverse.row(0).tail<2>() = -d.tail<2>() / det;
    inverse.col(0).tail<2>() = -d.tail<2>() / det;
    inverse.bottomRightCorner<2, 2>() =
        (Eigen::Matrix2d::Identity() + d.tail<2>() * d.tail<2>().transpose() / det) / d[0];
    by_x -= inverse * arrow(x);
    by_s -= inverse * arrow(s);
  } else {
    by_x *= 1 - std::sqrt(0.5);
    by_s *= 1 - std::sqrt(0.5);
  }
  return {x + s - z, by_x * stretch.asDiagonal(), r * by_s * s_by_y};
}

RowFunction natural_row(double lambda, double y, double lower, double upper, double r) {
  const double z = lambda - r * y;
  if (z < lower) return {lambda - lower, 1, 0};
  if (z > upper) return {lambda - upper, 1, 0};
  return {r * y, 0, r};
}

RowFunction fischer_burmeister_row(double lambda, double y, double lower, double upper, double r) {
  RowFunction f{r * y, 0, r};
  if (std::isfinite(upper)) {
    const Fischer s = fischer(upper - lambda, -f.value);
    f = {-s.value, s.da, s.db * r};
  }
  if (std::isfinite(lower)) {
    const Fischer s = fischer(lambda - lower, f.value);
    f = {s.value, s.da + s.db * f.by_lambda, s.db * f.by_y};
  }
  return f;
}

}  // namespace perpend
