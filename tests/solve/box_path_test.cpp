#include <gtest/gtest.h>

#include <cmath>

#include "perpend/solve.hpp"
#include "support/box_checks.hpp"
#include "support/boxes.hpp"
#include "support/shaken.hpp"

namespace perpend {
namespace box_path_test {

constexpr const char* kSolver = "box/path";

Result solved(const System& s, double tolerance = 1e-11) {
  return checks::solved(s, kSolver, checks::within(tolerance));
}

TEST(BoxPath, FrictionBoundFollowsTheNormalImpulse) {
  box_checks::expect_friction_bound_follows_the_normal_impulse(kSolver);
}

TEST(BoxPath, FrictionFixedByTheEngineIsItsBound) {
  box_checks::expect_friction_fixed_by_the_engine_is_its_bound(kSolver);
}

TEST(BoxPath, JointRowsKeepTheirBounds) {
  box_checks::expect_joint_rows_keep_their_bounds(kSolver);
}

TEST(BoxPath, MovesBodiesAsNewtonDoes) {
  // Both solve to 1e-11 m/s; a column of three amplifies that by less than 100. Velocities, not
  // impulses: four contacts share a load in many ways, and pivoting gives a vertex of them.
  for (const double speed : {0.01, 0.5}) {
    const System s = assemble(boxes::shaken(boxes::column(3, 1, 1), speed));
    const Result newton = solve(s, "box/newton", checks::within(1e-11));
    checks::expect_same_motion(s, solved(s), newton, 1e-9);
  }
}

TEST(BoxPath, BodySpaceAndExplicitBlocksAgree) {
  // Without a mass matrix there are no velocities among the unknowns: another matrix, one answer.
  const System s = assemble(boxes::shaken(boxes::column(3, 1, 5), 0.3));
  System blocks = with_blocks(s);
  blocks.dynamics.reset();
  checks::expect_same_motion(s, solved(s), solved(blocks), 1e-9);
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
    const Result r = solve(s, kSolver, o);
    EXPECT_EQ(r.status, Status::iteration_limit);
    box_checks::expect_within_bounds(s, r.impulses);
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
  const Result warm = solve(next, kSolver, o);
  ASSERT_EQ(warm.status, Status::converged) << warm.message;
  EXPECT_LT(warm.iterations, cold.iterations) << warm.path;
}

}  // namespace box_path_test
}  // namespace perpend
