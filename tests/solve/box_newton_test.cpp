#include <gtest/gtest.h>

#include <cmath>

#include "perpend/solve.hpp"
#include "support/box_checks.hpp"
#include "support/shaken.hpp"
#include "support/sliding.hpp"

namespace perpend {
namespace box_newton_test {

using boxes::cube_on_slope;
using boxes::kGravity;

constexpr const char* kSolver = "box/newton";

Result solved(const System& s, double tolerance = 1e-11) {
  return checks::solved(s, kSolver, checks::within(tolerance));
}

TEST(BoxNewton, BlockOnSlopeSticksBelowTheFrictionAngle) {
  const Frame f = cube_on_slope(std::atan(0.5) - 1e-3, 0.5);
  const System s = assemble(f);
  EXPECT_LT(velocity_plus(f, s, solved(s).impulses).row(1).norm(), 1e-10);
}

TEST(BoxNewton, BlockOnSlopeSlidesAboveTheFrictionAngle) {
  // v+ = h g (sin a - mu cos a), downhill.
  const double mu = 0.5, angle = std::atan(mu) + 1e-3;
  const Frame f = cube_on_slope(angle, mu);
  const System s = assemble(f);
  const double speed = f.step * kGravity * (std::sin(angle) - mu * std::cos(angle));
  EXPECT_NEAR(velocity_plus(f, s, solved(s).impulses)(1, 0), speed, 1e-10);
}

TEST(BoxNewton, FrictionBoundFollowsTheNormalImpulse) {
  box_checks::expect_friction_bound_follows_the_normal_impulse(kSolver);
}

TEST(BoxNewton, JointRowsKeepTheirBounds) {
  box_checks::expect_joint_rows_keep_their_bounds(kSolver);
  // A limit that only pushes has nothing to do where the slider leaves it.
  EXPECT_NEAR(solve(assemble(scenes::slider(1, 0, scenes::kInf)), kSolver).impulses[0], 0, 1e-10);
}

TEST(BoxNewton, ReachesWhatSweepsDoNot) {
  // 1000 kg on three cubes of 1 kg: box/pgs is far from done after 10,000 sweeps.
  const System s = assemble(boxes::column(4, 1, 1000));
  EXPECT_EQ(solve(s, "box/pgs").status, Status::iteration_limit);
  const Result r = solved(s, 1e-10);
  EXPECT_LT(r.iterations, 200);
  EXPECT_LT(velocity_plus(s, r.impulses).norm(), 1e-8);
}

TEST(BoxNewton, HoldsRedundantContactsOfAWall) {
  // 96 rows for 9 bodies of 54 degrees of freedom and more: A is singular, the step is not.
  const System s = assemble(boxes::wall(3, 3));
  ASSERT_GT(s.rows(), 54);
  const Result r = solved(s);
  EXPECT_EQ(r.path, "newton");
  EXPECT_LT(velocity_plus(s, r.impulses).norm(), 1e-9);
}

TEST(BoxNewton, TakesFarFewerStepsThanSweeps) {
  const System s = assemble(boxes::shaken(boxes::column(3, 1, 1), 0.3));
  const Result newton = solved(s, 1e-10);
  Options o;
  o.tolerance = 1e-10;
  o.max_iterations = 100000;
  const Result pgs = solve(s, "box/pgs", o);
  ASSERT_EQ(pgs.status, Status::converged);
  EXPECT_LT(5 * newton.iterations, pgs.iterations);
}

TEST(BoxNewton, BodySpaceAndExplicitBlocksAgree) {
  for (const Frame& f : {boxes::wall(3, 3), boxes::column(3, 1, 5)}) {
    const System s = assemble(f);
    checks::expect_same_motion(s, solved(s), solved(with_blocks(s)), 1e-9);
  }
}

TEST(BoxNewton, FrictionFixedByTheEngineIsItsBound) {
  box_checks::expect_friction_fixed_by_the_engine_is_its_bound(kSolver);
}

TEST(BoxNewton, TheReturnedIterateRespectsItsBounds) {
  const System s = assemble(boxes::shaken(boxes::wall(4, 4), 0.3));
  Options o;
  o.max_iterations = 4;
  const Result r = solve(s, kSolver, o);
  box_checks::expect_within_bounds(s, r.impulses);
}

TEST(BoxNewton, WarmStartAtTheAnswerTakesNoStep) {
  const System s = assemble(boxes::shaken(boxes::column(3, 1, 1), 0.3));
  const Result cold = solved(s);
  Options o;
  o.tolerance = 1e-10;
  o.warm_start = cold.impulses;
  EXPECT_EQ(solve(s, kSolver, o).iterations, 0);
  // A little aside: far fewer steps than from zero.
  o.warm_start *= 1 + 1e-6;
  EXPECT_LT(2 * solve(s, kSolver, o).iterations, cold.iterations);
}

}  // namespace box_newton_test
}  // namespace perpend
