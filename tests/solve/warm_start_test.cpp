#include <gtest/gtest.h>

#include "perpend/solve.hpp"
#include "support/boxes.hpp"

namespace perpend {
namespace warm_start_test {

// A cube on a floor by contacts at the given points.
Frame resting(const std::vector<Vector3d>& points) {
  boxes::World w;
  const Index floor = w.fixed(), cube = w.cube(1, 1, {0, 0, 0.5});
  for (const Vector3d& p : points) w.contact(floor, cube, p, Vector3d::UnitZ(), 0.5);
  return w.frame();
}

const std::vector<Vector3d> kCorners = {
    {-0.5, -0.5, 0}, {0.5, -0.5, 0}, {-0.5, 0.5, 0}, {0.5, 0.5, 0}};

TEST(KeepWrenches, OtherPointsOfTheSameFaceCarryTheSameWeight) {
  const System before = assemble(resting(kCorners));
  const Result r = solve(before, "ncp/prox-newton");
  ASSERT_EQ(r.status, Status::converged);
  // The manifold changes from four corners to six other points, all new.
  const System now = assemble(resting(
      {{-0.5, -0.4, 0}, {-0.5, 0.4, 0}, {0.5, -0.4, 0}, {0.5, 0.4, 0}, {0, -0.5, 0}, {0, 0.5, 0}}));
  const Impulses start = keep_wrenches(now, Impulses::Zero(now.rows()), before, r.impulses);
  // Nothing moves: the answer is met without a step (the small diagonal costs 1e-9 of it).
  EXPECT_LT(velocity_plus(now, start).norm(), 1e-8);
  EXPECT_LT(measure(now, start, Measure::velocity_error), 1e-7);
}

TEST(KeepWrenches, SameContactsKeepTheirBits) {
  const System s = assemble(boxes::wall(3, 3));
  const Result r = solve(s, "ncp/prox-newton");
  EXPECT_EQ(keep_wrenches(s, r.impulses, s, r.impulses), r.impulses);
}

TEST(KeepWrenches, AContactThatVanishedGivesItsLoadToTheRest) {
  const System before = assemble(resting(kCorners));
  const Result r = solve(before, "ncp/prox-newton");
  std::vector<Vector3d> rest = kCorners;
  rest.push_back({0, 0, 0});
  rest.erase(rest.begin());
  const System now = assemble(resting(rest));
  Impulses carried = Impulses::Zero(now.rows());
  carried.head(9) = r.impulses.segment(3, 9);
  const Impulses start = keep_wrenches(now, carried, before, r.impulses);
  EXPECT_LT(measure(now, start, Measure::velocity_error),
            0.01 * measure(now, carried, Measure::velocity_error));
  for (Index i = 0; i < now.contacts(); ++i) EXPECT_GE(start[3 * i], 0);
}

TEST(KeepWrenches, WhatItCannotReadItLeavesAlone) {
  const System s = assemble(resting(kCorners)), blocks = with_blocks(s);
  const Impulses x = Impulses::Ones(s.rows());
  EXPECT_EQ(keep_wrenches(blocks, x, s, x), x);
  EXPECT_EQ(keep_wrenches(s, x, s, Impulses::Zero(3)), x);
}

}  // namespace warm_start_test
}  // namespace perpend
