// ncp/pgs: block Gauss-Seidel over contacts with an exact local solve of Coulomb's law (Lu et al.
// 2013, Table 2, NCP row). lambda_i <- the x of contact i with the others held; joints row by row.
#include "solve/kit/wide_sweep.hpp"
#include "solve/registry.hpp"

namespace perpend {
namespace {

void run(const ConeProblem& problem, Progress& progress) {
  const System& system = problem.system();
  with_swept_state(system, progress.executor(), [&](auto& state) {
    SweepOver<std::decay_t<decltype(state)>> sweep(system);
    state.set(progress.start());
    double estimate;
    do {
      estimate = sweep(state, Local::coulomb);
      progress.count(Work::sweep);
    } while (progress.next(state.lambda(), estimate, known_energy(state)));
  });
}

}  // namespace

SolverInfo ncp_pgs() {
  return solver("ncp/pgs", "block Gauss-Seidel with an exact local Coulomb solve",
                "Lu et al. 2013, Table 2", run);
}

}  // namespace perpend
