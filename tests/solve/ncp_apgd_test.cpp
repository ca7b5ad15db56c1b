#include <gtest/gtest.h>

#include "perpend/solve.hpp"
#include "support/cone_checks.hpp"

namespace perpend {
namespace ncp_apgd_test {

using boxes::kGravity;
using cones::tight;
constexpr const char* kSolver = "ncp/apgd";

TEST(NcpApgd, SlidingBlockLosesMuGHOfItsSpeedAndIsNotLifted) {
  cones::expect_brakes_a_sliding_block(kSolver, tight(), 1e-9);
}

TEST(NcpApgd, WithAStaleDeSaxceTermItSolvesAnotherProblem) {
  // The belt drags the block at 1 m/s, which friction makes 1 - mu g h; the term of the start,
  // mu (1 m/s), held for all iterations, presses the block mu^2 g h into the belt.
  const double mu = 0.5;
  boxes::World w(0.01);
  const Index belt = w.fixed({0, 0, 0}, {1, 0, 0}), block = w.cube(1, 1, {0, 0, 0.5});
  w.face(belt, block, {0, 0, 0}, 1, mu);
  const System s = assemble(w.frame());
  Options o = tight();
  o.max_iterations = 900;
  EXPECT_EQ(solve(s, kSolver, o).status, Status::converged);
  o.set["period"] = "1000";
  const Result stale = solve(s, kSolver, o);
  EXPECT_EQ(stale.status, Status::iteration_limit);
  EXPECT_GT(stale.errors[Measure::velocity_error], 0.1 * mu * mu * kGravity * 0.01);
}

TEST(NcpApgd, JointRowsHoldPushAndGiveWay) {
  cones::expect_joint_rows_hold_push_and_give_way(kSolver);
}

TEST(NcpApgd, AgreesWithSweepsOnAWallThatIsThrownAboutWithoutFriction) {
  cones::expect_agrees_with_sweeps_without_friction(kSolver);
}

TEST(NcpApgd, NeedsFewerProductsThanSweepsOfGaussSeidelUnderAHeavyTop) {
  // Error after k steps falls with k sqrt(condition) instead of k condition (Nesterov 1983).
  const System s = assemble(boxes::column(4, 1, 100));
  Options o;
  o.max_iterations = 100000;
  const Result a = solve(s, kSolver, o), b = solve(s, "ncp/pgs", o);
  ASSERT_EQ(a.status, Status::converged) << a.message;
  EXPECT_LT(a.work[static_cast<std::size_t>(Work::product)],
            b.work[static_cast<std::size_t>(Work::sweep)]);
}

TEST(NcpApgd, AnswerDoesNotDependOnTheUnitOfMass) {
  cones::expect_same_answer_in_another_unit_of_mass(kSolver,
                                                    4096);  // square roots keep their mantissa
}

TEST(NcpApgd, EndsAtTheLimitWithTheBestIterateWhereItIsTooSlow) {
  const System s = assemble(boxes::column(5, 1, 1e5));
  Options o;
  o.max_iterations = 50;
  const Result r = solve(s, kSolver, o);
  EXPECT_EQ(r.status, Status::iteration_limit);
  EXPECT_EQ(r.iterations, 50);
  EXPECT_LE(r.errors[Measure::velocity_error],
            measure(s, Impulses::Zero(s.rows()), Measure::velocity_error));
}

}  // namespace ncp_apgd_test
}  // namespace perpend
