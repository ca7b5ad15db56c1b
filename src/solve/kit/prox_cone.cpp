#include "solve/kit/prox_cone.hpp"

#include <algorithm>
#include <cmath>

#include "measure/natural_map.hpp"
#include "system/gauss_seidel.hpp"

namespace perpend {
namespace {

// Friction this near to its limit is at it, of the limit: impulses of a step before were turned
// with their contact.
constexpr double kAtLimit = 1e-5;

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
    c.t = c.o = c.across = 0;
  }
  for (Index j = 0; j < s.joint_rows(); ++j) {
    Joint& q = joints_[static_cast<std::size_t>(j)];
    q.mass = effective_joint_mass(s, j);
    q.compliance = compliant ? body_space->cfm[3 * m + j] : 0;
    q.lower = s.lower[j];
    q.upper = s.upper[j];
    q.kind = Kind::open;
  }
  x_.setZero(s.rows());
  z_ = x_;
  p_ = x_;
  centre_speed_.setZero(m);
  speed_ = centre_speed_;
  slopes_.contact.resize(contacts_.size());
  slopes_.joint.resize(joints_.size());
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

void ProxCone::centre(const VectorXd& x, const VectorXd& speed) {
  x_ = x;
  centre_speed_ = speed;
}

bool ProxCone::sort_by_centre() {
  slides_ = false;
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    Contact& c = contacts_[k];
    const Vector3d x = x_.segment<3>(3 * static_cast<Index>(k));
    const double tangent = length(x[1], x[2]);
    c.kind = !(x[0] > 0)                                              ? Kind::open
             : tangent > 0 && tangent >= (1 - kAtLimit) * c.mu * x[0] ? Kind::slide
                                                                      : Kind::stick;
    if (c.kind != Kind::slide) continue;
    slides_ = true;
    c.t = x[1] / tangent;
    c.o = x[2] / tangent;
    c.across = 1;
  }
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    Joint& q = joints_[j];
    const double x = x_[first_joint() + static_cast<Index>(j)];
    q.kind = x > q.lower && x < q.upper ? Kind::stick : Kind::open;
  }
  z_ = p_ = x_;
  regrouped_ = true;
  return slides_;
}

ProxCone::Projection ProxCone::project(const Contact& c, double normal, double tangent) const {
  // Open first: for mu = 0 a negative normal part alone satisfies 0 <= mu normal.
  if (law_ == Law::coulomb ? normal <= 0 : c.mu * tangent <= -normal) return {0, 0, Kind::open};
  if (tangent <= c.mu * normal) return {normal, 1, Kind::stick};
  if (law_ == Law::coulomb) return {normal, c.mu * normal / tangent, Kind::slide};
  const double n = (normal + c.mu * tangent) * c.scale;
  return {n, c.mu * n / tangent, Kind::slide};
}

Vector3d ProxCone::centred(const Contact& c, Index i, const Vector3d& u) const {
  Vector3d z = c.keep.cwiseProduct(x_.segment<3>(3 * i)) - u / c.kappa;
  if (law_ == Law::associated) z[0] -= c.mu * centre_speed_[i] / c.kappa;
  return z;
}

double ProxCone::centred(const Joint& q, Index row, double u) const {
  return q.keep * x_[row] - u / q.kappa;
}

bool ProxCone::project(const VectorXd& u) {
  bool changed = false;
  slides_ = false;
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    Contact& c = contacts_[k];
    const Index i = static_cast<Index>(k);
    const Vector3d z = centred(c, i, u.segment<3>(3 * i));
    const double tangent = length(z[1], z[2]);
    const Projection to = project(c, z[0], tangent);
    changed = changed || to.kind != c.kind;
    c.kind = to.kind;
    if (to.kind == Kind::slide) {
      slides_ = true;
      c.t = z[1] / tangent;
      c.o = z[2] / tangent;
      c.across = to.factor;
    }
    z_.segment<3>(3 * i) = z;
    p_.segment<3>(3 * i) << to.normal, to.factor * z[1], to.factor * z[2];
  }
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    Joint& q = joints_[j];
    const Index at = first_joint() + static_cast<Index>(j);
    z_[at] = centred(q, at, u[at]);
    p_[at] = std::clamp(z_[at], q.lower, q.upper);
    const Kind kind = p_[at] == z_[at] ? Kind::stick : Kind::open;
    changed = changed || kind != q.kind;
    q.kind = kind;
  }
  regrouped_ = changed;
  return changed || slides_;
}

