#include "solve/kit/semismooth_newton.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

namespace perpend {
namespace {

// Regularization: the most before a step is given up, what full steps bring it down to, and the
// least. The last is for plateaus: where sticking rows contradict each other by 1e-10 m/s, say,
// every step goes the same way along impulses that move nothing, d ~ 1/eps, until a contact opens.
constexpr double kMostEps = 1, kUsualEps = 1e-8, kLeastEps = 1e-12;
constexpr double kPlateauLow = 0.99, kPlateauHigh = 1.001;
constexpr int kHalvings = 10;
// A shortened step must lower |F| below the largest of the last few by this part of its length; a
// full one may stay on a plateau.
constexpr double kDecrease = 1e-4;

}  // namespace

template <class Space>
bool SemismoothNewton<Space>::prepare(const System& s) {
  system_ = &s;
  if (!rows_.prepare(s)) return false;
  compliance_ = compliance(s, rows_.space());
  mass_.resize(s.contacts() + s.joint_rows());
  for (Index i = 0; i < s.contacts(); ++i) mass_[i] = effective_mass(s, i);
  for (Index j = 0; j < s.joint_rows(); ++j) mass_[s.contacts() + j] = effective_joint_mass(s, j);
  return true;
}

template <class Space>
double SemismoothNewton<Space>::norm(const VectorXd& x, const VectorXd& y) const {
  const System& s = *system_;
  const Index m = s.contacts();
  double sum = 0;
  for (Index i = 0; i < m; ++i)
    sum += evaluate(function_, x.segment<3>(3 * i), y.segment<3>(3 * i), s.mu[i], mass_[i])
               .squaredNorm();
  for (Index j = 0; j < s.joint_rows(); ++j) {
    const Index row = 3 * m + j;
    const double r = mass_[m + j];
    const double f = (x[row] - std::clamp(x[row] - r * y[row], s.lower[j], s.upper[j])) / r;
    sum += f * f;
  }
  return std::sqrt(sum);
}

// G and f at x, and the factor.
template <class Space>
bool SemismoothNewton<Space>::factorize(double eps) {
  const System& s = *system_;
  const Index m = s.contacts();
  clear(s, G_);
  G_.symmetric = false;
  f_.resize(s.rows());
  for (Index i = 0; i < m; ++i) {
    const double r = mass_[i];
    const ContactFunction at =
        linearize(function_, x_.segment<3>(3 * i), y_.segment<3>(3 * i), s.mu[i], r);
    Matrix3d H = at.by_x + eps * at.by_u;
    H += r * at.by_u * compliance_.segment<3>(3 * i).asDiagonal();
    const Eigen::PartialPivLU<Matrix3d> lu(H);
    G_.contact[static_cast<std::size_t>(i)] = r * lu.solve(at.by_u);
    f_.segment<3>(3 * i) = -r * lu.solve(at.value);
  }
  for (Index j = 0; j < s.joint_rows(); ++j) {
    const Index row = 3 * m + j;
    const double r = mass_[m + j], z = x_[row] - r * y_[row];
    const double p = std::clamp(z, s.lower[j], s.upper[j]);
    const double h = p == z ? eps + r * compliance_[row] : 1;
    G_.joint[static_cast<std::size_t>(j)] = p == z ? r / h : 0;
    f_[row] = (p - x_[row]) / h;
  }
  return f_.allFinite() && rows_.factorize(G_);
}

// A step length along d at which |F| is low enough, 0 when there is none; x and y move there.
template <class Space>
double SemismoothNewton<Space>::line_search() {
  const double reference = *std::max_element(memory_.begin(), memory_.end());
  double a = 1;
  for (int h = 0; h < kHalvings; ++h, a *= 0.5) {
    trial_x_ = x_ + a * d_;
    trial_y_ = y_ + a * dy_;
    const double low_enough = h == 0 ? kPlateauHigh : 1 - kDecrease * a;
    if (!(norm(trial_x_, trial_y_) <= low_enough * reference)) continue;
    x_ = trial_x_;
    y_ = relative_velocity(*system_, x_);
    return a;
  }
  return 0;
}

template <class Space>
SemismoothEnd SemismoothNewton<Space>::run(const VectorXd& start, ConeFunction function, double eps,
                                           const SemismoothLimits& limits, Progress& progress) {
  function_ = function;
  x_ = start;
  y_ = relative_velocity(*system_, x_);
  double now = norm(x_, y_), mark = now;
  best_ = x_;
  best_norm_ = now;
  memory_.fill(now);
  long since_mark = 0;
  for (long k = 0; limits.iterations == 0 || k < limits.iterations; ++k) {
    double a = 0;
    while (a == 0) {
      progress.count(Work::factorization);
      const bool regular = factorize(eps);
      if (regular) {
        rows_.solve(f_, d_, dy_);
        dy_ += compliance_.cwiseProduct(d_);
        if (d_.allFinite()) a = line_search();
      }
      if (a > 0) break;
      if (eps >= kMostEps) return regular ? SemismoothEnd::stalled : SemismoothEnd::breakdown;
      eps = std::min(100 * eps, kMostEps);
    }
    const double before = now;
    now = norm(x_, y_);
    memory_[static_cast<std::size_t>(k) % memory_.size()] = now;
    const bool plateau = now > kPlateauLow * before && now < kPlateauHigh * before;
    if (a == 1) eps = std::max(0.1 * eps, plateau ? kLeastEps : std::min(eps, kUsualEps));
    if (a < 0.1) eps = std::min(10 * eps, kMostEps);
    if (now < best_norm_) {
      best_norm_ = now;
      best_ = x_;
    }
    if (!progress.next(x_)) return SemismoothEnd::finished;
    if (now < 0.5 * mark) {
      mark = now;
      since_mark = 0;
    } else if (limits.patience > 0 && ++since_mark >= limits.patience) {
      return SemismoothEnd::stalled;
    }
  }
  return SemismoothEnd::limit;
}

template class SemismoothNewton<BodyNewtonSpace>;
template class SemismoothNewton<ImpulseNewtonSpace>;

}  // namespace perpend
