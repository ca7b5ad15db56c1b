// The loop of ncp/nncg (ncp_nncg.cpp has its equations), for solvers that use it as a part.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "perpend/solve.hpp"
#include "solve/kit/cone_sweep.hpp"
#include "solve/kit/nncg_step.hpp"
#include "solve/kit/wide_sweep.hpp"

namespace perpend {

// A wide sweep takes the step on its way.
template <>
class NncgStep<WideSweep> {
 public:
  explicit NncgStep(WideSweep& state) : state_(state) {}
  const VectorXd& x() const { return state_.x(); }
  void begin() {}
  bool advance() { return state_.advance(); }

 private:
  WideSweep& state_;
};

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

// Sweeps that will not reach the tolerance soon are given up: by the rate of the last half of them,
// so many more are needed, and all of them together must not be more than are worth it.
class Pace {
 public:
  // `worth` is asked once, before the first verdict, after so many sweeps.
  Pace(double tolerance, std::function<double()> worth, std::size_t first = kFirst)
      : tolerance_(tolerance), first_(first), ask_(std::move(worth)) {}

  // After a sweep: true when it does not pay to go on.
  bool lost(double residual) {
    best_.push_back(best_.empty() ? residual : std::min(best_.back(), residual));
    const std::size_t last = best_.size() - 1, half = last / 2;
    if (last < first_) return false;
    if (last == first_) worth_ = ask_();
    if (static_cast<double>(last) >= worth_) return true;
    const double gained = std::log(best_[half] / best_[last]) / static_cast<double>(last - half);
    return !(std::log(best_[last] / tolerance_) <= gained * (worth_ - static_cast<double>(last)));
  }

 private:
  static constexpr std::size_t kFirst = 4;  // sweeps before the first verdict
  double tolerance_, worth_ = 0;
  std::size_t first_;
  std::function<double()> ask_;
  std::vector<double> best_;  // smallest residual after each sweep
};

// After a sweep. A wide sweep keeps the iterate of lowest energy itself where nobody wants to see
// each: to put one into a vector takes as long as a sweep.
inline bool next(WideSweep& state, double residual, Progress& progress) {
  const double energy = state.energy();
  if (!progress.energy_decides(residual, energy))
    return progress.next(state.lambda(), residual, energy);
  state.keep_lowest(energy);
  return progress.next_unseen();
}
template <class State>
bool next(State& state, double residual, Progress& progress) {
  return progress.next(state.lambda(), residual);
}

// From `start`, until Progress ends it, after `limit` sweeps (0: no limit of its own), or where the
// pace is lost. `keep`: the best x, which few sweeps without turns do without.
template <class State>
NncgOutcome nncg(const System& system, State& state, const VectorXd& start, Local local,
                 bool take_turns, long limit, Progress& progress, Pace* pace = nullptr,
                 bool keep = true) {
  SweepOver<State> sweep(system);
  state.set(start);
  NncgStep<State> step(state);
  if constexpr (std::is_same_v<State, WideSweep>)
    if (&start == &progress.start() &&
        progress.energy_decides(std::numeric_limits<double>::infinity(), state.energy())) {
      state.keep_lowest(state.energy());
      progress.start_is_offered();
    }

  NncgOutcome out;
  if (keep) out.best = step.x();
  double mark = out.best_residual;
  long since_mark = 0, patience = kNncgPatience;
  for (long k = 0; limit == 0 || k < limit; ++k) {
    const double residual = sweep(state, local);  // at x; the state becomes y
    progress.count(Work::sweep);
    if (progress.wants_iterates()) progress.iterate(step.x());
    ++out.sweeps[static_cast<std::size_t>(local)];
    if (residual < out.best_residual) {
      out.best_residual = residual;
      if (keep) out.best = step.x();
    }
    if (!next(state, residual, progress)) break;
    if (pace && pace->lost(residual)) break;

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
    bool restarted;
    if constexpr (std::is_same_v<State, WideSweep>)
      restarted = step.advance();
    else
      restarted = step.advance([&](const VectorXd& g) { return sweep.scaled_norm2(g); });
    if (restarted) progress.restarted();
  }
  out.last = local;
  if constexpr (std::is_same_v<State, WideSweep>)
    if (state.kept()) progress.offer(state.kept_lambda(), state.kept_energy());
  return out;
}

}  // namespace perpend
