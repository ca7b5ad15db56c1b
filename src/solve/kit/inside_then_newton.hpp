// From a far start to the answer: the interior point to a small error, the proximal Newton method
// from there; once more from deeper inside the cones where that was not enough.
//
// Counted over recorded frames of tumbling piles, logs, ragdolls and a hose: 10 to 20 steps of the
// interior point and 5 to 10 of Newton's in the median, whatever the start.
#pragma once

#include "solve/kit/interior_point.hpp"
#include "solve/kit/prox_newton.hpp"
#include "solve/kit/turns.hpp"

namespace perpend {

// Where Newton takes over, of the largest free velocity.
inline constexpr double kInsideEnough = 1e-4;
inline constexpr long kInsideSteps = 30, kInsidePatience = 150;
inline constexpr double kInsideDeeper = 10;  // times the lift of the first start
// Newton's penalty from there. A stiffer one throws the first step back behind kinks.
inline constexpr double kInsidePenalty = 30;

// The largest relative velocity where nothing pushes: the scale of a problem, m/s.
inline double free_speed(const System& s) { return s.b.lpNorm<Eigen::Infinity>(); }

// A turn of Newton's from the best point.
template <class Space>
NewtonEnd newton_turn(const System& system, ProxNewton<Space>& newton, const NewtonLimits& limits,
                      Turns& turns) {
  turns.enter("prox-newton");
  const NewtonEnd end = newton.run(system, turns.best(), limits, turns.progress());
  turns.progress().offer(newton.best());
  turns.keep(newton.best(), newton.best_residual());
  return end;
}

// Progress is finished, or the best point in `turns` is as far as both methods came.
template <class Space>
void inside_then_newton(const Problem& problem, const System& system, ProxNewton<Space>& newton,
                        InteriorPoint<Space>& interior, bool lagged, Turns& turns) {
  InteriorLimits how;
  how.steps = kInsideSteps;
  how.enough = kInsideEnough * free_speed(system);
  how.lagged = lagged;
  const VectorXd start = turns.best();
  for (const bool again : {false, true}) {
    if (again) {
      how.lift = kInsideDeeper;
      how.careful = true;
      how.steps = 2 * kInsideSteps;
    }
    turns.enter("interior-point");
    interior.run(problem, system, newton.space(), start, how, turns.progress());
    if (turns.progress().finished()) return;
    turns.keep(interior.best(), interior.best_error());
    newton_turn(system, newton, {0, kInsidePatience, kInsidePenalty}, turns);
    if (turns.progress().finished()) return;
  }
}

}  // namespace perpend
