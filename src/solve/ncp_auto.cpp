// ncp/auto: one of five regimes, and turns of other methods where it does not reach.
//
// - Simple problems: joints alone, without bounds, are one linear system (bilateral_rows.hpp);
//   where there is no friction, rows are sorted into held and free ones (frictionless_rows.hpp).
// - Near the answer (the error of the start is below 1e-2 of the largest free velocity, as at
//   rest), or where nothing moves before the step: prox-newton from the start, a step or two. Each
//   row begins as open, sticking or sliding as it was: a pile that one rolling ball moves on by
//   1e-7 m/s is lost in wrong guesses otherwise. With explicit A sweeps are quicker there, too.
// - Else sweeps of ncp/nncg, as long as they converge so fast that they are the cheapest way: by
//   the rate so far they must reach the tolerance in the work of 20 factorizations. For single
//   bodies, with explicit A and on large islands that is often so.
// - Else, where A is explicit, ADMM for a third of the work of what follows (worth_in_admm).
// - Else the interior point, and prox-newton from its best point (inside_then_newton.hpp).
//
// A problem that falls into parts is solved part by part once the first sweeps over all of it were
// not enough: each part ends where it is solved and goes through these regimes by itself.
//
// Where that stalls too, either no motion keeps gaps and joints (feasibility.hpp), which is proved
// and said, or the contacts must be sorted into open, sticking and sliding ones by trying: lcp/path
// pivots on a pyramid in place of the cone, which leads through where Newton's steps turn round,
// and Newton goes from the pyramid to the cone. Another pyramid has other corners, so several are
// tried, and sweeps between them. Work is counted in steps, sweeps and pivots, never in seconds:
// the path depends on the problem alone. The best iterate by the exact error is returned, whoever
// found it.
#include <array>
#include <cstdio>
#include <numeric>
#include <string>

#include "measure/rounding.hpp"
#include "perpend/base.hpp"
#include "solve/kit/admm.hpp"
#include "solve/kit/bilateral_rows.hpp"
#include "solve/kit/block_nncg.hpp"
#include "solve/kit/feasibility.hpp"
#include "solve/kit/frictionless_rows.hpp"
#include "solve/kit/inside_then_newton.hpp"
#include "solve/kit/nncg_loop.hpp"
#include "solve/kit/part_solve.hpp"
#include "solve/registry.hpp"

namespace perpend {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Of the largest free velocity, so that no unit is preferred: from the start, and after sweeps,
// which leave no row as it was.
constexpr double kNear = 1e-2, kNearSwept = 1e-3;
// Newton steps without halving the residual: from near, once that has come far, from a cold start
// at rest, at last.
constexpr long kNearPatience = 6, kLatePatience = 100, kRestPatience = 60, kPatience = 400;
constexpr double kWorth = 20;  // factorizations that sweeps are worth
constexpr long kSweeps = 200;  // between pyramids, doubled each time
constexpr std::array<Index, 4> kFacets{6, 8, 12, 16};
// Pivots on a pyramid, for each of its unknowns. A pyramid takes 18 to 33 for each contact: beyond
// kFewContacts sweeps and Newton come first, once more, and beyond kMostContacts it is not tried.
constexpr long kPivots = 6;
constexpr Index kFewContacts = 60, kMostContacts = 400;
constexpr double kPyramidError = 1e-9;  // m/s, of its own problem

// What an explicit A of so many contacts is worth in sweeps: one factorization is 15 and one for
// each contact, measured.
double worth_in_sweeps(Index contacts) { return kWorth * (15 + static_cast<double>(contacts)); }

// The same in iterations of ADMM, each two solves with a factor: a third of what the interior point
// and Newton need, 27 factorizations of n/3 = m iterations each. Changes of its penalty make its
// errors go up and down, so that half of them are done before the first verdict.
double worth_in_admm(Index contacts) { return std::max(200.0, 9 * static_cast<double>(contacts)); }

// Nothing moves before the step.
bool at_rest(const System& s) {
  return s.dynamics && s.dynamics->velocity.size() > 0 && s.dynamics->velocity.isZero(0);
}

void sweep(const System& system, Turns& turns, long sweeps, Pace* pace = nullptr) {
  turns.enter("nncg");
  const NncgOutcome swept = with_swept_state(system, turns.progress().executor(), [&](auto& state) {
    return nncg(system, state, turns.best(), Local::coulomb, true, sweeps, turns.progress(), pace);
  });
  turns.keep(swept.best, swept.best_residual);
}

// The turns that need a space of Newton's.
template <class Space>
class SpaceTurns {
 public:
  // False when the system has no such space.
  bool prepare(const System& s) { return newton_.prepare(s); }
  double sweeps_per_factorization() { return newton_.space().sweeps_per_factorization(); }

