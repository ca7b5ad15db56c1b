// The two loops of the proximal Newton method (prox_newton.hpp), the same over both spaces.
#include "solve/kit/prox_newton.hpp"

#include <algorithm>
#include <cmath>

#include "solve/kit/line_search.hpp"

namespace perpend {
namespace {

constexpr double kColdPenalty = 10, kWarmPenalty = 1e5;
constexpr double kLowestPenalty = 1e-2, kHighestPenalty = 1e9;
// An inner problem is solved when its defect is this part of the outer residual.
constexpr double kInnerAccuracy = 0.1;
constexpr int kInnerLimit = 25;
constexpr int kEasyInner = 6;     // steps within which an inner problem counts as easy
constexpr double kGoodGain = 10;  // of an outer step: the penalty may stay
// Growth of the residual in one outer step that sends it back to the centre, and over all of them
// that sends it back to the best point.
constexpr double kTooMuchWorse = 20, kLost = 1000;
constexpr double kMuchLess = 1e-2;  // of the residual of the start
constexpr double kRest = 1e-3;      // m/s: below this the two laws hardly differ
constexpr double kArmijo = 0.01;
// Fall of the square of the defect in a step, below which the next one takes the same factor.
constexpr double kQuickFall = 0.1;
constexpr double kFactorless = 0.25;  // what a step without a factor of its own counts as
constexpr int kHalvings = 5;

}  // namespace

template <class Space>
void ProxNewton<Space>::consider(const VectorXd& impulses, double residual) {
  if (!(residual < best_residual_)) return;
  best_residual_ = residual;
  best_ = impulses;
  best_speed_ = cone_.speed();
}

// Zero or the given impulses, whichever is better; returns the penalty to begin with. It is the
// larger the better the start: far from the answer a stiff penalty hides it behind kinks.
template <class Space>
double ProxNewton<Space>::begin(const System& system, const VectorXd& start, bool sorted) {
  cone_.prepare(system);
  const auto judge = [&](const VectorXd& impulses) {
    space_.respond(impulses, w_p_);
    space_.velocity(w_p_, u_p_);
    return cone_.residual(impulses, u_p_);
  };
  best_.setZero(system.rows());
  const double cold = cone_.residual(best_, system.b);
  best_residual_ = cold;
  best_speed_ = cone_.speed();
  const bool given = start.lpNorm<Eigen::Infinity>() > 0;
  if (given) consider(start, judge(start));
  const bool warm = best_residual_ < cold;
  const bool slides = warm && sliding(best_, best_speed_) > kRest;
  cone_.set_law(slides ? ProxCone::Law::coulomb : ProxCone::Law::associated);
  cone_.centre(best_, best_speed_);
  restart_at_centre();
  if (sorted && warm && cone_.sort_by_centre()) {
    cone_.set_law(ProxCone::Law::coulomb);
    predict_ = true;
  }
  residual_ = mark_ = first_ = best_residual_;
  steps_ = 0;
  since_mark_ = 0;
  fall_ = 1;
  borrowed_ = false;
  if (!warm) return kColdPenalty;
  return std::clamp(kColdPenalty * cold / best_residual_, kColdPenalty, kWarmPenalty);
}

// The fastest sliding of a contact that pushes.
template <class Space>
double ProxNewton<Space>::sliding(const VectorXd& impulses, const VectorXd& speed) const {
  double fastest = 0;
  for (Index i = 0; i < speed.size(); ++i)
    if (impulses[3 * i] > 0) fastest = std::max(fastest, speed[i]);
  return fastest;
}

// Not at the best point: where rows contradict each other a little (four contacts under a box that
// overlap by different depths), impulses move far at the same residual before one of the contacts
// opens or slides, and that motion is the progress.
template <class Space>
void ProxNewton<Space>::restart_at_centre() {
  space_.respond(cone_.centre(), w_);
  space_.velocity(w_, u_);
  predict_ = false;
}

template <class Space>
void ProxNewton<Space>::evaluate() {
  if (cone_.project(u_)) factor_is_current_ = false;
  if (cone_.regrouped()) factor_is_close_ = false;
  space_.respond(cone_.p(), w_p_);
}

// d, du for the defect w - w_p at the present derivative, or at one that is close.
template <class Space>
bool ProxNewton<Space>::direction(Progress& progress) {
  if (!factor_is_current_ && !(factor_is_close_ && fall_ < kQuickFall)) {
    cone_.linearize();
    progress.count(Work::factorization);
    if (!space_.factorize(cone_.slopes())) return false;
    factor_is_current_ = factor_is_close_ = factor_is_new_ = true;
  }
  e_ = w_ - w_p_;
  space_.step(e_, d_);
  if (!d_.allFinite()) return false;
  space_.differential(d_, du_);
  return true;
}

// After the centre has moved, by the old kinds of contact: with x moved by r u and u not yet
// changed, a projection would count the same motion twice and mistake sticking for sliding.
template <class Space>
bool ProxNewton<Space>::predict(Progress& progress) {
  cone_.extrapolate(u_, p_);
  space_.respond(p_, w_p_);
  if (!direction(progress)) return false;
  w_ += d_;
  u_ += du_;
  return true;
}

// The slope along d is weight.(w + a d) - du.p(a).
template <class Space>
double ProxNewton<Space>::line_search() const {
  const double at_start = weight_.dot(w_), growth = weight_.dot(d_);
  return convex_line_search(
      [&](double a) { return at_start + a * growth - cone_.along(u_, du_, a); });
}

template <class Space>
bool ProxNewton<Space>::convex_step(Progress& progress) {
  if (!direction(progress)) return false;
  space_.weigh(d_, du_, weight_);
  const double a = line_search();
  w_ += a * d_;
  u_ += a * du_;
  evaluate();
  return true;
}

// Halves the step until the square of the defect falls; the last trial stays.
template <class Space>
bool ProxNewton<Space>::shorten(double reference, int trials) {
  double a = 1;
  for (int k = 0; k < trials; ++k, a *= 0.5) {
    w_ = w_0_ + a * d_;
    u_ = u_0_ + a * du_;
    evaluate();
    e_ = w_ - w_p_;
    const double now = space_.norm2(e_);
    if (now > (1 - kArmijo * a) * reference) continue;
    fall_ = reference > 0 ? now / reference : 1;
    return true;
  }
  return false;
}

template <class Space>
bool ProxNewton<Space>::coulomb_step(Progress& progress) {
  w_0_ = w_;
  u_0_ = u_;
  if (!direction(progress)) return false;
  const double reference = space_.norm2(e_);
  borrowed_ = !factor_is_current_;
  fall_ = 1;
  if (shorten(reference, borrowed_ ? 1 : kHalvings)) return true;
  if (!borrowed_) return false;
  borrowed_ = false;
  w_ = w_0_;
  u_ = u_0_;
  evaluate();
  return direction(progress) && shorten(reference, kHalvings);
}

template <class Space>
typename ProxNewton<Space>::Inner ProxNewton<Space>::solve_inner(const NewtonLimits& limits,
                                                                 Progress& progress) {
  inner_ = predict_ && predict(progress) ? 1 : 0;
  predict_ = false;
  evaluate();
  for (;; ++inner_) {
    space_.velocity(w_p_, u_p_);
    residual_ = cone_.residual(cone_.p(), u_p_);
    consider(cone_.p(), residual_);
    if (inner_ > 0) {
      ++steps_;
      since_mark_ += factor_is_new_ ? 1 : kFactorless;
      factor_is_new_ = false;
      const bool refinement = borrowed_;  // of the step before, not an iteration of its own
      borrowed_ = false;
      if (best_residual_ < 0.5 * mark_) {
        mark_ = best_residual_;
        since_mark_ = 0;
      }
      if (!(refinement && residual_ > progress.tolerance()) && !progress.next(cone_.p(), residual_))
        return Inner::finished;
      if (limits.iterations > 0 && steps_ >= limits.iterations) return Inner::limit;
      const bool late = limits.late_patience > 0 && best_residual_ < kMuchLess * first_;
      if (since_mark_ >= static_cast<double>(late ? limits.late_patience : limits.patience))
        return Inner::stalled;
      if ((u_ - u_p_).template lpNorm<Eigen::Infinity>() <= kInnerAccuracy * residual_)
        return Inner::solved;
      if (inner_ >= kInnerLimit) return Inner::failed;
    }
    const bool moved =
        cone_.law() == ProxCone::Law::coulomb ? coulomb_step(progress) : convex_step(progress);
    if (!moved) return Inner::failed;
  }
}

template <class Space>
NewtonEnd ProxNewton<Space>::run(const System& system, const VectorXd& start,
                                 const NewtonLimits& limits, Progress& progress) {
  double rho = begin(system, start, limits.sorted);
  if (limits.penalty > 0) rho = limits.penalty;
  double ceiling = kHighestPenalty;  // of the penalty, after one has failed
  double outer_residual = residual_;
  for (;;) {
    cone_.penalize(rho);
    factor_is_current_ = factor_is_close_ = false;
    for (double used = rho; rho == used;) {
      const Inner end = solve_inner(limits, progress);
      if (end == Inner::finished) return NewtonEnd::finished;
      if (end == Inner::limit) return NewtonEnd::limit;
      if (end == Inner::stalled) return NewtonEnd::stalled;
      const bool solved = end == Inner::solved;
      if (!solved) {
        ceiling = rho /= 3;
      }
      if (residual_ > std::min(kTooMuchWorse * outer_residual, kLost * best_residual_)) {
        if (outer_residual > 0.1 * kLost * best_residual_) {
          cone_.centre(best_, best_speed_);
          outer_residual = best_residual_;
        }
        restart_at_centre();
        if (solved) rho /= 10;
      } else if (solved) {
        if (residual_ * kGoodGain > outer_residual && inner_ <= kEasyInner) {
          rho = std::max(rho, std::min(10 * rho, ceiling));
          ceiling = std::min(3 * ceiling, kHighestPenalty);
        }
        outer_residual = residual_;
        cone_.centre(cone_.p(), cone_.speed());
        predict_ = cone_.law() == ProxCone::Law::coulomb;
      }
      if (rho < kLowestPenalty) return steps_ > 0 ? NewtonEnd::stalled : NewtonEnd::breakdown;
      if (cone_.law() == ProxCone::Law::associated) {
        const double now = sliding(cone_.p(), cone_.speed());
        if (solved && (now < kRest || now < residual_)) continue;  // it comes to rest
        cone_.set_law(ProxCone::Law::coulomb);
        factor_is_current_ = factor_is_close_ = false;
      }
    }
  }
}

template class ProxNewton<BodyNewtonSpace>;
template class ProxNewton<ImpulseNewtonSpace>;

}  // namespace perpend
