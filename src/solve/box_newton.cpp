// box/newton: a nonsmooth Newton method on the Fischer-Burmeister equations of the box model
// (Silcowitz, Niebe, Erleben 2009).
//
//   Phi(lambda, y(lambda)) = 0, one equation per row (box_law.hpp), bounds of friction mu lambda_n
//   Newton: Phi + dPhi = 0 along dlambda;  line search on theta = 1/2 sum rho Phi^2
// With dlambda = -(P^-1 Phi + G dv) and M dv = J^T dlambda the step is found in body space,
//   (M + J^T G J) dv = -J^T P^-1 Phi,
// a sparse matrix of 6x6 blocks; where there are no bodies, in the explicit (1 + G A) dlambda =
// -P^-1 Phi (prox_newton.hpp has both spaces).
//
// [20] solves the Newton equation by an iterative method, which hides that it is singular: A is
// rank-deficient as soon as contacts are redundant. Here every step belongs to a proximal problem,
// y + (lambda - x)/(r rho) in place of y, whose matrix is regular; x follows when it is solved, and
// the penalty r grows while that is easy (proximal point, as in ncp/prox-newton). Where Newton's
// method comes to no end because the friction bounds turn the merit function into a landscape with
// local minima, sweeps of box/nncg go on from the best point for a while, and it is tried again.
// An iteration is a Newton step or a sweep.
#include <algorithm>
#include <cmath>

#include "measure/box_sweep.hpp"
#include "solve/kit/box_law.hpp"
#include "solve/kit/newton_space.hpp"
#include "solve/kit/nncg_step.hpp"
#include "solve/registry.hpp"

namespace perpend {
namespace {

constexpr double kColdPenalty = 10, kWarmPenalty = 1e5;
constexpr double kLowestPenalty = 1e-2, kHighestPenalty = 1e9;
constexpr double kInnerAccuracy = 0.1;  // of the residual: an inner problem is solved
constexpr int kInnerLimit = 60;
constexpr int kEasyInner = 6;         // steps within which an inner problem counts as easy
constexpr double kGoodGain = 10;      // of an outer step: the penalty may stay
constexpr double kTooMuchWorse = 20;  // growth of the residual that sends it back to the best
constexpr double kArmijo = 1e-4;
constexpr int kHalvings = 40;
constexpr double kKink = 1e-6;      // how near to a kink a step goes, as a part of itself
constexpr long kPatience = 200;     // Newton steps that may pass without halving the best residual
constexpr long kFirstSweeps = 200;  // after the first failure; twice as many each time

template <class Space>
class FischerNewton {
 public:
  bool prepare(const System& system) {
    system_ = &system;
    if (!space_.prepare(system)) return false;
    law_.prepare(system);
    return true;
  }

  void run(const BoxProblem&, Progress& progress) {
    progress_ = &progress;
    best_ = VectorXd::Zero(system_->rows());
    best_residual_ = residual_at(best_);
    const double cold = best_residual_;
    VectorXd start = progress_->start();
    law_.project(start);
    consider(start, residual_at(start));
    double r = kColdPenalty;
    if (best_residual_ < cold && best_residual_ > 0)
      r = std::clamp(kColdPenalty * cold / best_residual_, kColdPenalty, kWarmPenalty);
    for (long sweeps = kFirstSweeps;; sweeps *= 2) {
      law_.set_map(BoxLaw::Map::fischer);
      if (!newton(r)) break;
      law_.set_map(BoxLaw::Map::natural);
      if (!newton(kColdPenalty)) break;
      if (!sweep(sweeps)) break;
      r = kColdPenalty;
    }
    progress_->path(swept_ > 0 ? "newton and sweeps" : "newton");
  }

 private:
  enum class Inner { solved, failed, finished, stalled };

  double residual_at(const VectorXd& lambda) {
    space_.respond(lambda, w_);
    space_.velocity(w_, trial_v_);
    return law_.residual(lambda, trial_v_);
  }
  void consider(const VectorXd& lambda, double residual) {
    if (!(residual < best_residual_)) return;
    best_residual_ = residual;
    best_ = lambda;
  }
  void set(const VectorXd& lambda) {
    lambda_ = lambda;
    space_.respond(lambda_, w_);
    space_.velocity(w_, v_);
  }

