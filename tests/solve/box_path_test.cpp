#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "measure/scenes.hpp"
#include "perpend/solve.hpp"
#include "support/boxes.hpp"
#include "support/shaken.hpp"

namespace perpend {
namespace box_path_test {

Result solved(const System& s, double tolerance = 1e-11) {
  Options o;
  o.tolerance = tolerance;
  const Result r = solve(s, "box/path", o);
  EXPECT_EQ(r.status, Status::converged) << r.message;
  return r;
}

TEST(BoxPath, FrictionBoundFollowsTheNormalImpulse) {
  // Two kilograms pressed down and pushed: lambda_n = 2 N s, friction at its bound of 1 N s.
  const Result r = solved(assemble(scenes::sliding()), 1e-13);
  EXPECT_NEAR(r.impulses[0], 2, 1e-12);
  EXPECT_NEAR(r.impulses[1], -1, 1e-12);
  EXPECT_NEAR(r.impulses[2], 0, 1e-12);
}

TEST(BoxPath, FrictionFixedByTheEngineIsItsBound) {
  System s = assemble(scenes::sliding());
  s.friction_bounds = Rows<2>::Constant(1, 2, 0.25);
  const Result r = solved(s, 1e-13);
  EXPECT_NEAR(r.impulses[0], 2, 1e-12);
  EXPECT_NEAR(r.impulses[1], -0.25, 1e-12);
}

TEST(BoxPath, JointRowsKeepTheirBounds) {
  // A slider of 2 kg at 1 m/s: stopped, held back by a motor of 1/2 N s, by limits of either sign.
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_NEAR(solved(assemble(scenes::slider(1, -inf, inf))).impulses[0], -2, 1e-10);
  EXPECT_NEAR(solved(assemble(scenes::slider(1, -0.5, 0.5))).impulses[0], -0.5, 1e-10);
  EXPECT_NEAR(solved(assemble(scenes::slider(-1, 0, inf))).impulses[0], 2, 1e-10);
  EXPECT_NEAR(solved(assemble(scenes::slider(1, -inf, 0))).impulses[0], -2, 1e-10);
}

TEST(BoxPath, MovesBodiesAsNewtonDoes) {
  // Both solve to 1e-11 m/s; a column of three amplifies that by less than 100. Velocities, not
  // impulses: four contacts share a load in many ways, and pivoting gives a vertex of them.
  for (const double speed : {0.01, 0.5}) {
    const System s = assemble(boxes::shaken(boxes::column(3, 1, 1), speed));
    Options o;
    o.tolerance = 1e-11;
    const Result newton = solve(s, "box/newton", o);
    ASSERT_EQ(newton.status, Status::converged) << newton.message;
    const VectorXd v = velocity_plus(s, solved(s).impulses);
    EXPECT_LT((v - velocity_plus(s, newton.impulses)).norm(), 1e-9);
  }
}

TEST(BoxPath, BodySpaceAndExplicitBlocksAgree) {
  // Without a mass matrix there are no velocities among the unknowns: another matrix, one answer.
  const System s = assemble(boxes::shaken(boxes::column(3, 1, 5), 0.3));
  System blocks = with_blocks(s);
  blocks.dynamics.reset();
  EXPECT_LT(
      (velocity_plus(s, solved(s).impulses) - velocity_plus(s, solved(blocks).impulses)).norm(),
      1e-9);
}

TEST(BoxPath, HoldsMassRatiosAndSharedLoadsToRounding) {
  // 1e5 kg press with 1.6e4 N s: 1e-16 of that on a cube of 1 kg is 2e-12 m/s.
  for (const Frame& f : {boxes::wall(3, 3), boxes::column(4, 1, 1e5)}) {
    const System s = assemble(f);
    EXPECT_LT(velocity_plus(s, solved(s, 1e-10).impulses).norm(), 1e-9);
  }
}

TEST(BoxPath, TheReturnedIterateRespectsItsBounds) {
  const System s = assemble(boxes::shaken(boxes::column(3, 1, 1), 0.3));
  Options o;
  for (o.max_iterations = 1; o.max_iterations < 20; o.max_iterations += 6) {
    const Result r = solve(s, "box/path", o);
    EXPECT_EQ(r.status, Status::iteration_limit);
    for (Index i = 0; i < s.contacts(); ++i) {
      EXPECT_GE(r.impulses[3 * i], 0);
      EXPECT_LE(std::abs(r.impulses[3 * i + 1]), s.mu[i] * r.impulses[3 * i]);
      EXPECT_LE(std::abs(r.impulses[3 * i + 2]), s.mu[i] * r.impulses[3 * i]);
    }
  }
}

TEST(BoxPath, StartsFromTheImpulsesOfTheLastStep) {
  Frame f = boxes::shaken(boxes::column(3, 1, 1), 0.5);
  const Result first = solved(assemble(f), 1e-10);
  f.bodies.velocities *= 1.0 + 1.0 / 4096;
  const System next = assemble(f);
  const Result cold = solved(next, 1e-10);
  Options o;
  o.tolerance = 1e-10;
  o.warm_start = first.impulses;
  const Result warm = solve(next, "box/path", o);
  ASSERT_EQ(warm.status, Status::converged) << warm.message;
  EXPECT_LT(warm.iterations, cold.iterations) << warm.path;
}

}  // namespace box_path_test
}  // namespace perpend
