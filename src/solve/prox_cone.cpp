#include "solve/prox_cone.hpp"

#include <algorithm>
#include <cmath>

#include "system/gauss_seidel.hpp"

namespace perpend {
namespace {

// Normal impulse, factor of the tangential part and region of the projection onto the cone.
struct Projection {
  double normal, factor;
  ProxCone::Kind kind;
};

Projection project(double normal, double tangent, double mu, double scale) {
  if (tangent <= mu * normal) return {normal, 1, ProxCone::Kind::stick};
  if (mu * tangent <= -normal) return {0, 0, ProxCone::Kind::open};
  const double n = (normal + mu * tangent) * scale;
  return {n, mu * n / tangent, ProxCone::Kind::slide};
}

double length(double a, double b) { return std::sqrt(a * a + b * b); }

}  // namespace

void ProxCone::prepare(const System& s) {
  const BodySpace* body_space = std::get_if<BodySpace>(&s.A);
  const bool compliant = body_space && body_space->cfm.size();
  const Index m = s.contacts();
  contacts_.resize(static_cast<std::size_t>(m));
  joints_.resize(static_cast<std::size_t>(s.joint_rows()));
  for (Index i = 0; i < m; ++i) {
    Contact& c = contacts_[static_cast<std::size_t>(i)];
    c.mu = s.mu[i];
    c.mass = effective_mass(s, i);
    c.scale = 1 / (1 + c.mu * c.mu);
    c.compliance.setZero();
    if (compliant) c.compliance = body_space->cfm.segment<3>(3 * i);
    c.kind = Kind::open;
    c.t = c.o = c.beta = 0;
  }
  for (Index j = 0; j < s.joint_rows(); ++j) {
    Joint& q = joints_[static_cast<std::size_t>(j)];
    q.mass = effective_joint_mass(s, j);
    q.compliance = compliant ? body_space->cfm[3 * m + j] : 0;
    q.lower = s.lower[j];
    q.upper = s.upper[j];
    q.kind = Kind::open;
  }
  x = VectorXd::Zero(s.rows());
  p = x;
  lift_speed = VectorXd::Zero(m);
  speed = lift_speed;
}

void ProxCone::penalize(double rho) {
  for (Contact& c : contacts_) {
    c.kappa = c.compliance.maxCoeff() + 1 / (rho * c.mass);
    c.keep = Vector3d::Ones() - c.compliance / c.kappa;
  }
  for (Joint& q : joints_) {
    q.kappa = q.compliance + 1 / (rho * q.mass);
    q.keep = 1 / (rho * q.mass) / q.kappa;
  }
}

Vector3d ProxCone::centred(const Contact& c, Index i, const Vector3d& u) const {
  Vector3d z = c.keep.cwiseProduct(x.segment<3>(3 * i)) - u / c.kappa;
  z[0] -= c.mu * lift_speed[i] / c.kappa;
  return z;
}

bool ProxCone::project(const VectorXd& u) {
  bool changed = false;
  const Index m = static_cast<Index>(contacts_.size());
  for (Index i = 0; i < m; ++i) {
    Contact& c = contacts_[static_cast<std::size_t>(i)];
    const Vector3d z = centred(c, i, u.segment<3>(3 * i));
    const double tangent = length(z[1], z[2]);
    const Projection to = perpend::project(z[0], tangent, c.mu, c.scale);
    changed = changed || to.kind != c.kind || to.kind == Kind::slide;
    c.kind = to.kind;
    if (to.kind == Kind::slide) {
      c.t = z[1] / tangent;
      c.o = z[2] / tangent;
      c.beta = to.factor;
    }
    p.segment<3>(3 * i) << to.normal, to.factor * z[1], to.factor * z[2];
  }
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    Joint& q = joints_[j];
    const Index at = 3 * m + static_cast<Index>(j);
    const double z = q.keep * x[at] - u[at] / q.kappa;
    p[at] = std::clamp(z, q.lower, q.upper);
    const Kind kind = p[at] == z ? Kind::stick : Kind::open;
    changed = changed || kind != q.kind;
    q.kind = kind;
  }
  return changed;
}

double ProxCone::along(const VectorXd& u, const VectorXd& du, double alpha) const {
  double sum = 0;
  const Index m = static_cast<Index>(contacts_.size());
  for (Index i = 0; i < m; ++i) {
    const Contact& c = contacts_[static_cast<std::size_t>(i)];
    const Vector3d d = du.segment<3>(3 * i);
    const Vector3d z = centred(c, i, u.segment<3>(3 * i) + alpha * d);
    const Projection to = perpend::project(z[0], length(z[1], z[2]), c.mu, c.scale);
    sum += to.normal * d[0] + to.factor * (z[1] * d[1] + z[2] * d[2]);
  }
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    const Joint& q = joints_[j];
    const Index at = 3 * m + static_cast<Index>(j);
    const double z = q.keep * x[at] - (u[at] + alpha * du[at]) / q.kappa;
    sum += std::clamp(z, q.lower, q.upper) * du[at];
  }
  return sum;
}

ProxCone::Curvature ProxCone::curvature(Index contact) const {
  const Contact& c = contacts_[static_cast<std::size_t>(contact)];
  Curvature k;
  if (c.kind == Kind::open) return k;
  const double weight = 1 / std::sqrt(c.kappa);
  if (c.kind == Kind::stick) {
    k.count = 3;
    k.rows = weight * Matrix3d::Identity();
    return k;
  }
  // p = a (1, mu t) with a = (z_n + mu |z_T|)/(1 + mu^2): one row along the mantle, one across.
  const double along = weight * std::sqrt(c.scale), across = weight * std::sqrt(c.beta);
  k.count = 2;
  k.rows.row(0) << along, along * c.mu * c.t, along * c.mu * c.o;
  k.rows.row(1) << 0, -across * c.o, across * c.t;
  return k;
}

double ProxCone::joint_curvature(Index joint_row) const {
  const Joint& q = joints_[static_cast<std::size_t>(joint_row)];
  return q.kind == Kind::stick ? 1 / q.kappa : 0;
}

double ProxCone::residual(const VectorXd& lambda, const VectorXd& u) {
  double worst = 0;
  const Index m = static_cast<Index>(contacts_.size());
  for (Index i = 0; i < m; ++i) {
    const Contact& c = contacts_[static_cast<std::size_t>(i)];
    const Vector3d l = lambda.segment<3>(3 * i);
    const Vector3d y = u.segment<3>(3 * i) + c.compliance.cwiseProduct(l);
    speed[i] = length(y[1], y[2]);
    Vector3d z = l - c.mass * y;
    z[0] -= c.mass * c.mu * speed[i];
    const Projection to = perpend::project(z[0], length(z[1], z[2]), c.mu, c.scale);
    const Vector3d back(to.normal, to.factor * z[1], to.factor * z[2]);
    worst = std::max(worst, (l - back).squaredNorm() / (c.mass * c.mass));
  }
  worst = std::sqrt(worst);
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    const Joint& q = joints_[j];
    const Index at = 3 * m + static_cast<Index>(j);
    const double l = lambda[at], y = u[at] + q.compliance * l;
    worst = std::max(worst, std::abs(l - std::clamp(l - q.mass * y, q.lower, q.upper)) / q.mass);
  }
  return worst;
}

}  // namespace perpend
