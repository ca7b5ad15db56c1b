// ncp/interior-point: a primal-dual interior point method over second-order cones, finished by a
// proximal Newton method.
//
// The equations are in interior_point.hpp. From an error below 1e-4 of the largest free velocity,
// after 30 steps or where steps become short, prox-newton goes on from the best point
// (prox_newton.hpp): the central path ends slowly where complementarity is not strict, Newton's
// method does not. Where both end short of the tolerance the interior point starts once more,
// deeper inside the cones and with shorter aims; then sweeps and prox-newton take turns. `path`
// names what was done.
#include <algorithm>

#include "solve/kit/inside_then_newton.hpp"
#include "solve/kit/nncg_loop.hpp"
#include "solve/registry.hpp"

namespace perpend {
namespace {

constexpr long kSweeps = 200;         // of the first turn; they double
constexpr long kPolishPatience = 60;  // Newton steps without halving the residual

template <class Space>
class NcpInteriorPoint {
 public:
  // False when the system has no such space.
  bool prepare(const System& s) { return newton_.prepare(s); }

  void run(const ConeProblem& problem, Progress& progress) {
    const System& s = problem.system();
    Turns turns(progress.start(), problem.own_error(progress.start()), progress);
    const bool lagged = progress.choice("saxce") == "lagged";
    long left = static_cast<long>(progress.number("polish"));
    if (left == 0) return bare(problem, lagged, turns);
    inside_then_newton(problem, s, newton_, interior_, lagged, turns);
    for (long sweeps = kSweeps; left > 0 && !progress.finished(); sweeps *= 2) {
      sweeps = std::min(sweeps, left);
      left -= sweeps;
      turns.enter("nncg");
      const NncgOutcome swept = with_swept_state(s, progress.executor(), [&](auto& state) {
        return nncg(s, state, turns.best(), Local::coulomb, true, sweeps, progress);
      });
      if (progress.finished()) return;
      turns.keep(swept.best, swept.best_residual);
      newton_turn(s, newton_, {0, kPolishPatience}, turns);
    }
    progress.finish(Status::stalled,
                    "steps became short or gained nothing, polishing did not reach the tolerance");
  }

 private:
  void bare(const ConeProblem& problem, bool lagged, Turns& turns) {
    InteriorLimits how;
    how.lagged = lagged;
    turns.enter("interior-point");
    interior_.run(problem, problem.system(), newton_.space(), turns.best(), how, turns.progress());
    turns.progress().finish(Status::stalled, "steps became short or gained nothing");
  }

  ProxNewton<Space> newton_;  // its space is the interior point's as well
  InteriorPoint<Space> interior_;
};

}  // namespace

SolverInfo ncp_interior_point() {
  return solver<ConeProblem, EitherSpace<NcpInteriorPoint>>(
      "ncp/interior-point",
      "interior point over second-order cones, Nesterov-Todd scaling, finished by prox-newton",
      "Nesterov, Todd 1997; Mehrotra 1992; de Saxce, Feng 1998",
      {{"saxce",
        "the term mu |u_T|: in the Newton matrix, or lagged by an iteration",
        "monolithic",
        {"monolithic", "lagged"}},
       {"polish",
        "most NNCG sweeps after the interior point; 0: no polishing at all",
        "3000",
        {},
        0,
        1e7}});
}

}  // namespace perpend