  // Of a problem that is linear or without friction; false when another method must go on.
  bool simple(const System& system, std::string& path, Progress& progress) {
    const bool linear = all_bilateral(system);
    progress.path(path = linear ? "linear" : "active set");
    return linear ? bilateral_.run(system, newton_.space(), progress)
                  : frictionless_.run(system, newton_.space(), progress);
  }

  void from_near(const System& system, long patience, Turns& turns) {
    newton_turn(system, newton_, {0, patience, 0, true, kLatePatience}, turns);
  }

  void from_far(const ConeProblem& problem, const VectorXd& start, Turns& turns) {
    const System& system = problem.system();
    if (turns.residual() < kNearSwept * free_speed(system)) {
      newton_turn(system, newton_, {0, kNearPatience, kInsidePenalty}, turns);
      if (turns.progress().finished()) return;
    }
    inside_then_newton(problem, system, newton_, interior_, false, turns);
    if (!turns.progress().finished()) take_turns(system, start, turns);
  }

 private:
  // From the start again: what is hard is often reached only by moving far at the same residual,
  // and the best point of the interior point is a dead end then.
  void take_turns(const System& system, const VectorXd& start, Turns& turns) {
    Progress& progress = turns.progress();
    turns.begin_again(start, kInfinity);
    VectorXd from = start;
    long sweeps = kSweeps;
    std::size_t pyramids = 0;
    for (std::size_t turn = 0;; ++turn) {
      turns.enter("prox-newton");
      newton_.run(system, from, {0, turn == 0 ? kRestPatience : kPatience}, progress);
      progress.offer(newton_.best());
      if (progress.finished()) return;
      turns.keep(newton_.best(), newton_.best_residual());
      if (rounded(system, turns.best(), turns.residual(), progress)) return;
      if (turn == 1 && excluded(system, newton_, turns.best(), progress)) return;
      if (turn == 2 * kFacets.size()) break;
      if (turn % 2 == 1 && sortable(system) && (turn > 1 || system.contacts() <= kFewContacts)) {
        const Index facets = kFacets[pyramids++];
        turns.enter(std::to_string(facets) + " facets");
        from = pyramid(system, facets, turns.best(), progress);
      } else {
        sweep(system, turns, sweeps);
        from = turns.best();
        sweeps *= 2;
      }
      if (progress.finished()) return;
    }
    progress.finish(Status::stalled, "Newton steps, sweeps and pivots make no more progress");
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
    progress.finish(Status::stalled, "the error that is left, " + short_number(residual) +
                                         " m/s, is within rounding, " + short_number(rounding));
    return true;
  }

  static bool excluded(const System& system, ProxNewton<Space>& newton, const VectorXd& best,
                       Progress& progress) {
    const double least = least_error(system, newton.space(), best, progress);
    if (progress.finished()) return true;
    if (!(least > progress.tolerance())) return false;
    progress.finish(Status::infeasible, "no velocities satisfy all gaps and joints: an error of " +
                                            short_number(least) + " m/s remains with any impulses");
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

  ProxNewton<Space> newton_;  // its space is the interior point's as well
  InteriorPoint<Space> interior_;
  BilateralRows bilateral_;
  FrictionlessRows frictionless_;
};

class NcpAuto {
 public:
  void run(const ConeProblem& problem, Progress& progress) {
    const System& system = problem.system();
    if (std::holds_alternative<Blocks>(system.A) && system.joint_rows() == 0 &&
        !all_frictionless(system))
      return blocks(problem, progress);
    bodies(problem, progress);
  }

 private:
  // Sweeps over all of them, and other methods for those where sweeps are slow.
  void blocks(const ConeProblem& problem, Progress& progress) {
    const System& system = problem.system();
    progress.path("nncg");
    VectorXd lambda = progress.start();
    if (!lambda.isZero(0)) {  // a warm start may be worse than none
      const VectorXd zero = VectorXd::Zero(system.rows());
      if (problem.own_error(zero) < problem.own_error(lambda)) lambda = zero;
    }
    BlockNncg nncg(system, worth_in_sweeps, progress);
    nncg.run(lambda);
    if (progress.finished()) return;
    if (nncg.parts().count() > 1) {
      lambda = nncg.lambda();
      return by_parts(problem, nncg.parts(), nncg.slow(), lambda, progress,
                      [this](const ConeProblem& p, Progress& inner) {
                        Turns turns(inner.start(), p.own_error(inner.start()), inner);
                        without_sweeps(p, VectorXd::Zero(p.size()), turns);
                      });
    }
    Turns turns(nncg.lambda(), problem.own_error(nncg.lambda()), progress, "nncg");
    without_sweeps(problem, lambda, turns);
  }

