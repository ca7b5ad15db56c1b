#include "solve/kit/prox_newton.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/boxes.hpp"
#include "support/shaken.hpp"
#include "support/solved.hpp"

namespace perpend {
namespace prox_newton_test {

// Runs the loop outside a registered solver, as ncp/auto does.
NewtonEnd run(const System& s, const NewtonLimits& limits, double tolerance,
              ProxNewton<BodyNewtonSpace>& newton) {
  const Options o = checks::within(tolerance);
  Progress progress(o, *solver_named("ncp/prox-newton"), VectorXd::Zero(s.rows()),
                    checks::velocity_judge(s));
  EXPECT_TRUE(newton.space().prepare(s));
  return newton.run(s, progress.start(), limits, progress);
}

TEST(ProxNewton, SaysHowItEnded) {
  const System s = assemble(boxes::shaken(boxes::wall(4, 4, 0.5), 0.5));
  ProxNewton<BodyNewtonSpace> newton;
  EXPECT_EQ(run(s, {}, 1e-10, newton), NewtonEnd::finished);
  EXPECT_LE(newton.best_residual(), 1e-10);
  EXPECT_EQ(run(s, {3, 100}, 1e-10, newton), NewtonEnd::limit);
  EXPECT_EQ(run(s, {0, 5}, 0, newton), NewtonEnd::stalled);  // beyond double precision
}

TEST(ProxNewton, BestIsTheResidualOfTheImpulsesItHolds) {
  const System s = assemble(boxes::shaken(boxes::wall(4, 4, 0.5), 0.5));
  ProxNewton<BodyNewtonSpace> newton;
  run(s, {7, 100}, 1e-10, newton);
  const double error = measure(s, newton.best(), Measure::velocity_error);
  EXPECT_NEAR(newton.best_residual(), error, 1e-9 * error);
}

// A factor for every iteration would be the Newton method of the textbook.
TEST(ProxNewton, StepsThatOnlyTurnDirectionsOfSlidingTakeTheSameFactor) {
  for (const double speed : {0.5, 1.0, 3.0}) {
    const System s = assemble(boxes::shaken(boxes::wall(4, 4, 0.5), speed));
    const Result r = solve(s, "ncp/prox-newton", checks::within(1e-10));
    ASSERT_EQ(r.status, Status::converged) << r.message;
    EXPECT_LT(r.work[static_cast<std::size_t>(Work::factorization)], r.iterations);
  }
}

// Factors that it takes from the answer of this problem to that of the same one pushed a little.
long factors_after_a_push(const System& s, double push, bool sorted) {
  const Result before = solve(s, "ncp/prox-newton", checks::within(1e-12));
  EXPECT_EQ(before.status, Status::converged) << before.message;
  System pushed = s;
  for (Index i = 0; i < s.rows(); ++i) pushed.b[i] += push * std::sin(3.0 * static_cast<double>(i));
  const Options o = checks::within(1e-10);
  Progress progress(o, *solver_named("ncp/prox-newton"), before.impulses,
                    checks::velocity_judge(pushed));
  ProxNewton<BodyNewtonSpace> newton;
  EXPECT_TRUE(newton.space().prepare(pushed));
  NewtonLimits limits;
  limits.sorted = sorted;
  EXPECT_EQ(newton.run(pushed, progress.start(), limits, progress), NewtonEnd::finished);
  return progress.take_result().work[static_cast<std::size_t>(Work::factorization)];
}

// Old impulses make velocities that say little about who slides now; the impulses themselves do.
TEST(ProxNewton, RowsThatBeginAsTheyWereAreSortedSooner) {
  long sorted = 0, anew = 0;
  for (const double speed : {0.02, 0.05, 0.1, 0.2, 0.5}) {
    const System s = assemble(boxes::shaken(boxes::wall(4, 4, 0.5), speed));
    sorted += factors_after_a_push(s, 1e-4, true);
    anew += factors_after_a_push(s, 1e-4, false);
  }
  EXPECT_LT(sorted, anew);
}

}  // namespace prox_newton_test
}  // namespace perpend
