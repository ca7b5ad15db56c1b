#include <gtest/gtest.h>

#include "perpend/solve.hpp"
#include "support/boxes.hpp"
#include "support/held.hpp"
#include "support/shaken.hpp"

namespace perpend {
namespace ncp_staggered_test {

using boxes::held;
using boxes::kGravity;
constexpr const char* kSolver = "ncp/staggered";
constexpr double kInfinity = std::numeric_limits<double>::infinity();

Options tight() {
  Options o;
  o.tolerance = 1e-10;
  return o;
}

TEST(NcpStaggered, SlidingBlockLosesMuGHOfItsSpeedAndIsNotLifted) {
  const double mu = 0.25;
  boxes::World w(0.01);
  const Index floor = w.fixed(), block = w.cube(2, 1, {0, 0, 0.5});
  w.face(floor, block, {0, 0, 0}, 1, mu);
  w.frame().bodies.velocities(block, 0) = 0.6;
  w.frame().bodies.velocities(block, 1) = -0.8;
  const System s = assemble(w.frame());
  const Result r = solve(s, kSolver, tight());
  ASSERT_EQ(r.status, Status::converged) << r.message;
  const VectorXd v = velocity_plus(s, r.impulses);
  const double speed = 1 - mu * kGravity * 0.01;
  EXPECT_NEAR(v[0], 0.6 * speed, 1e-9);
  EXPECT_NEAR(v[1], -0.8 * speed, 1e-9);
  EXPECT_NEAR(v[2], 0, 1e-9);
}

TEST(NcpStaggered, WithoutFrictionOneTurnIsEnough) {
  const System s = assemble(boxes::shaken(boxes::wall(3, 3, 0.0), 0.1));
  const Result r = solve(s, kSolver, tight());
  ASSERT_EQ(r.status, Status::converged) << r.message;
  // The first turn is solved to a hundredth of the error of the start; a few make ten digits.
  EXPECT_LE(r.iterations, 60);
  const Result sweeps = solve(s, "ncp/nncg", tight());
  ASSERT_EQ(sweeps.status, Status::converged) << sweeps.message;
  EXPECT_LT((velocity_plus(s, r.impulses) - velocity_plus(s, sweeps.impulses)).norm(), 1e-8);
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
  const auto fall = [](const Frame& f) {
    const System s = assemble(f);
    const Result r = solve(s, kSolver, tight());
    EXPECT_EQ(r.status, Status::converged) << r.message;
    return velocity_plus(s, r.impulses)[2];
  };
  const double gh = kGravity * 0.01, weight = 2 * gh;
  EXPECT_NEAR(fall(held(-kInfinity, kInfinity)), 0, 1e-10);
  EXPECT_NEAR(fall(held(0, kInfinity, 0, 0.0002)), -0.02, 1e-10);
  EXPECT_NEAR(fall(held(0, kInfinity, 0, 0.01)), -gh, 1e-12);
  EXPECT_NEAR(fall(held(-10, 10, -0.3)), 0.3, 1e-10);
  EXPECT_NEAR(fall(held(-weight / 2, weight / 2, -0.3)), -gh / 2, 1e-10);
}

TEST(NcpStaggered, AgreesWithNewtonOnABlockOfUniqueMotion) {
  const System s = assemble(boxes::shaken(boxes::column(1, 1, 1, 0.3), 0.1));
  const Result a = solve(s, kSolver, tight()), b = solve(s, "ncp/prox-newton", tight());
  ASSERT_EQ(a.status, Status::converged) << a.message;
  ASSERT_EQ(b.status, Status::converged) << b.message;
  EXPECT_LT((velocity_plus(s, a.impulses) - velocity_plus(s, b.impulses)).norm(), 1e-8);
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
