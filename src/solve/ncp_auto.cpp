// ncp/auto: Newton where it converges, sweeps where it does not, pivots where neither does.
//
// Joints alone, without bounds, are one linear system (bilateral_rows.hpp); where there is no
// friction, rows are sorted into held and free ones (frictionless_rows.hpp). Else
// prox-newton goes first, from the given start: at rest it ends after a step or two, and most
// problems in motion are also solved by it. Where it stalls, ncp/nncg sweeps from the best iterate
// so far, and what sweeps have reached is a new start for Newton. Where that stalls too, either no
// motion keeps gaps and joints (feasibility.hpp), which is proved and said, or the contacts must be
// sorted into open, sticking and sliding ones by trying: lcp/path pivots on a pyramid in place of
// the cone, which leads through where Newton's steps turn round, and Newton goes from the pyramid
// to the cone. Another pyramid has other corners, so several are tried, and sweeps between them.
// Turns are counted in steps, sweeps and pivots, never in seconds: the path depends on the problem
// alone. The best iterate by the exact error is returned, whoever found it.
#include <array>
#include <cstdio>
#include <string>

#include "measure/rounding.hpp"
#include "perpend/base.hpp"
#include "solve/kit/bilateral_rows.hpp"
#include "solve/kit/feasibility.hpp"
#include "solve/kit/frictionless_rows.hpp"
#include "solve/kit/nncg_loop.hpp"
#include "solve/kit/prox_newton.hpp"
#include "solve/registry.hpp"

namespace perpend {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Newton's first turn ends after this many steps without halving the residual, and sweeps get the
// time of about as many steps (a sweep costs a third of one). Later turns are for what is hard.
constexpr long kFirstPatience = 60, kPatience = 400, kSweeps = 200;
constexpr std::array<Index, 4> kFacets{6, 8, 12, 16};
// Pivots on a pyramid, for each of its unknowns; and contacts beyond which it is not tried.
constexpr long kPivots = 6;
constexpr Index kMostContacts = 400;
constexpr double kPyramidError = 1e-9;  // m/s, of its own problem

class NcpAuto {
 public:
  void run(const ConeProblem& problem, Progress& progress) {
    const System& system = problem.system();
    either_.with(system, [&](auto& newton) {
      std::string path;
      if (all_bilateral(system)) {
        progress.path(path = "linear");
        if (bilateral_.run(system, newton.space(), progress)) return;
      } else if (all_frictionless(system)) {
        progress.path(path = "active set");
        if (frictionless_.run(system, newton.space(), progress)) return;
      }
      take_turns(system, newton, std::move(path), progress);
    });
  }

 private:
  template <class Newton>
  static void take_turns(const System& system, Newton& newton, std::string path,
                         Progress& progress) {
    VectorXd best = progress.start(), from = best;
    double residual = kInfinity;
    const auto enter = [&](const std::string& method) {
      if (!path.empty()) path += " > ";
      path += method;
      progress.path(path);
    };
    const auto keep = [&](const VectorXd& x, double its_residual) {
      if (!(its_residual < residual)) return;
      residual = its_residual;
      best = x;
    };
    long sweeps = kSweeps;
    for (std::size_t turn = 0;; ++turn) {
      enter("prox-newton");
      const long patience = turn == 0 ? kFirstPatience : kPatience;
      const NewtonEnd end = newton.run(system, from, {0, patience}, progress);
      progress.offer(newton.best());
      if (end == NewtonEnd::finished) return;
      keep(newton.best(), newton.best_residual());
      if (rounded(system, best, residual, progress)) return;
      if (turn == 1 && excluded(system, newton, best, progress)) return;
      if (turn == 2 * kFacets.size()) break;
      if (turn % 2 == 1 && sortable(system)) {
        const Index facets = kFacets[turn / 2];
        enter(std::to_string(facets) + " facets");
        from = pyramid(system, facets, best, progress);
      } else {
        enter("nncg");
        const NncgOutcome swept = with_state(system, [&](auto& state) {
          return nncg(system, state, best, Local::coulomb, true, sweeps, progress);
        });
        keep(swept.best, swept.best_residual);
        from = best;
        sweeps *= 2;
      }
      if (progress.finished()) return;
    }
    progress.finish(Status::stalled, "neither Newton steps nor sweeps nor pivots go on");
  }

  static bool sortable(const System& s) {
    return s.contacts() > 0 && s.contacts() <= kMostContacts;
  }

  // No step can mend what the last bits of these impulses make.
  static bool rounded(const System& system, const VectorXd& best, double residual,
                      Progress& progress) {
    const double rounding = velocity_rounding(system, best, Sums::compensated).maxCoeff() +
                            kResidualRounding * system.b.lpNorm<Eigen::Infinity>();
    if (!(residual <= rounding)) return false;
    progress.finish(Status::stalled, "what is left, " + short_number(residual) +
                                         " m/s, is within rounding, " + short_number(rounding));
    return true;
  }

  template <class Newton>
  static bool excluded(const System& system, Newton& newton, const VectorXd& best,
                       Progress& progress) {
    const double least = least_error(system, newton.space(), best, progress);
    if (progress.finished()) return true;
    if (!(least > progress.tolerance())) return false;
    progress.finish(Status::infeasible, "no motion keeps these gaps and joints: at least " +
                                            short_number(least) +
                                            " m/s are left whatever the impulses");
    return true;
  }

  // Impulses of the pyramid's problem, as far as pivots get.
  static VectorXd pyramid(const System& system, Index facets, const VectorXd& best,
                          Progress& progress) {
    Options o;
    o.tolerance = kPyramidError;
    o.facets = facets;
    o.max_iterations = kPivots * (facets + 2) * static_cast<long>(system.contacts());
    o.memory_limit = progress.memory_limit();
    o.measure_all = false;
    o.observer = [&](const Iteration&) {
      progress.count(Work::pivot);
      return progress.next(best, kInfinity);
    };
    const Result r = solve(system, "lcp/path", o);
    progress.count(Work::factorization, r.work[static_cast<std::size_t>(Work::factorization)]);
    return r.impulses;
  }

  EitherSpace<ProxNewton> either_;
  BilateralRows bilateral_;
  FrictionlessRows frictionless_;
};

}  // namespace

SolverInfo ncp_auto() {
  return solver<ConeProblem, NcpAuto>(
      "ncp/auto",
      "prox-newton where it converges, nncg, pivots on pyramids and prox-newton in turns where it "
      "does not",
      "docs/solvers.md");
}

}  // namespace perpend