double ProxCone::along(const VectorXd& u, const VectorXd& du, double a) const {
  double sum = 0;
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    const Contact& c = contacts_[k];
    const Index i = static_cast<Index>(k);
    const Vector3d d = du.segment<3>(3 * i);
    const Vector3d z = centred(c, i, u.segment<3>(3 * i) + a * d);
    const Projection to = project(c, z[0], length(z[1], z[2]));
    sum += to.normal * d[0] + to.factor * (z[1] * d[1] + z[2] * d[2]);
  }
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    const Joint& q = joints_[j];
    const Index at = first_joint() + static_cast<Index>(j);
    sum += std::clamp(centred(q, at, u[at] + a * du[at]), q.lower, q.upper) * du[at];
  }
  return sum;
}

void ProxCone::extrapolate(const VectorXd& u, VectorXd& p) const {
  p = p_;
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    const Contact& c = contacts_[k];
    if (c.kind == Kind::open) continue;
    const Index i = static_cast<Index>(k);
    const Vector3d dz = centred(c, i, u.segment<3>(3 * i)) - z_.segment<3>(3 * i);
    p.segment<3>(3 * i) += c.kappa * (slope_of(c) * dz);
  }
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    const Index at = first_joint() + static_cast<Index>(j);
    if (joints_[j].kind == Kind::stick) p[at] = centred(joints_[j], at, u[at]);
  }
}

Matrix3d ProxCone::slope_of(const Contact& c) const {
  const double w = 1 / c.kappa;
  if (c.kind == Kind::open) return Matrix3d::Zero();
  if (c.kind == Kind::stick) return w * Matrix3d::Identity();
  // Along the ray (1, mu t) the impulse follows its normal part; across it turns with z_T.
  Matrix3d g = Matrix3d::Zero();
  const double across = w * c.across;
  g.block<2, 2>(1, 1) << across * c.o * c.o, -across * c.t * c.o, -across * c.t * c.o,
      across * c.t * c.t;
  const Vector3d ray(1, c.mu * c.t, c.mu * c.o);
  if (law_ == Law::coulomb)
    g.col(0) += w * ray;
  else
    g += w * c.scale * ray * ray.transpose();
  return g;
}

void ProxCone::linearize() {
  for (std::size_t i = 0; i < contacts_.size(); ++i) slopes_.contact[i] = slope_of(contacts_[i]);
  for (std::size_t j = 0; j < joints_.size(); ++j)
    slopes_.joint[j] = joints_[j].kind == Kind::stick ? 1 / joints_[j].kappa : 0;
  slopes_.symmetric = law_ == Law::associated || !slides_;
}

double ProxCone::residual(const VectorXd& impulses, const VectorXd& u) {
  double worst = 0;
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    const Contact& c = contacts_[k];
    const Index i = static_cast<Index>(k);
    const Vector3d l = impulses.segment<3>(3 * i);
    const Vector3d y = u.segment<3>(3 * i) + c.compliance.cwiseProduct(l);
    speed_[i] = length(y[1], y[2]);
    worst = std::max(worst, coulomb_error(l, y, c.mu, c.mass));
  }
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    const Joint& q = joints_[j];
    const Index at = first_joint() + static_cast<Index>(j);
    const double l = impulses[at], y = u[at] + q.compliance * l;
    worst = std::max(worst, std::abs(bounded_residual(l, y, q.mass, q.lower, q.upper)));
  }
  return worst;
}

}  // namespace perpend