  // These parts, which sweeps did not solve, each as a problem of its own.
  void by_parts(const ConeProblem& problem, const Parts& parts,
                const std::vector<std::size_t>& these, VectorXd& lambda, Progress& progress,
                const PartSolves::Run& how) {
    const System& system = problem.system();
    PartSolves solve_part(system, progress);
    Result worst;
    worst.status = Status::converged;
    const auto rank = [](const Result& r) {
      return r.status == Status::converged ? 0 : r.status == Status::infeasible ? 2 : 1;
    };
    for (const std::size_t k : these) {
      Result r = solve_part(parts[k], lambda, how);
      if (progress.finished()) return;
      if (rank(r) > rank(worst) || (rank(r) == rank(worst) && r.iterations > worst.iterations))
        worst = std::move(r);
    }
    const std::string path = std::to_string(parts.count()) + " parts: nncg" +
                             (worst.path.empty() ? "" : " > " + worst.path);
    progress.path(path);
    if (!progress.next(lambda)) return;
    if (rank(worst) > 0) return progress.finish(worst.status, worst.message);
    // Each part meets the tolerance by velocity_error and the whole does not: another measure is
    // asked for, or rounding hides too much.
    Turns turns(lambda, problem.own_error(lambda), progress, path);
    without_sweeps(problem, lambda, turns);
  }

  void bodies(const ConeProblem& problem, Progress& progress) {
    const System& system = problem.system();
    std::string path;
    bool answered = false;
    if (all_bilateral(system) || all_frictionless(system))
      either_.with(system, [&](auto& newton) { answered = newton.simple(system, path, progress); });
    if (answered || progress.finished()) return;
    const std::optional<double> known = progress.start_own_error();
    Turns turns(progress.start(), known ? *known : problem.own_error(progress.start()), progress,
                path);
    const VectorXd zero = VectorXd::Zero(system.rows());
    turns.keep(zero, problem.own_error(zero));  // a warm start may be worse than none
    const VectorXd start = turns.best();
    const bool near = turns.residual() < kNear * free_speed(system);
    if (near || at_rest(system))
      either_.with(system, [&](auto& newton) {
        newton.from_near(system, near ? kNearPatience : kRestPatience, turns);
      });
    if (progress.finished()) return;
    Pace pace(progress.tolerance(), [&] {
      double sweeps = ImpulseNewtonSpace::sweeps_per_factorization(system);
      if (std::holds_alternative<BodySpace>(system.A))
        either_.with(system, [&](auto& newton) { sweeps = newton.sweeps_per_factorization(); });
      return kWorth * sweeps;
    });
    sweep(system, turns, 0, &pace);
    if (progress.finished()) return;
    const Parts parts = parts_of(system);
    if (parts.count() == 1) return without_sweeps(problem, start, turns);
    std::vector<std::size_t> all(parts.count());
    std::iota(all.begin(), all.end(), std::size_t{0});
    VectorXd lambda = turns.best();
    by_parts(problem, parts, all, lambda, progress,
             [this](const ConeProblem& p, Progress& inner) { bodies(p, inner); });
  }

  void without_sweeps(const ConeProblem& problem, const VectorXd& start, Turns& turns) {
    const System& system = problem.system();
    if (std::holds_alternative<Blocks>(system.A)) {
      const double worth = worth_in_admm(system.contacts());
      Pace pace(
          turns.progress().tolerance(), [worth] { return worth; },
          static_cast<std::size_t>(worth / 2));
      turns.enter("admm");
      admm_.run(system, turns.best(), {}, turns.progress(), &pace);
      if (turns.progress().finished()) return;
      turns.progress().offer(admm_.best());
      turns.keep(admm_.best(), problem.own_error(admm_.best()));
    }
    either_.with(system, [&](auto& newton) { newton.from_far(problem, start, turns); });
  }

  EitherSpace<SpaceTurns> either_;
  Admm admm_;
};

}  // namespace

SolverInfo ncp_auto() {
  return solver<ConeProblem, NcpAuto>(
      "ncp/auto",
      "prox-newton near the answer, nncg while it is fast, else interior point and prox-newton; "
      "pivots on pyramids if these stall",
      "docs/solvers.md");
}

}  // namespace perpend
