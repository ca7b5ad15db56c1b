#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "measure/scenes.hpp"
#include "perpend/solve.hpp"
#include "support/boxes.hpp"
#include "support/shaken.hpp"

namespace perpend {
namespace box_newton_test {

using boxes::kGravity;
using scenes::impulses;

Result solved(const System& s, double tolerance = 1e-11) {
  Options o;
  o.tolerance = tolerance;
  const Result r = solve(s, "box/newton", o);
  EXPECT_EQ(r.status, Status::converged) << r.message;
  return r;
}

Frame cube_on_slope(double angle, double mu) {
  boxes::World w;
  const Index floor = w.fixed();
  const Index cube = w.cube(1, 1, {0, 0, 0.5}, {std::sin(angle), 0, -std::cos(angle)});
  w.face(floor, cube, {0, 0, 0}, 1, mu);
  return w.frame();
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
  // Two kilograms pressed down and pushed: lambda_n = 2 N s, friction at its bound of 1 N s.
  const Result r = solved(assemble(scenes::sliding()), 1e-13);
  EXPECT_NEAR(r.impulses[0], 2, 1e-12);
  EXPECT_NEAR(r.impulses[1], -1, 1e-12);
  EXPECT_NEAR(r.impulses[2], 0, 1e-12);
}

TEST(BoxNewton, JointRowsKeepTheirBounds) {
  // A slider of 2 kg at 1 m/s: free to be stopped, held back by a motor of 1/2 N s, by a limit that
  // only pushes, and by one that only pulls.
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_NEAR(solved(assemble(scenes::slider(1, -inf, inf))).impulses[0], -2, 1e-10);
  EXPECT_NEAR(solved(assemble(scenes::slider(1, -0.5, 0.5))).impulses[0], -0.5, 1e-10);
  EXPECT_NEAR(solved(assemble(scenes::slider(-1, 0, inf))).impulses[0], 2, 1e-10);
  EXPECT_NEAR(solve(assemble(scenes::slider(1, 0, inf)), "box/newton").impulses[0], 0, 1e-10);
  EXPECT_NEAR(solved(assemble(scenes::slider(1, -inf, 0))).impulses[0], -2, 1e-10);
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
    const Result a = solved(s), b = solved(with_blocks(s));
    EXPECT_LT((velocity_plus(s, a.impulses) - velocity_plus(s, b.impulses)).norm(), 1e-9);
  }
}

TEST(BoxNewton, FrictionFixedByTheEngineIsItsBound) {
  System s = assemble(scenes::sliding());
  s.friction_bounds = Rows<2>::Constant(1, 2, 0.25);
  const Result r = solved(s, 1e-13);
  EXPECT_NEAR(r.impulses[0], 2, 1e-12);
  EXPECT_NEAR(r.impulses[1], -0.25, 1e-12);
}

TEST(BoxNewton, TheReturnedIterateRespectsItsBounds) {
  const System s = assemble(boxes::shaken(boxes::wall(4, 4), 0.3));
  Options o;
  o.max_iterations = 4;
  const Result r = solve(s, "box/newton", o);
  for (Index i = 0; i < s.contacts(); ++i) {
    EXPECT_GE(r.impulses[3 * i], 0);
    EXPECT_LE(std::abs(r.impulses[3 * i + 1]), s.mu[i] * r.impulses[3 * i]);
    EXPECT_LE(std::abs(r.impulses[3 * i + 2]), s.mu[i] * r.impulses[3 * i]);
  }
}

TEST(BoxNewton, WarmStartAtTheAnswerTakesNoStep) {
  const System s = assemble(boxes::shaken(boxes::column(3, 1, 1), 0.3));
  const Result cold = solved(s);
  Options o;
  o.tolerance = 1e-10;
  o.warm_start = cold.impulses;
  EXPECT_EQ(solve(s, "box/newton", o).iterations, 0);
  // A little aside: far fewer steps than from zero.
  o.warm_start *= 1 + 1e-6;
  EXPECT_LT(2 * solve(s, "box/newton", o).iterations, cold.iterations);
}

}  // namespace box_newton_test
}  // namespace perpend
