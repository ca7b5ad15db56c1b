#include "solve/box_law.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "measure/box_sweep.hpp"
#include "solve/fischer.hpp"

namespace perpend {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

void BoxLaw::prepare(const System& s) {
  system_ = &s;
  const Index m = s.contacts();
  rho_ = effective_masses(s);
  const BodySpace* body_space = std::get_if<BodySpace>(&s.A);
  compliance_ = body_space && body_space->cfm.size() ? body_space->cfm : VectorXd::Zero(s.rows());
  shift_ = compliance_;
  x_ = VectorXd::Zero(s.rows());
  phi_ = x_;
  first_ = x_;
  slopes_.contact.resize(static_cast<std::size_t>(m));
  slopes_.joint.resize(static_cast<std::size_t>(s.joint_rows()));
  slopes_.symmetric = m == 0;
}

void BoxLaw::penalize(double r) { shift_ = compliance_ + (r * rho_).cwiseInverse(); }

BoxLaw::Row BoxLaw::bounded(double lambda, double y, double rho, double lower, double upper) const {
  if (upper == kInfinity && lower == -kInfinity) return {y, 0, 1, 0};
  if (map_ == Map::natural) {
    const double to = lambda - rho * y;
    if (to < lower) return {(lambda - lower) / rho, 1 / rho, 0, 1 / rho};
    if (to > upper) return {(lambda - upper) / rho, 1 / rho, 0, -1 / rho};
    return {y, 0, 1, 0};
  }
  if (upper == kInfinity) {
    const Fischer f = fischer((lambda - lower) / rho, y);
    return {f.value, f.da / rho, f.db, f.da / rho};
  }
  const Fischer inner = fischer((upper - lambda) / rho, -y);
  if (lower == -kInfinity) return {-inner.value, inner.da / rho, inner.db, -inner.da / rho};
  const Fischer outer = fischer((lambda - lower) / rho, -inner.value);
  return {outer.value, (outer.da + outer.db * inner.da) / rho, outer.db * inner.db,
          (outer.da - outer.db * inner.da) / rho};
}

// Calls visit(row, Row, normal row or -1, d bound/d lambda_n) for every row.
template <class Visit>
void BoxLaw::visit(const VectorXd& lambda, const VectorXd& v, const Visit& visit) {
  const System& s = *system_;
  const Index m = s.contacts();
  const auto y = [&](Index row) {
    return v[row] + compliance_[row] * lambda[row] +
           (shift_[row] - compliance_[row]) * (lambda[row] - x_[row]);
  };
  for (Index i = 0; i < m; ++i) {
    const Index n = 3 * i;
    visit(n, bounded(lambda[n], y(n), rho_[n], 0, kInfinity), Index(-1), 0.0);
    const Eigen::Vector2d limits = friction_limits(s, i, lambda[n]);
    for (Index k = 0; k < 2; ++k) {
      const bool fixed = s.friction_bounds.rows() && std::isfinite(s.friction_bounds(i, k));
      visit(n + 1 + k, bounded(lambda[n + 1 + k], y(n + 1 + k), rho_[n], -limits[k], limits[k]), n,
            fixed || lambda[n] < 0 ? 0.0 : s.mu[i]);
    }
  }
  for (Index j = 0; j < s.joint_rows(); ++j) {
    const Index row = 3 * m + j;
    visit(row, bounded(lambda[row], y(row), rho_[row], s.lower[j], s.upper[j]), Index(-1), 0.0);
  }
}

void BoxLaw::evaluate(const VectorXd& lambda, const VectorXd& v) {
  visit(lambda, v, [&](Index row, const Row& r, Index, double) { phi_[row] = r.value; });
}

double BoxLaw::merit() const { return 0.5 * phi_.cwiseAbs2().dot(rho_); }

void BoxLaw::linearize(const VectorXd& lambda, const VectorXd& v) {
  const Index m = system_->contacts();
  visit(lambda, v, [&](Index row, const Row& r, Index normal, double mu) {
    phi_[row] = r.value;
    const double p = r.dlambda + r.dy * shift_[row];
    first_[row] = r.value / p;
    if (row >= 3 * m) {
      slopes_.joint[static_cast<std::size_t>(row - 3 * m)] = r.dy / p;
      return;
    }
    Matrix3d& g = slopes_.contact[static_cast<std::size_t>(row / 3)];
    const Index k = row % 3;
    g.row(k).setZero();
    g(k, k) = r.dy / p;
    if (normal < 0) return;
    // What the normal impulse does to the bounds of this row.
    const double coupling = mu * r.dbound / p;
    first_[row] -= coupling * first_[normal];
    g(k, 0) = -coupling * g(0, 0);
  });
}

void BoxLaw::step(const VectorXd& dv, VectorXd& dlambda) const {
  const Index m = system_->contacts();
  dlambda = -first_;
  for (Index i = 0; i < m; ++i)
    dlambda.segment<3>(3 * i) -=
        slopes_.contact[static_cast<std::size_t>(i)] * dv.segment<3>(3 * i);
  for (Index row = 3 * m; row < dlambda.size(); ++row)
    dlambda[row] -= slopes_.joint[static_cast<std::size_t>(row - 3 * m)] * dv[row];
}

void BoxLaw::project(VectorXd& lambda) const {
  const System& s = *system_;
  const Index m = s.contacts();
  for (Index i = 0; i < m; ++i) {
    double& n = lambda[3 * i];
    n = std::max(0.0, n);
    const Eigen::Vector2d limits = friction_limits(s, i, n);
    for (Index k = 0; k < 2; ++k)
      lambda[3 * i + 1 + k] = std::clamp(lambda[3 * i + 1 + k], -limits[k], limits[k]);
  }
  for (Index j = 0; j < s.joint_rows(); ++j)
    lambda[3 * m + j] = std::clamp(lambda[3 * m + j], s.lower[j], s.upper[j]);
}

double BoxLaw::residual(const VectorXd& lambda, const VectorXd& v) const {
  const System& s = *system_;
  const Index m = s.contacts();
  double worst = 0;
  const auto add = [&](Index row, double lower, double upper) {
    const double y = v[row] + compliance_[row] * lambda[row];
    const double to = std::clamp(lambda[row] - rho_[row] * y, lower, upper);
    worst = std::max(worst, std::abs(lambda[row] - to) / rho_[row]);
  };
  for (Index i = 0; i < m; ++i) {
    add(3 * i, 0, kInfinity);
    const Eigen::Vector2d limits = friction_limits(s, i, lambda[3 * i]);
    for (Index k = 0; k < 2; ++k) add(3 * i + 1 + k, -limits[k], limits[k]);
  }
  for (Index j = 0; j < s.joint_rows(); ++j) add(3 * m + j, s.lower[j], s.upper[j]);
  return worst;
}

}  // namespace perpend