  // False: Progress has ended it; true: it stalls.
  bool newton(double r) {
    set(best_);
    law_.centre(best_);
    double ceiling = kHighestPenalty, outer = best_residual_;
    mark_ = best_residual_;
    since_mark_ = 0;
    for (;;) {
      law_.penalize(r);
      const Inner end = inner();
      if (end == Inner::finished) return false;
      if (end == Inner::stalled) return true;
      if (end == Inner::failed) {
        ceiling = r / 3;
        r /= 10;
      }
      if (residual_ > kTooMuchWorse * best_residual_) {
        set(best_);
        law_.centre(best_);
        outer = best_residual_;
        if (end == Inner::solved) r /= 10;
      } else if (end == Inner::solved) {
        if (residual_ * kGoodGain > outer && inner_ <= kEasyInner) {
          r = std::max(r, std::min(10 * r, ceiling));
          ceiling = std::min(3 * ceiling, kHighestPenalty);
        }
        outer = residual_;
        law_.centre(z_);
      }
      if (r < kLowestPenalty) return true;
    }
  }

  // Newton's method on the present proximal problem.
  Inner inner() {
    law_.evaluate(lambda_, v_);
    for (inner_ = 0;;) {
      const double reference = law_.merit();
      law_.linearize(lambda_, v_);
      progress_->count(Work::factorization);
      if (!space_.factorize(law_.slopes())) return Inner::failed;
      space_.respond(law_.first(), w_);
      space_.step(w_, d_);
      if (!d_.allFinite()) return Inner::failed;
      space_.differential(d_, dv_);
      law_.step(dv_, dlambda_);
      // What dlambda really makes, whatever the factorization lost.
      space_.respond(dlambda_, d_);
      space_.differential(d_, dv_);
      const bool moved = shorten(reference);
      ++inner_;
      z_ = lambda_;
      law_.project(z_);
      residual_ = residual_at(z_);
      consider(z_, residual_);
      ++since_mark_;
      if (best_residual_ < 0.5 * mark_) {
        mark_ = best_residual_;
        since_mark_ = 0;
      }
      if (!progress_->next(z_, residual_)) return Inner::finished;
      if (since_mark_ >= kPatience) return Inner::stalled;
      if (law_.largest() <= kInnerAccuracy * residual_) return Inner::solved;
      if (!moved || inner_ >= kInnerLimit) return Inner::failed;
    }
  }

  // The first of alpha = 1, 1/2 ... that lowers theta, then the best of some between it and the one
  // before: where a contact is about to open or to slide, theta falls up to a kink and then rises
  // steeply. False and where it was when none lowers it.
  bool shorten(double reference) {
    const auto theta = [&](double alpha) {
      trial_ = lambda_ + alpha * dlambda_;
      trial_v_ = v_ + alpha * dv_;
      law_.evaluate(trial_, trial_v_);
      return law_.merit();
    };
    double alpha = 1, best = reference;
    for (int k = 0;; ++k, alpha *= 0.5) {
      if (k == kHalvings) {
        law_.evaluate(lambda_, v_);
        return false;
      }
      best = theta(alpha);
      if (best <= (1 - 2 * kArmijo * alpha) * reference) break;
    }
    if (alpha < 1)
      for (double low = alpha, high = 2 * alpha; high - low > kKink * alpha;) {
        const double middle = 0.5 * (low + high), value = theta(middle);
        if (value < best) {
          low = alpha = middle;
          best = value;
        } else {
          high = middle;
        }
      }
    set(lambda_ + alpha * dlambda_);
    law_.evaluate(lambda_, v_);
    return true;
  }

  // False: Progress has ended it.
  bool sweep(long count) {
    const VectorXd diagonal = row_diagonal(*system_);
    return with_state(*system_, [&](auto& state) {
      state.set(best_);
      NncgStep step(state);
      for (long k = 0; k < count; ++k) {
        box_sweep(*system_, diagonal, state, Bounds::newest);
        progress_->count(Work::sweep);
        ++swept_;
        consider(state.lambda(), residual_at(state.lambda()));
        if (!progress_->next(state.lambda(), best_residual_)) return false;
        if (step.advance([](const VectorXd& g) { return g.squaredNorm(); })) progress_->restarted();
      }
      return true;
    });
  }

  const System* system_ = nullptr;
  Progress* progress_ = nullptr;
  Space space_;
  BoxLaw law_;
  // lambda, v = b + J M^-1 J^T lambda; the step; lambda within its bounds.
  VectorXd lambda_, v_, w_, d_, dlambda_, dv_, trial_, trial_v_, z_;
  VectorXd best_;
  double best_residual_ = 0, residual_ = 0, mark_ = 0;
  long since_mark_ = 0, swept_ = 0;
  int inner_ = 0;
};

void run(const BoxProblem& problem, Progress& progress) {
  EitherSpace<FischerNewton>().run(problem, progress);
}

}  // namespace

SolverInfo box_newton() {
  return solver("box/newton",
                "nonsmooth Newton method on Fischer-Burmeister equations, friction as two bounds",
                "Silcowitz, Niebe, Erleben 2009; Billups 1995; Rockafellar 1976", run);
}

}  // namespace perpend
