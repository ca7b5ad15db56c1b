// ncp/nncg: nonlinear conjugate gradients (Silcowitz-Hansen et al. 2010, section 4) over block
// sweeps with the Coulomb cone.
//
//   y = sweep(x), g = y - x, beta = |g|^2/|g_prev|^2;  beta > 1: restart from y, p = 0;
//   else x = y + beta p, p = beta p + g
//
// Where we deviate from the paper: the sweep is ncp/pgs', norms are those of the scaled problem D A
// D, the iterate that is judged is y (x is extrapolated and may leave the cone), and two local
// solvers take turns: where the exact Coulomb solve stagnates, the associated cone with a lagged de
// Saxce term often does not, and the other way round. Turns are counted in sweeps, not in seconds.
#include "solve/kit/nncg_loop.hpp"
#include "solve/registry.hpp"

namespace perpend {
namespace {

void run(const ConeProblem& problem, Progress& progress) {
  const System& system = problem.system();
  const Local first = progress.choice("local") == "associated" ? Local::associated : Local::coulomb;
  const bool take_turns = progress.choice("local") == "auto";
  const NncgOutcome out = with_swept_state(system, progress.executor(), [&](auto& state) {
    return nncg(system, state, progress.start(), first, take_turns, 0, progress);
  });
  progress.path(out.turns == 0 ? (out.last == Local::coulomb ? "nncg, coulomb" : "nncg, associated")
                               : "nncg, " + std::to_string(out.sweeps[0]) + " coulomb and " +
                                     std::to_string(out.sweeps[1]) + " associated sweeps in " +
                                     std::to_string(out.turns + 1) + " turns");
}

}  // namespace

SolverInfo ncp_nncg() {
  return solver("ncp/nncg",
                "nonlinear conjugate gradients over block-cone sweeps, two local solvers",
                "Silcowitz-Hansen, Niebe, Erleben 2010, section 4, over block sweeps", run,
                {{"local",
                  "local solver: exact Coulomb, associated cone with lagged de Saxce term, or both "
                  "in turn when one stagnates",
                  "auto",
                  {"auto", "coulomb", "associated"}}});
}

}  // namespace perpend
