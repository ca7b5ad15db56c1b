// The two loops of the proximal Newton method (prox_newton.hpp), the same over both spaces.
#include "solve/prox_newton.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace perpend {
namespace {

constexpr double kColdPenalty = 10, kWarmPenalty = 1e5;
constexpr double kLowestPenalty = 1e-2, kHighestPenalty = 1e9;
// An inner problem is solved when its defect is this part of the outer residual.
constexpr double kInnerAccuracy = 0.1;
constexpr int kInnerLimit = 25;
constexpr int kEasyInner = 6;         // steps within which an inner problem counts as easy
constexpr double kGoodGain = 10;      // of an outer step: the penalty may stay
constexpr double kTooMuchWorse = 20;  // growth of the residual that sends it back to the best

}  // namespace

template <class Space>
double ProxNewton<Space>::judge(const VectorXd& impulses) {
  space_.respond(impulses, w_p_);
  space_.velocity(w_p_, u_p_);
  return cone_.residual(impulses, u_p_);
}

// The zero of the slope along d: weight.(w + a d) - du.p(a), which grows with a. Bracketed; full
// steps are tried first and taken when they halve the slope.
template <class Space>
double ProxNewton<Space>::line_search() const {
  const double at_start = weight_.dot(w_), growth = weight_.dot(d_);
  const auto slope = [&](double a) { return at_start + a * growth - cone_.along(u_, du_, a); };
  const double first = slope(0);
  if (!(first < 0)) return 1;  // rounding: the step is as good as done
  double low = 0, high = 1, at_low = first, at_high = slope(1);
  for (int k = 0; k < 4 && at_high < 0.5 * first; ++k) {
    low = high;
    at_low = at_high;
    high *= 2;
    at_high = slope(high);
  }
  if (std::abs(at_high) <= -0.5 * first) return high;
  for (int k = 0; k < 30; ++k) {
    // Regula falsi, kept off the ends.
    double a = low + (high - low) * at_low / (at_low - at_high);
    a = std::clamp(a, low + 0.05 * (high - low), high - 0.05 * (high - low));
    const double at_a = slope(a);
    if (std::abs(at_a) <= -0.1 * first) return a;
    if (at_a < 0) {
      low = a;
      at_low = at_a;
    } else {
      high = a;
      at_high = at_a;
    }
  }
  return 0.5 * (low + high);
}

template <class Space>
NewtonEnd ProxNewton<Space>::run(const System& system, const VectorXd& start,
                                 const NewtonLimits& limits, Progress& progress) {
  cone_.prepare(system);
  bool warm = start.lpNorm<Eigen::Infinity>() > 0;
  best_ = VectorXd::Zero(system.rows());
  best_residual_ = judge(best_);
  best_speed_ = cone_.speed;
  if (warm) {
    // An old solution may be worse than none.
    const double residual = judge(start);
    warm = residual < best_residual_;
    if (warm) {
      best_ = start;
      best_residual_ = residual;
      best_speed_ = cone_.speed;
    }
  }
  double rho = warm ? kWarmPenalty : kColdPenalty;
  const auto restart_at_best = [&] {
    cone_.x = best_;
    cone_.lift_speed = best_speed_;
    space_.respond(best_, w_);
    space_.velocity(w_, u_);
  };
  restart_at_best();

  double outer_residual = best_residual_, mark = best_residual_;
  long steps = 0, since_mark = 0;
  bool factor_is_current = false;
  for (;;) {
    cone_.penalize(rho);
    int inner = 0;
    bool solved = false;
    double residual = outer_residual;
    for (;; ++inner) {
      if (cone_.project(u_)) factor_is_current = false;
      residual = judge(cone_.p);
      const double defect = (u_ - u_p_).lpNorm<Eigen::Infinity>();
      if (residual < best_residual_) {
        best_residual_ = residual;
        best_ = cone_.p;
        best_speed_ = cone_.speed;
      }
      if (inner > 0) {
        ++steps;
        if (best_residual_ < 0.5 * mark) {
          mark = best_residual_;
          since_mark = 0;
        } else {
          ++since_mark;
        }
        if (!progress.next(cone_.p, residual)) return NewtonEnd::finished;
        if (limits.iterations > 0 && steps >= limits.iterations) return NewtonEnd::limit;
        if (since_mark >= limits.patience) return NewtonEnd::stalled;
        solved = defect <= kInnerAccuracy * residual;
        if (solved || inner >= kInnerLimit) break;
      }
      if (!factor_is_current) {
        progress.count(Work::factorization);
        if (!space_.factorize(cone_)) break;
        factor_is_current = true;
      }
      e_ = w_ - w_p_;
      space_.step(cone_, e_, d_);
      if (!d_.allFinite()) break;
      space_.differential(d_, du_);
      space_.weigh(d_, du_, weight_);
      const double a = line_search();
      w_ += a * d_;
      u_ += a * du_;
    }
    const double old_rho = rho;
    if (!solved) {
      rho /= 10;
      if (rho < kLowestPenalty) return NewtonEnd::breakdown;
    }
    if (residual > kTooMuchWorse * best_residual_) {
      restart_at_best();
      outer_residual = best_residual_;
      if (solved) rho /= 10;
      if (rho < kLowestPenalty) return NewtonEnd::stalled;
    } else if (solved) {
      if (residual * kGoodGain > outer_residual && inner <= kEasyInner)
        rho = std::min(10 * rho, kHighestPenalty);
      outer_residual = residual;
      cone_.x = cone_.p;
      cone_.lift_speed = cone_.speed;
    }
    if (rho != old_rho) factor_is_current = false;
  }
}

template class ProxNewton<BodyNewtonSpace>;
template class ProxNewton<ImpulseNewtonSpace>;

}  // namespace perpend
