// box/nncg: nonsmooth nonlinear conjugate gradients over PGS sweeps (000, section 4), with restart
// whenever |PGS(lambda) - lambda| grows and without line search. The iterate that is judged is the
// one a sweep has just projected, because the extrapolated one may leave the bounds.
#include "measure/box_sweep.hpp"
#include "solve/nncg_step.hpp"
#include "solve/registry.hpp"

namespace perpend {
namespace {

class BoxNncg final : public Solver {
 public:
  void run(const Problem& problem, Progress& progress) override {
    const System& system = dynamic_cast<const BoxProblem&>(problem).system();
    const Bounds bounds = progress.choice("bounds") == "lagged" ? Bounds::lagged : Bounds::newest;
    const VectorXd diagonal = row_diagonal(system);
    with_state(system, [&](auto& state) {
      state.set(progress.start());
      NncgStep step(state);
      for (;;) {
        box_sweep(system, diagonal, state, bounds);
        progress.count(Work::sweep);
        if (!progress.next(state.lambda())) break;
        if (step.advance([](const VectorXd& g) { return g.squaredNorm(); })) progress.restarted();
      }
    });
  }
};

}  // namespace

SolverInfo box_nncg() {
  return {
      "box/nncg",
      "nonsmooth nonlinear conjugate gradients over PGS",
      "Silcowitz-Hansen, Niebe, Erleben 2010, section 4",
      true,
      {option_bounds()},
      make<BoxNncg>,
  };
}

}  // namespace perpend
