// ncp/auto: Newton where it converges, sweeps where it does not.
//
// prox-newton goes first, from the given start: at rest it ends after a step or two, and most
// problems in motion are also solved by it. Where it stalls, ncp/nncg sweeps from the best iterate
// so far, and what sweeps have reached is a new start for Newton; the turns grow until one of them
// converges, Progress ends it, or a whole round has gained nothing. Turns are counted in steps and
// sweeps, never in seconds: the path depends on the problem alone. The best iterate by the exact
// error is returned, whoever found it.
#include <string>

#include "solve/nncg_loop.hpp"
#include "solve/prox_newton.hpp"
#include "solve/registry.hpp"

namespace perpend {
namespace {

// Newton's first turn ends after this many steps without halving the residual, and sweeps get the
// time of about as many steps (a sweep costs a third of one).
constexpr long kPatience = 60, kSweeps = 200;
// A round that does not bring the residual below this part of what it was has gained nothing.
constexpr double kGain = 0.5;
constexpr int kIdleRounds = 3;

class NcpAuto final : public Solver {
 public:
  void run(const Problem& problem, Progress& progress) override {
    const System& system = dynamic_cast<const ConeProblem&>(problem).system();
    if (bodies_.space().prepare(system)) {
      take_turns(system, bodies_, progress);
    } else {
      impulses_.space().prepare(system);
      take_turns(system, impulses_, progress);
    }
  }

 private:
  template <class Newton>
  static void take_turns(const System& system, Newton& newton, Progress& progress) {
    VectorXd best = progress.start();
    double residual = std::numeric_limits<double>::infinity();
    long patience = kPatience, sweeps = kSweeps;
    std::string path;
    const auto enter = [&](const char* method) {
      path += (path.empty() ? "" : " > ") + std::string(method);
      progress.path(path);
    };
    for (int idle = 0; idle < kIdleRounds; ++idle) {
      const double before = residual;
      enter("prox-newton");
      const NewtonEnd end = newton.run(system, best, {0, patience}, progress);
      progress.offer(newton.best());
      if (end == NewtonEnd::finished) return;
      if (newton.best_residual() < residual) {
        residual = newton.best_residual();
        best = newton.best();
      }
      enter("nncg");
      const NncgOutcome swept = with_state(system, [&](auto& state) {
        return nncg(system, state, best, Local::coulomb, true, sweeps, progress);
      });
      if (progress.finished()) return;
      if (swept.best_residual < residual) {
        residual = swept.best_residual;
        best = swept.best;
      }
      if (residual < kGain * before) idle = -1;
      patience += patience / 2;
      sweeps *= 2;
    }
    progress.finish(Status::stalled, "neither Newton steps nor sweeps lower the residual");
  }

  ProxNewton<BodyNewtonSpace> bodies_;
  ProxNewton<ImpulseNewtonSpace> impulses_;
};

}  // namespace

SolverInfo ncp_auto() {
  return {
      "ncp/auto",
      "prox-newton where it converges, nncg and prox-newton in turns where it does not",
      "docs/solvers.md",
      true,
      {},
      make<NcpAuto>,
  };
}

}  // namespace perpend
