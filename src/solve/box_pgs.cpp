// box/pgs: projected Gauss-Seidel on the box model (Silcowitz-Hansen et al. 2010, eq. 17 with B = D
// + L, C = -U).
#include "solve/kit/box_sweeps.hpp"
#include "solve/registry.hpp"

namespace perpend {
namespace {

void run(const BoxProblem& problem, Progress& progress) {
  with_state(problem.system(), [&](auto& state) {
    BoxSweeps sweeps(problem.system(), state, progress);
    do sweeps.sweep();
    while (sweeps.next());
  });
}

}  // namespace

SolverInfo box_pgs() {
  return solver("box/pgs", "projected Gauss-Seidel, friction as two bounds",
                "Silcowitz-Hansen, Niebe, Erleben 2010, eq. 17", run, {option_bounds()});
}

}  // namespace perpend
