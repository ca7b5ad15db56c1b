#include "solve/kit/contact_function.hpp"

#include <algorithm>
#include <cmath>

#include "measure/natural_map.hpp"
#include "perpend/measure.hpp"
#include "solve/kit/fischer.hpp"
#include "solve/kit/second_order_cone.hpp"

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

// Of Alart and Curnier's projection; without friction nothing sticks.
ConeRegion shortened(const Vector3d& z, double mu) {
  if (z[0] <= 0) return ConeRegion::open;
  return mu > 0 && tangent_length(z) <= mu * z[0] ? ConeRegion::stick : ConeRegion::slide;
}

Vector3d hat(const Vector3d& u, double mu) { return {u[0] + mu * tangent_length(u), u[1], u[2]}; }

// duhat/du
Matrix3d saxce(const Vector3d& u, double mu) {
  Matrix3d d = Matrix3d::Identity();
  const double speed = tangent_length(u);
  if (speed > 0) d.block<1, 2>(0, 1) = mu / speed * u.tail<2>().transpose();
  return d;
}

// The matrix of the product with x in the algebra of the cone.
Matrix3d arrow(const Vector3d& x) {
  Matrix3d m = x[0] * Matrix3d::Identity();
  m.row(0).tail<2>() = x.tail<2>();
  m.col(0).tail<2>() = x.tail<2>();
  return m;
}

// (x^2 + s^2)^(1/2) by its eigenvalues; the smaller one is kept from vanishing against the larger,
// where the root has no derivative.
Vector3d root_of_squares(const Vector3d& x, const Vector3d& s) {
  const double y = x.squaredNorm() + s.squaredNorm();
  const Vector2d t = 2 * (x[0] * x.tail<2>() + s[0] * s.tail<2>());
  const double length = t.norm();
  const double high = std::sqrt(y + length), low = std::sqrt(std::max(y - length, 1e-24 * y));
  const Vector2d direction = length > 0 ? Vector2d(t / length) : Vector2d::UnitX();
  Vector3d w;
  w << 0.5 * (high + low), 0.5 * (high - low) * direction;
  return w;
}

// x and s of the second-order cone.
Vector3d cone_impulse(const Vector3d& x, double root, double r) {
  return Vector3d(root * x[0], x[1] / root, x[2] / root) / r;
}
Vector3d cone_velocity(const Vector3d& uhat, double root) {
  return {uhat[0] / root, root * uhat[1], root * uhat[2]};
}

ContactFunction cone_fischer_burmeister(const Vector3d& x, const Vector3d& u, double mu, double r) {
  ContactFunction out{Vector3d::Zero(), Matrix3d::Identity(), Matrix3d::Zero()};
  if (mu == 0) {  // the half-line in the normal, no friction
    const double a = x[0] / r, c = u[0], root = std::hypot(a, c);
    out.value << fischer_burmeister(a, c), x[1] / r, x[2] / r;
    out.by_x(0, 0) = root > 0 ? 1 - a / root : 1;
    out.by_u(0, 0) = root > 0 ? 1 - c / root : 1;
    return out;
  }
  const double root = std::sqrt(mu);
  const Vector3d a = cone_impulse(x, root, r), c = cone_velocity(hat(u, mu), root);
  const Vector3d w = root_of_squares(a, c);
  out.value = a + c - w;
  Matrix3d da = Matrix3d::Identity(), dc = da;
  if (w[0] > 0) {
    const Matrix3d La = arrow(a), Lc = arrow(c);
    for (int k = 0; k < 3; ++k) {
      da.col(k) -= jordan_divide(w, La.col(k));
      dc.col(k) -= jordan_divide(w, Lc.col(k));
    }
  }
  out.by_x = da * Vector3d(root, 1 / root, 1 / root).asDiagonal();
  out.by_u = dc * Vector3d(1 / root, root, root).asDiagonal() * saxce(u, mu);
  return out;
}

}  // namespace

