// ncp/nncg: nonlinear conjugate gradients (000, section 4) over block sweeps with the Coulomb cone.
//
//   y = sweep(x), g = y - x, beta = |g|^2/|g_prev|^2;  beta > 1: restart from y, p = 0;
//   else x = y + beta p, p = beta p + g
//
// Where we deviate from 000: the sweep is ncp/pgs', norms are those of the scaled problem D A D,
// the iterate that is judged is y (x is extrapolated and may leave the cone), and two local
// solvers take turns: where the exact Coulomb solve stagnates, the associated cone with a lagged de
// Saxce term often does not, and the other way round. Turns are counted in sweeps, not in seconds.
#include <string>

#include "solve/cone_sweep.hpp"
#include "solve/nncg_step.hpp"
#include "solve/registry.hpp"

namespace perpend {
namespace {

// A turn ends when this many sweeps did not halve the smallest residual seen in it. The patience
// grows with every change so that a slow but steady method gets its time.
constexpr long kPatience = 100;

class NcpNncg final : public Solver {
 public:
  void run(const Problem& problem, Progress& progress) override {
    const System& system = dynamic_cast<const ConeProblem&>(problem).system();
    with_state(system, [&](auto& state) { iterate(system, state, progress); });
  }

 private:
  template <class State>
  void iterate(const System& system, State& state, Progress& progress) {
    const bool take_turns = progress.choice("local") == "auto";
    Local local = progress.choice("local") == "associated" ? Local::associated : Local::coulomb;
    ConeSweep sweep(system);
    state.set(progress.start());
    NncgStep step(state);
    const auto norm2 = [&](const VectorXd& g) { return sweep.scaled_norm2(g); };

    VectorXd best = step.x();
    double best_residual = std::numeric_limits<double>::infinity(), mark = best_residual;
    long since_mark = 0, patience = kPatience, turns = 0;
    std::array<long, 2> sweeps{};

    for (;;) {
      const double residual = sweep(state, local);  // at x; the state becomes y
      progress.count(Work::sweep);
      ++sweeps[static_cast<std::size_t>(local)];
      if (residual < best_residual) {
        best_residual = residual;
        best = step.x();
      }
      if (!progress.next(state.lambda(), residual)) break;

      if (residual < 0.5 * mark) {
        mark = residual;
        since_mark = 0;
      } else if (take_turns && ++since_mark >= patience) {
        local = local == Local::coulomb ? Local::associated : Local::coulomb;
        ++turns;
        patience += patience / 2;
        since_mark = 0;
        mark = best_residual;
        state.set(best);
        step.begin();
        progress.restarted();
        continue;
      }
      if (step.advance(norm2)) progress.restarted();
    }
    progress.path(turns == 0 ? (local == Local::coulomb ? "nncg, coulomb" : "nncg, associated")
                             : "nncg, " + std::to_string(sweeps[0]) + " coulomb and " +
                                   std::to_string(sweeps[1]) + " associated sweeps in " +
                                   std::to_string(turns + 1) + " turns");
  }
};

}  // namespace

std::unique_ptr<Solver> make_ncp_nncg() { return std::make_unique<NcpNncg>(); }

}  // namespace perpend
