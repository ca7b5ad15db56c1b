// The loop of ncp/nncg (ncp_nncg.cpp has its equations), for solvers that use it as a part.
#pragma once

#include <array>
#include <limits>
#include <string>

#include "perpend/solve.hpp"
#include "solve/kit/cone_sweep.hpp"
#include "solve/kit/nncg_step.hpp"

namespace perpend {

// A turn of one local solver ends when this many sweeps did not halve the smallest residual seen in
// it. The patience grows with every change so that a slow but steady method gets its time.
inline constexpr long kNncgPatience = 100;

struct NncgOutcome {
  VectorXd best;  // x with the smallest residual
  double best_residual = std::numeric_limits<double>::infinity();
  std::array<long, 2> sweeps{};  // by Local
  long turns = 0;
  Local last = Local::coulomb;
};

// From `start`, until Progress ends it or after `limit` sweeps (0: no limit of its own).
template <class State>
NncgOutcome nncg(const System& system, State& state, const VectorXd& start, Local local,
                 bool take_turns, long limit, Progress& progress) {
  ConeSweep sweep(system);
  state.set(start);
  NncgStep step(state);
  const auto norm2 = [&](const VectorXd& g) { return sweep.scaled_norm2(g); };

  NncgOutcome out;
  out.best = step.x();
  double mark = out.best_residual;
  long since_mark = 0, patience = kNncgPatience;
  for (long k = 0; limit == 0 || k < limit; ++k) {
    const double residual = sweep(state, local);  // at x; the state becomes y
    progress.count(Work::sweep);
    ++out.sweeps[static_cast<std::size_t>(local)];
    if (residual < out.best_residual) {
      out.best_residual = residual;
      out.best = step.x();
    }
    if (!progress.next(state.lambda(), residual)) break;

    if (residual < 0.5 * mark) {
      mark = residual;
      since_mark = 0;
    } else if (take_turns && ++since_mark >= patience) {
      local = local == Local::coulomb ? Local::associated : Local::coulomb;
      ++out.turns;
      patience += patience / 2;
      since_mark = 0;
      mark = out.best_residual;
      state.set(out.best);
      step.begin();
      progress.restarted();
      continue;
    }
    if (step.advance(norm2)) progress.restarted();
  }
  out.last = local;
  return out;
}

}  // namespace perpend
