#include "solve/kit/qp.hpp"

#include <algorithm>
#include <cmath>

#include "formulate/scales.hpp"
#include "solve/kit/line_search.hpp"

namespace perpend {
namespace {

constexpr double kFirstPenalty = 10, kLowestPenalty = 1e-3, kHighestPenalty = 1e8;
// An inner problem is solved when its defect is this part of the outer residual.
constexpr double kInnerAccuracy = 0.1;
constexpr int kInnerLimit = 40;
constexpr int kEasyInner = 6;     // steps within which an inner problem counts as easy
constexpr double kGoodGain = 10;  // of an outer step: the penalty may stay
constexpr double kKink = 1e-10;   // velocity at a kink, part of the largest
constexpr int kPatience = 80;     // steps that may pass without halving the smallest residual

}  // namespace

template <class Space>
bool Qp<Space>::prepare(const System& s) {
  if (!space_.prepare(s)) return false;
  system_ = &s;
  const Index m = s.contacts();
  mass_ = effective_masses(s);
  compliance_ = body_compliance(s);
  p_.setZero(s.rows());
  slopes_.contact.assign(static_cast<std::size_t>(m), Matrix3d::Zero());
  slopes_.joint.assign(static_cast<std::size_t>(s.joint_rows()), 0);
  rho_ = kFirstPenalty;
  factorizations_ = 0;
  return true;
}

template <class Space>
void Qp<Space>::penalize(double rho) {
  rho_ = rho;
  kappa_ = compliance_ + (rho * mass_).cwiseInverse();
  // A disk needs one kappa for both tangents.
  for (Index i = 0; i < system_->contacts(); ++i)
    kappa_.segment<2>(3 * i + 1).setConstant(kappa_.segment<2>(3 * i + 1).maxCoeff());
  keep_ = VectorXd::Ones(kappa_.size()) - compliance_.cwiseQuotient(kappa_);
}

template <class Space>
Eigen::Vector2d Qp<Space>::tangents(Index i, const VectorXd& u) const {
  const Index at = 3 * i + 1;
  return keep_.segment<2>(at).cwiseProduct(x_.segment<2>(at)) - u.segment<2>(at) / kappa_[at] -
         sets_->centre.row(i).transpose();
}

template <class Space>
typename Qp<Space>::Projected Qp<Space>::disk(Index i, const Eigen::Vector2d& z) const {
  const double length = z.norm(), radius = sets_->radius[i];
  if (length < radius) return {1, true};
  return {length > 0 ? radius / length : 0, false};
}

template <class Space>
void Qp<Space>::project(const VectorXd& u) {
  const Index m = system_->contacts();
  for (Index i = 0; i < m; ++i) {
    const Index n = 3 * i;
    p_[n] = interval(n, keep_[n] * x_[n] - u[n] / kappa_[n]);
    const Eigen::Vector2d z = tangents(i, u);
    p_.template segment<2>(n + 1) = sets_->centre.row(i).transpose() + disk(i, z).factor * z;
  }
  for (Index row = 3 * m; row < p_.size(); ++row)
    p_[row] = interval(row, keep_[row] * x_[row] - u[row] / kappa_[row]);
}

template <class Space>
double Qp<Space>::along(const VectorXd& u, const VectorXd& du, double a) const {
  const Index m = system_->contacts();
  double sum = 0;
  const auto add = [&](Index row) {
    sum += du[row] * interval(row, keep_[row] * x_[row] - (u[row] + a * du[row]) / kappa_[row]);
  };
  for (Index i = 0; i < m; ++i) {
    add(3 * i);
    const Eigen::Vector2d d = du.segment<2>(3 * i + 1);
    const Eigen::Vector2d z = tangents(i, u) - a * d / kappa_[3 * i + 1];
    sum += d.dot(sets_->centre.row(i).transpose() + disk(i, z).factor * z);
  }
  for (Index row = 3 * m; row < p_.size(); ++row) add(row);
  return sum;
}

// -dp/du at u: 1/kappa inside a set; on the rim of a disk only across its radius. A row at the
// kink, where neither side is wrong, counts as inside: bodies that fall together would otherwise
// meet one by one, a Newton step each.
template <class Space>
void Qp<Space>::linearize() {
  const Index m = system_->contacts();
  const double kink = kKink * u_.template lpNorm<Eigen::Infinity>();
  const auto slope = [&](Index row) {
    const double z = keep_[row] * x_[row] - u_[row] / kappa_[row], near = kink / kappa_[row];
    const bool inside = z > lower_[row] - near && z < upper_[row] + near;
    return inside && lower_[row] < upper_[row] ? 1 / kappa_[row] : 0;
  };
  for (Index i = 0; i < m; ++i) {
    Matrix3d& g = slopes_.contact[static_cast<std::size_t>(i)];
    g.setZero();
    g(0, 0) = slope(3 * i);
    const Eigen::Vector2d z = tangents(i, u_);
    const Projected to = disk(i, z);
    const double w = to.factor / kappa_[3 * i + 1];
    if (to.inside) {
      g(1, 1) = g(2, 2) = w;
    } else if (w > 0) {
      const Eigen::Vector2d across = Eigen::Vector2d(-z[1], z[0]).normalized();
      g.block<2, 2>(1, 1) = w * across * across.transpose();
    }
  }
  for (Index row = 3 * m; row < p_.size(); ++row)
    slopes_.joint[static_cast<std::size_t>(row - 3 * m)] = slope(row);
}

template <class Space>
double Qp<Space>::residual(const VectorXd& p, const VectorXd& u) const {
  const Index m = system_->contacts();
  double worst = 0;
  const auto row_of = [&](Index row) {
    const double y = u[row] + compliance_[row] * p[row];
    worst = larger(worst, std::abs(p[row] - interval(row, p[row] - mass_[row] * y)) / mass_[row]);
  };
  for (Index i = 0; i < m; ++i) {
    row_of(3 * i);
    const Index at = 3 * i + 1;
    const Eigen::Vector2d from = p.segment<2>(at) - sets_->centre.row(i).transpose();
    const Eigen::Vector2d y =
        u.segment<2>(at) + compliance_.segment<2>(at).cwiseProduct(p.segment<2>(at));
    const Eigen::Vector2d z = from - mass_[at] * y;
    worst = larger(worst, (from - disk(i, z).factor * z).norm() / mass_[at]);
  }
  for (Index row = 3 * m; row < p.size(); ++row) row_of(row);
  return worst;
}

// One Newton step of the inner problem; false: no factor.
template <class Space>
bool Qp<Space>::step() {
  linearize();
  ++factorizations_;
  if (!space_.factorize(slopes_)) return false;
  e_ = w_ - w_p_;
  space_.step(e_, d_);
  if (!d_.allFinite()) return false;
  space_.differential(d_, du_);
  space_.weigh(d_, du_, weight_);
  const double at_start = weight_.dot(w_), growth = weight_.dot(d_);
  const double a =
      convex_line_search([&](double t) { return at_start + t * growth - along(u_, du_, t); });
  w_ += a * d_;
  u_ += a * du_;
  return true;
}

template <class Space>
QpEnd Qp<Space>::solve(const QpSets& sets, double tolerance, VectorXd& x,
                       const std::function<bool(const VectorXd&, double)>& observe) {
  sets_ = &sets;
  const Index m = system_->contacts();
  lower_.setZero(system_->rows());
  upper_.setZero(system_->rows());
  for (Index i = 0; i < m; ++i) {
    lower_[3 * i] = sets.normal_lower[i];
    upper_[3 * i] = sets.normal_upper[i];
  }
  lower_.tail(system_->joint_rows()) = sets.joint_lower;
  upper_.tail(system_->joint_rows()) = sets.joint_upper;

  x_ = x;
  space_.respond(x_, w_);
  space_.velocity(w_, u_);
  double best = residual(x_, u_), mark = best, outer = best;
  if (best <= tolerance) return QpEnd::solved;
  double ceiling = kHighestPenalty;
  penalize(rho_);
  for (int since_mark = 0;;) {
    bool solved = false;
    double now = outer;
    int inner = 0;
    for (;; ++inner) {
      project(u_);
      space_.respond(p_, w_p_);
      space_.velocity(w_p_, u_p_);
      now = residual(p_, u_p_);
      if (now < best) {
        best = now;
        x = p_;
      }
      if (inner > 0) {
        ++since_mark;
        if (best < 0.5 * mark) {
          mark = best;
          since_mark = 0;
        }
        if (!observe(p_, now)) return QpEnd::stopped;
        if (best <= tolerance) return QpEnd::solved;
        if (since_mark >= kPatience) return QpEnd::stalled;
        solved = (u_ - u_p_).template lpNorm<Eigen::Infinity>() <= kInnerAccuracy * now;
        if (solved || inner >= kInnerLimit) break;
      }
      if (!step()) {
        if (rho_ <= kLowestPenalty) return QpEnd::breakdown;
        break;
      }
    }
    if (solved) {
      x_ = p_;
      if (now * kGoodGain > outer && inner <= kEasyInner && rho_ < ceiling)
        penalize(std::min(10 * rho_, ceiling));
      outer = now;
    } else {
      ceiling = rho_ / 3;
      if (rho_ / 10 < kLowestPenalty) return QpEnd::stalled;
      penalize(rho_ / 10);
      space_.respond(x_, w_);
      space_.velocity(w_, u_);
    }
  }
}

template class Qp<BodyNewtonSpace>;
template class Qp<ImpulseNewtonSpace>;

}  // namespace perpend
