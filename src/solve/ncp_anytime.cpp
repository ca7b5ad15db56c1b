// ncp/anytime: the best answer for a given number of sweeps' worth of work.
//
// How many factorizations the work pays is known before the first one, from the fill of the factor
// (newton_space.hpp) and the price of a sweep (effort.hpp). By that:
// - near the answer (the error of the start is below 1e-2 of the largest free velocity), or where
//   nothing moves before the step: prox-newton from the start. It is quadratic there, so it may
//   take more than its part, as a debt: three to eight factorizations where a quarter of one is
//   paid, and eighty times the work from rest, which is once.
// - else, where five factorizations or more are paid: the interior point, which is better after
//   every step, and prox-newton from its best point with what is left. Up to eight steps are taken
//   as a debt of four times the work (option `debt`): an impact that is not solved is paid in many
//   steps after it. For the same reason what comes near is finished.
// - else sweeps of ncp/nncg.
// Two-sided rows (motors, joints with friction) are swept where the start is far: a few steps of
// the interior point lead nowhere on them.
#include <algorithm>
#include <cmath>

#include "perpend/base.hpp"
#include "solve/effort.hpp"
#include "solve/kit/inside_then_newton.hpp"
#include "solve/kit/nncg_loop.hpp"
#include "solve/registry.hpp"

namespace perpend {
namespace {

constexpr double kNear = 1e-2;      // of the largest free velocity
constexpr double kNearPaid = 0.25;  // of a factorization
constexpr double kNearDebt = 16, kRestDebt = 80;
constexpr long kNearLeast = 3, kNearMost = 8, kNearPatience = 6, kRestPatience = 60;
constexpr long kWorthInside = 5;  // factorizations
// Of them inside the cones: as a debt, and where more are paid.
constexpr long kInsideLeast = 8, kInsideMost = 15;
constexpr double kLeastCost = 3;  // sweeps that a factorization without fill costs

bool at_rest(const System& s) {
  return s.dynamics && s.dynamics->velocity.size() > 0 && s.dynamics->velocity.isZero(0);
}

bool two_sided(const System& s) {
  for (Index r = 0; r < s.joint_rows(); ++r)
    if (std::isfinite(s.lower[r]) && std::isfinite(s.upper[r]) && s.lower[r] < s.upper[r])
      return true;
  return false;
}

// What is done with factorizations.
template <class Space>
class Factorizations {
 public:
  // False when the system has no such space.
  bool prepare(const System& s) { return newton_.prepare(s); }

  // Of those that the sweeps pay; false: none was made.
  bool from_near(const System& system, double sweeps, bool rest, Turns& turns) {
    const double cost = price(system);
    if (!rest && sweeps < kNearPaid * cost) return false;
    const double paid = (rest ? kRestDebt : kNearDebt) * sweeps / cost;
    if (rest && paid < kNearLeast) return false;
    NewtonLimits limits{0, rest ? kRestPatience : kNearPatience};
    limits.iterations =
        rest ? std::lround(paid) : std::clamp(std::lround(paid), kNearLeast, kNearMost);
    newton_turn(system, newton_, limits, turns);
    return true;
  }

  bool from_far(const Problem& problem, const System& system, double sweeps, double debt,
                Turns& turns) {
    const double cost = price(system);
    const long paid = std::max(static_cast<long>(sweeps / cost),
                               std::min(kInsideLeast, static_cast<long>(debt * sweeps / cost)));
    if (paid < kWorthInside) return false;
    InteriorLimits inside;
    inside.steps = std::clamp(2 * paid / 3, std::min(paid, kInsideLeast), kInsideMost);
    inside.enough = kInsideEnough * free_speed(system);
    turns.enter("interior-point");
    const VectorXd start = turns.best();
    const double before = turns.progress().sweeps();
    interior_.run(problem, system, newton_.space(), start, inside, turns.progress());
    if (turns.progress().finished()) return true;
    turns.keep(interior_.best(), interior_.best_error());
    auto left = static_cast<long>((sweeps - (turns.progress().sweeps() - before)) / cost);
    if (turns.residual() < kNear * free_speed(system)) left = std::max(left, kNearMost);
    if (left > 0) newton_turn(system, newton_, {left, kInsidePatience, kInsidePenalty}, turns);
    return true;
  }

  // Without a limit.
  void all(const Problem& problem, const System& system, Turns& turns) {
    inside_then_newton(problem, system, newton_, interior_, false, turns);
  }

 private:
  // Of a factorization, in sweeps.
  double price(const System& system) {
    return newton_.space().sweeps_per_factorization() / sweep_price(system);
  }

  ProxNewton<Space> newton_;  // its space is the interior point's as well
  InteriorPoint<Space> interior_;
};

class NcpAnytime {
 public:
  void run(const ConeProblem& problem, Progress& progress) {
    const System& system = problem.system();
    const double sweeps = progress.number("sweeps"), debt = progress.number("debt");
    const VectorXd& start = progress.start();
    Turns turns(start, problem.own_error(start), progress);
    if (sweep_price(system) == 1) {  // a warm start may be worse than none
      const VectorXd zero = VectorXd::Zero(system.rows());
      turns.keep(zero, problem.own_error(zero));
    }
    const bool near = turns.residual() < kNear * free_speed(system), rest = at_rest(system);
    if (sweeps == 0) {
      either_.with(system, [&](auto& method) { method.all(problem, system, turns); });
      sweep(system, turns.best(), 0, turns);
      return;
    }
    // The fill is asked for only where factorizations could be paid.
    bool factorized = false;
    if (near || rest)
      either_.with(system, [&](auto& method) {
        factorized = method.from_near(system, sweeps, !near, turns);
      });
    else if (sweeps >= kWorthInside * kLeastCost &&
             debt * sweeps >= kWorthInside * kLeastCost / sweep_price(system) && !two_sided(system))
      either_.with(system, [&](auto& method) {
        factorized = method.from_far(problem, system, sweeps, debt, turns);
      });
    if (!factorized) sweep(system, start, std::max(1L, std::lround(std::floor(sweeps))), turns);
    progress.finish(Status::iteration_limit, "effort of " + short_number(sweeps) + " sweeps: " +
                                                 short_number(progress.sweeps()) + " taken");
  }

 private:
  static void sweep(const System& system, const VectorXd& from, long most, Turns& turns) {
    if (turns.progress().finished()) return;
    turns.enter("nncg");
    with_swept_state(system, turns.progress().executor(), [&](auto& state) {
      const bool keep = most == 0 || most > kNncgPatience;
      nncg(system, state, from, Local::coulomb, true, most, turns.progress(), nullptr, keep);
    });
  }

  EitherSpace<Factorizations> either_;
};

}  // namespace

SolverInfo ncp_anytime() {
  return solver<ConeProblem, NcpAnytime>(
      "ncp/anytime",
      "the best answer for given work: prox-newton near it, else interior point or nncg",
      "docs/solvers.md",
      {{"sweeps",
        "work allowed, in sweeps over all contacts; 0: until the tolerance is met",
        "0",
        {},
        0,
        1e12},
       {"debt",
        "far from the answer, the interior point may do this many times that work",
        "4",
        {},
        1,
        1e12}});
}

}  // namespace perpend