ContactFunction linearize(ConeFunction function, const Vector3d& x, const Vector3d& u, double mu,
                          double r) {
  if (function == ConeFunction::fischer_burmeister) return cone_fischer_burmeister(x, u, mu, r);
  if (function == ConeFunction::alart_curnier) {
    const Vector3d z = x / r - u;
    const Projected to = project(z, mu, false, shortened(z, mu));
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
  if (function == ConeFunction::alart_curnier) {
    const Vector3d z = x / r - u;
    return x / r - project(z, mu, false, shortened(z, mu)).p;
  }
  if (mu == 0) return {fischer_burmeister(x[0] / r, u[0]), x[1] / r, x[2] / r};
  const double root = std::sqrt(mu);
  const Vector3d a = cone_impulse(x, root, r), c = cone_velocity(hat(u, mu), root);
  return a + c - root_of_squares(a, c);
}

ContactFunction scaled_alart_curnier(const Vector3d& x, const Vector3d& y, double mu, double r) {
  const Vector3d z = x - r * y;
  // What does not move counts as sticking without friction, too.
  const bool still = mu == 0 && z[0] > 0 && tangent_length(z) == 0;
  const ConeRegion region = still ? ConeRegion::stick : shortened(z, mu);
  const Projected to = project(z, mu, false, region);
  Vector3d value = region == ConeRegion::stick ? Vector3d(r * y) : x;
  if (region == ConeRegion::slide) {
    const Vector2d t = z.tail<2>() / tangent_length(z);
    value -= Vector3d(z[0], mu * z[0] * t[0], mu * z[0] * t[1]);
  }
  return {value, Matrix3d::Identity() - to.dp, r * to.dp};
}

ContactFunction scaled_fischer_burmeister(const Vector3d& impulse, const Vector3d& velocity,
                                          double mu, double r) {
  const Vector3d y = r * velocity;
  if (mu == 0) {
    const Fischer n = fischer(impulse[0], y[0]);
    ContactFunction f{{n.value, impulse[1], impulse[2]}, Matrix3d::Identity(), Matrix3d::Zero()};
    f.by_x(0, 0) = n.da;
    f.by_u(0, 0) = r * n.db;
    return f;
  }
  const double root_mu = std::sqrt(mu);
  const Vector3d stretch(root_mu, 1 / root_mu, 1 / root_mu);
  const Vector3d x = stretch.cwiseProduct(impulse);
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
        (Matrix2d::Identity() + d.tail<2>() * d.tail<2>().transpose() / det) / d[0];
    by_x -= inverse * arrow(x);
    by_s -= inverse * arrow(s);
  } else {
    by_x *= 1 - std::sqrt(0.5);
    by_s *= 1 - std::sqrt(0.5);
  }
  return {x + s - z, by_x * stretch.asDiagonal(), r * by_s * s_by_y};
}

RowFunction natural_row(double x, double y, double lower, double upper, double rho, double r) {
  const double u = r * y, to = x - rho * u;
  if (to < lower) return {(x - lower) / rho, 1 / rho, 0, 1 / rho};
  if (to > upper) return {(x - upper) / rho, 1 / rho, 0, -1 / rho};
  return {u, 0, r, 0};
}

RowFunction fischer_burmeister_row(double x, double y, double lower, double upper, double rho,
                                   double r) {
  double value = r * y, by_a = 0, by_y = r, by_bound = 0;  // a = x/rho
  if (std::isfinite(upper)) {
    const Fischer f = fischer((upper - x) / rho, -value);
    value = -f.value;
    by_a = f.da;
    by_y = f.db * r;
    by_bound = -f.da;
  }
  if (std::isfinite(lower)) {
    const Fischer f = fischer((x - lower) / rho, value);
    value = f.value;
    by_a = f.da + f.db * by_a;
    by_bound = f.da + f.db * by_bound;
    by_y = f.db * by_y;
  }
  return {value, by_a / rho, by_y, by_bound / rho};
}

}  // namespace perpend
