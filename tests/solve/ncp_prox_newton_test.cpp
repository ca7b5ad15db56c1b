#include <gtest/gtest.h>

#include "perpend/solve.hpp"
#include "support/cone_checks.hpp"

namespace perpend {
namespace ncp_prox_newton_test {

using boxes::held;
using boxes::kGravity;
using cones::tight;
constexpr const char* kSolver = "ncp/prox-newton";
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// A stack at rest: no body moves after the step. Sticking rows are off by at most the tolerance e;
// a body on four of them at arms of 0.5 m moves by less than 3 e against the one below.
void expect_rest(const Frame& f, long iterations, double layers) {
  const System s = assemble(f);
  const Result r = solve(s, kSolver, tight());
  ASSERT_EQ(r.status, Status::converged) << r.message;
  EXPECT_LE(measure(s, r.impulses, Measure::velocity_error), 1e-10);
  EXPECT_LE(velocity_plus(s, r.impulses).cwiseAbs().maxCoeff(), 3e-10 * layers);
  EXPECT_LE(r.iterations, iterations);
}

TEST(NcpProxNewton, ColumnOfTenStandsFromAColdStart) {
  expect_rest(boxes::column(10, 1, 1), 20, 10);
}

TEST(NcpProxNewton, AHundredKilogramsOnThirteenCubesStand) {
  expect_rest(boxes::column(14, 1, 100), 25, 14);
}

TEST(NcpProxNewton, AHundredTonsOnFourCubesStand) { expect_rest(boxes::column(5, 1, 1e5), 30, 5); }

TEST(NcpProxNewton, PyramidOf210Stands) { expect_rest(boxes::pyramid(20), 40, 20); }

TEST(NcpProxNewton, WallInRunningBondStands) { expect_rest(boxes::wall(13, 13), 100, 13); }

TEST(NcpProxNewton, AgreesWithSweepsWhereBodiesAreThrownAbout) {
  // Two answers with residuals below e differ by a small multiple of e in v+ (two layers of two).
  // Without friction v+ is unique. With friction it need not be; for one box on a floor it is.
  for (const Frame& f : {boxes::wall(3, 3, 0.0), boxes::column(1, 1, 1, 0.3)}) {
    const System s = assemble(boxes::shaken(f, 0.1));
    const Result newton = solve(s, kSolver, tight()), sweeps = solve(s, "ncp/nncg", tight());
    checks::expect_same_motion(s, newton, sweeps, 1e-8);
  }
}

TEST(NcpProxNewton, SlidingBlockLosesMuGHOfItsSpeed) {
  cones::expect_brakes_a_sliding_block(kSolver, tight(), 1e-9);
}

TEST(NcpProxNewton, ConveyorBeltCarriesTheBlockThatSticksToIt) {
  // The fixed body moves at 0.02 m/s; friction can add mu g h = 0.049 m/s in a step: it sticks.
  boxes::World w(0.01);
  const Index belt = w.fixed({0, 0, 0}, {0.02, 0, 0}), block = w.cube(1, 1, {0, 0, 0.5});
  w.face(belt, block, {0, 0, 0}, 1, 0.5);
  const System s = assemble(w.frame());
  const Result r = solve(s, kSolver, tight());
  ASSERT_EQ(r.status, Status::converged) << r.message;
  EXPECT_NEAR(velocity_plus(s, r.impulses)[0], 0.02, 1e-9);
}

TEST(NcpProxNewton, JointRowsHoldPushAndGiveWay) {
  cones::expect_joint_rows_hold_push_and_give_way(kSolver, 1e-12);
}

TEST(NcpProxNewton, ComplianceGivesAsMuchAsItSays) {
  cones::expect_joint_gives_by_its_compliance(kSolver, 1e-10);

  // Contacts with unequal compliance of rows: normal 0.3, tangential 0 and 0.1.
  Frame column = boxes::column(1, 1, 1);
  column.contacts.cfm = Rows3::Zero(column.contacts.count(), 3);
  column.contacts.cfm.col(0).setConstant(0.3);
  column.contacts.cfm.col(2).setConstant(0.1);
  const System soft = assemble(column, Model::engine);
  const Result q = solve(soft, kSolver, tight());
  ASSERT_EQ(q.status, Status::converged) << q.message;
  // Four contacts share 4 x = gh + v+, and v+ = -0.3 x.
  EXPECT_NEAR(velocity_plus(soft, q.impulses)[2], -0.3 * kGravity * 0.01 / 4.3, 1e-9);
}

TEST(NcpProxNewton, RedundantContactsAndNoContactsAreNoTrouble) {
  boxes::World w;
  const Index floor = w.fixed(), cube = w.cube(1, 1, {0, 0, 0.5});
  for (int copies = 0; copies < 5; ++copies) w.face(floor, cube, {0, 0, 0}, 1, 0.5);
  const System s = assemble(w.frame());
  const Result r = solve(s, kSolver, tight());
  EXPECT_EQ(r.status, Status::converged) << r.message;
  EXPECT_LT(velocity_plus(s, r.impulses).norm(), 1e-9);

  boxes::World empty;
  empty.cube(1, 1, {0, 0, 5});
  const Result none = solve(assemble(empty.frame()), kSolver, tight());
  EXPECT_EQ(none.status, Status::converged) << none.message;
}

TEST(NcpProxNewton, BodiesThatNothingTouchesFallFreely) {
  boxes::World w;
  const Index floor = w.fixed(), free = w.cube(1, 1, {0, 0, 9}), below = w.cube(1, 1, {0, 0, 0.5});
  w.face(floor, below, {0, 0, 0}, 1, 0.5);
  const System s = assemble(w.frame());
  const Result r = solve(s, kSolver, tight());
  ASSERT_EQ(r.status, Status::converged) << r.message;
  EXPECT_EQ(free, 1);
  EXPECT_NEAR(velocity_plus(s, r.impulses)[2], -kGravity * 0.01, 1e-14);
}

TEST(NcpProxNewton, WhatCannotBeHeldIsReportedHonestly) {
  // Two bilateral rows want different speeds of the same direction: no impulse satisfies both.
  Frame f = held(-kInfinity, kInfinity);
  Frame two = make_frame(0, 0, {2});
  two.joints.pairs = f.joints.pairs;
  two.joints.jacobian.row(0) = f.joints.jacobian.row(0);
  two.joints.jacobian.row(1) = f.joints.jacobian.row(0);
  two.joints.rate.resize(2);
  two.joints.rate << 0.5, -0.5;
  f.joints = two.joints;
  const System s = assemble(f);
  const Result r = solve(s, kSolver, tight());
  EXPECT_NE(r.status, Status::converged);
  EXPECT_TRUE(r.impulses.allFinite());
  EXPECT_GT(measure(s, r.impulses, Measure::velocity_error), 0.4);
}

TEST(NcpProxNewton, SameBitsTwice) {
  const System s = assemble(boxes::shaken(boxes::wall(4, 4), 0.3));
  Options o = tight();
  o.max_iterations = 50;
  EXPECT_EQ(solve(s, kSolver, o).impulses, solve(s, kSolver, o).impulses);
}

TEST(NcpProxNewton, StopsByItselfWhereRoundingEndsIt) {
  Options o;
  o.tolerance = 0;
  const Result r = solve(assemble(boxes::wall(3, 3)), kSolver, o);
  EXPECT_EQ(r.status, Status::stalled) << r.message;
  EXPECT_LT(r.errors[Measure::velocity_error], 1e-13);
  EXPECT_LT(r.iterations, 1000);
}

}  // namespace ncp_prox_newton_test
}  // namespace perpend
