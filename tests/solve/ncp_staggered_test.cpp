#include <gtest/gtest.h>

#include "perpend/solve.hpp"
#include "support/cone_checks.hpp"

namespace perpend {
namespace ncp_staggered_test {

using cones::tight;
constexpr const char* kSolver = "ncp/staggered";

TEST(NcpStaggered, SlidingBlockLosesMuGHOfItsSpeedAndIsNotLifted) {
  cones::expect_brakes_a_sliding_block(kSolver, tight(), 1e-9);
}

TEST(NcpStaggered, WithoutFrictionOneTurnIsEnough) {
  const System s = assemble(boxes::shaken(boxes::wall(3, 3, 0.0), 0.1));
  const Result r = solve(s, kSolver, tight());
  ASSERT_EQ(r.status, Status::converged) << r.message;
  // The first turn is solved to a hundredth of the error of the start; a few make ten digits.
  EXPECT_LE(r.iterations, 60);
  checks::expect_same_motion(s, r, solve(s, "ncp/nncg", tight()), 1e-8);
}

TEST(NcpStaggered, AColumnThatStandsNeedsNoFrictionAndFewTurns) {
  // Sticking rows are off by at most e; a cube on four of them by less than 3 e against the one
  // below.
  for (const double top : {1.0, 100.0, 1e5}) {
    const System s = assemble(boxes::column(10, 1, top));
    const Result r = solve(s, kSolver, tight());
    ASSERT_EQ(r.status, Status::converged) << r.message;
    EXPECT_LE(velocity_plus(s, r.impulses).cwiseAbs().maxCoeff(), 3e-9);
    EXPECT_LE(r.iterations, 100) << top;
  }
}

TEST(NcpStaggered, JointRowsHoldPushAndGiveWay) {
  cones::expect_joint_rows_hold_push_and_give_way(kSolver);
}

TEST(NcpStaggered, AgreesWithNewtonOnABlockOfUniqueMotion) {
  const System s = assemble(boxes::shaken(boxes::column(1, 1, 1, 0.3), 0.1));
  checks::expect_same_motion(s, solve(s, kSolver, tight()), solve(s, "ncp/prox-newton", tight()),
                             1e-8);
}

TEST(NcpStaggered, AccelerationSavesTurns) {
  const System s = assemble(boxes::shaken(boxes::wall(3, 3), 0.5));
  Options plain, accelerated;
  plain.set["memory"] = "0";
  plain.tolerance = accelerated.tolerance = 1e-6;
  const Result a = solve(s, kSolver, accelerated), b = solve(s, kSolver, plain);
  ASSERT_EQ(a.status, Status::converged) << a.message;
  EXPECT_LT(a.iterations, b.iterations);
  EXPECT_NE(a.path.find("turns"), std::string::npos);
}

TEST(NcpStaggered, SaysStalledWhereJointsContradictEachOther) {
  // The same row twice, with targets 0 and 0.5 m/s: whatever is done, one is off by 0.25 m/s.
  Options o;
  o.max_iterations = 100000;
  const Result r = solve(assemble(boxes::contradicting(0.5)), kSolver, o);
  EXPECT_EQ(r.status, Status::stalled) << r.message;
  EXPECT_TRUE(r.impulses.allFinite());
  EXPECT_GE(r.errors[Measure::velocity_error], 0.249);
}

}  // namespace ncp_staggered_test
}  // namespace perpend
