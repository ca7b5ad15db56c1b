#include "solve/kit/box_law.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "measure/box_sweep.hpp"
#include "solve/kit/newton_space.hpp"

namespace perpend {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

void BoxLaw::prepare(const System& s) {
  system_ = &s;
  const Index m = s.contacts();
  rho_ = effective_masses(s);
  compliance_ = body_compliance(s);
  shift_ = compliance_;
  x_ = VectorXd::Zero(s.rows());
  phi_ = x_;
  first_ = x_;
  slopes_.contact.resize(static_cast<std::size_t>(m));
  slopes_.joint.resize(static_cast<std::size_t>(s.joint_rows()));
  slopes_.symmetric = m == 0;
}

void BoxLaw::penalize(double r) { shift_ = compliance_ + (r * rho_).cwiseInverse(); }

RowFunction BoxLaw::bounded(double lambda, double y, double rho, double lower, double upper) const {
  const auto law = map_ == Map::natural ? natural_row : fischer_burmeister_row;
  return law(lambda, y, lower, upper, rho, 1);
}

// Calls visit(row, RowFunction, normal row or -1, d bound/d lambda_n) for every row.
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
  visit(lambda, v, [&](Index row, const RowFunction& r, Index, double) { phi_[row] = r.value; });
}

double BoxLaw::merit() const { return 0.5 * phi_.cwiseAbs2().dot(rho_); }

void BoxLaw::linearize(const VectorXd& lambda, const VectorXd& v) {
  const Index m = system_->contacts();
  visit(lambda, v, [&](Index row, const RowFunction& r, Index normal, double mu) {
    phi_[row] = r.value;
    const double p = r.by_x + r.by_y * shift_[row];
    first_[row] = r.value / p;
    if (row >= 3 * m) {
      slopes_.joint[static_cast<std::size_t>(row - 3 * m)] = r.by_y / p;
      return;
    }
    Matrix3d& g = slopes_.contact[static_cast<std::size_t>(row / 3)];
    const Index k = row % 3;
    g.row(k).setZero();
    g(k, k) = r.by_y / p;
    if (normal < 0) return;
    // What the normal impulse does to the bounds of this row.
    const double coupling = mu * r.by_bound / p;
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
