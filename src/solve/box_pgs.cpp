// box/pgs: projected Gauss-Seidel on the box model (000, eq. 17 with B = D + L, C = -U).
#include "measure/box_sweep.hpp"
#include "solve/registry.hpp"

namespace perpend {
namespace {

void run(const BoxProblem& problem, Progress& progress) {
  const System& system = problem.system();
  const Bounds bounds = progress.choice("bounds") == "lagged" ? Bounds::lagged : Bounds::newest;
  const VectorXd diagonal = row_diagonal(system);
  with_state(system, [&](auto& state) {
    state.set(progress.start());
    do {
      box_sweep(system, diagonal, state, bounds);
      progress.count(Work::sweep);
    } while (progress.next(state.lambda()));
  });
}

}  // namespace

SolverInfo box_pgs() {
  return solver("box/pgs", "projected Gauss-Seidel, friction as two bounds",
                "Silcowitz-Hansen, Niebe, Erleben 2010, eq. 17", run, {option_bounds()});
}

}  // namespace perpend
