// box/nncg-pr: box/nncg with the beta of Polak and Ribiere in place of Fletcher and Reeves'
// (Silcowitz-Hansen et al. 2010, section 4, names it as a variant).
//
//   beta = g.(g - g_prev)/|g_prev|^2,   g = PGS(x) - x
// It restarts, as box/nncg does, when |g| grows. With a line search the two forms are the same on a
// quadratic function, because successive gradients are then orthogonal. Here there is none, and the
// steps of slow sweeps are nearly parallel, which makes this beta nearly zero: docs/solvers.md has
// the numbers. The iterate that is judged is the one a sweep has just projected.
#include "solve/kit/box_sweeps.hpp"
#include "solve/kit/nncg_step.hpp"
#include "solve/registry.hpp"

namespace perpend {
namespace {

void run(const BoxProblem& problem, Progress& progress) {
  with_state(problem.system(), [&](auto& state) {
    BoxSweeps sweeps(problem.system(), state, progress);
    NncgStep step(state);
    for (;;) {
      sweeps.sweep();
      if (!sweeps.next()) return;
      if (step.advance_polak_ribiere([](const VectorXd& g, const VectorXd& h) { return g.dot(h); }))
        progress.restarted();
      progress.iterate(step.x());
    }
  });
}

}  // namespace

SolverInfo box_nncg_pr() {
  return solver("box/nncg-pr",
                "nonsmooth nonlinear conjugate gradients over PGS, Polak-Ribiere form",
                "Silcowitz-Hansen, Niebe, Erleben 2010, section 4", run, {option_bounds()});
}

}  // namespace perpend
