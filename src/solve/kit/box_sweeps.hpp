// Sweeps of the box model (measure/box_sweep.hpp) over a state that begins at the start of
// Progress, counted, with the friction bounds that the option `bounds` names.
#pragma once

#include "measure/box_sweep.hpp"
#include "perpend/solve.hpp"

namespace perpend {

template <class State>
class BoxSweeps {
 public:
  BoxSweeps(const System& system, State& state, Progress& progress)
      : system_(system),
        diagonal_(row_diagonal(system)),
        state_(state),
        bounds_(progress.choice("bounds") == "lagged" ? Bounds::lagged : Bounds::newest),
        progress_(progress) {
    state.set(progress.start());
  }

  const VectorXd& diagonal() const { return diagonal_; }

  // Returns |PGS(x) - x|^2.
  double sweep() {
    const double change = box_sweep(system_, diagonal_, state_, bounds_);
    progress_.count(Work::sweep);
    return change;
  }
  // False: stop.
  bool next() { return progress_.next(state_.lambda()); }

 private:
  const System& system_;
  const VectorXd diagonal_;
  State& state_;
  const Bounds bounds_;
  Progress& progress_;
};

}  // namespace perpend
