// box/nncg: nonsmooth nonlinear conjugate gradients over PGS sweeps (Silcowitz-Hansen et al. 2010,
// section 4), with restart whenever |PGS(lambda) - lambda| grows and without line search. The
// iterate that is judged is the one a sweep has just projected, because the extrapolated one,
// lambda^k of the paper, may leave the bounds. Progress::iterate() hears of that one.
//
// Option `precondition` (Silcowitz-Hansen et al. 2010, section 6, leaves it to future work):
//   diagonal   |g|^2 = sum A_ii g_i^2: the norm of rows scaled to a unit diagonal. Sweeps do not
//              change with the scaling, only beta and restarts do
//   island     beta and restart by island (island_step.hpp)
//   two-level  the map is a sweep after a coarse correction over aggregates of bodies
//              (coarse_correction.hpp). Where |PGS(x) - x| at the corrected x has grown against the
//              sweep before, the correction is taken back, a plain sweep takes its place, and no
//              correction is tried for as many sweeps as that has happened, doubled each time.
//              Without bodies (explicit blocks) it is `none`
#include <limits>

#include "solve/kit/box_sweeps.hpp"
#include "solve/kit/coarse_correction.hpp"
#include "solve/kit/island_step.hpp"
#include "solve/kit/nncg_step.hpp"
#include "solve/registry.hpp"

namespace perpend {
namespace {

template <class State>
class Nncg {
 public:
  Nncg(const System& system, State& state, Progress& progress)
      : system_(system), state_(state), progress_(progress), sweeps_(system, state, progress) {}

  template <class Norm2>
  void plain(const Norm2& norm2) {
    NncgStep step(state_);
    while (sweep()) {
      if (step.advance(norm2)) progress_.restarted();
      progress_.iterate(step.x());
    }
  }
  void scaled() {
    plain([&](const VectorXd& g) { return g.cwiseAbs2().dot(sweeps_.diagonal()); });
  }
  void by_island() {
    IslandStep step(state_, find_islands(system_));
    while (sweep()) {
      if (step.advance()) progress_.restarted();
      progress_.iterate(state_.lambda());
    }
  }
  void two_level(CoarseCorrection& coarse) {
    NncgStep step(state_);
    double before = std::numeric_limits<double>::infinity();
    long pause = 0, rejected = 1;
    for (;;) {
      const bool corrected = pause == 0;
      if (corrected)
        coarse.apply(state_);
      else
        --pause;
      if (!sweep()) return;
      if (corrected && change_ > before) {
        state_.set(VectorXd(step.x()));
        step.begin();
        progress_.restarted();
        progress_.iterate(step.x());
        rejected *= 2;
        pause = rejected;
        continue;
      }
      before = change_;
      if (step.advance([](const VectorXd& g) { return g.squaredNorm(); })) progress_.restarted();
      progress_.iterate(step.x());
    }
  }

 private:
  bool sweep() {
    change_ = sweeps_.sweep();
    return sweeps_.next();
  }

  const System& system_;
  State& state_;
  Progress& progress_;
  BoxSweeps<State> sweeps_;
  double change_ = 0;  // |PGS(x) - x|^2 of the last sweep
};

void run(const BoxProblem& problem, Progress& progress) {
  const System& system = problem.system();
  const std::string_view how = progress.choice("precondition");
  with_state(system, [&](auto& state) {
    Nncg nncg(system, state, progress);
    if (how == "diagonal") return nncg.scaled();
    if (how == "island") return nncg.by_island();
    if (how == "two-level")
      if (CoarseCorrection coarse(system); coarse.available()) return nncg.two_level(coarse);
    nncg.plain([](const VectorXd& g) { return g.squaredNorm(); });
  });
}

}  // namespace

SolverInfo box_nncg() {
  return solver(
      "box/nncg", "nonsmooth nonlinear conjugate gradients over PGS",
      "Silcowitz-Hansen, Niebe, Erleben 2010, section 4", run,
      {option_bounds(),
       {"precondition",
        "diagonal: scaled rows in the norm; island: each island restarts by itself; two-level: a "
        "coarse correction before every sweep",
        "none",
        {"none", "diagonal", "island", "two-level"}}});
}

}  // namespace perpend
