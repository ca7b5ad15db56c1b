// The convergence laboratory: velocities are taken at the end of a step, so that every smooth
// motion converges with order 1, and what the runs cannot tell is said.
#include <gtest/gtest.h>

#include <cmath>

#include "perpend/sim.hpp"

namespace perpend {
namespace refine_test {

Body ball(double mass, const Vector3d& position) {
  Body body;
  body.name = "ball";
  body.shape.type = Shape::Type::sphere;
  body.shape.radius = 0.1;
  body.mass = mass;
  body.pose.position = position;
  return body;
}

Scene empty(const char* name, double step, int steps) {
  Scene scene;
  scene.name = name;
  scene.step = step;
  scene.steps = steps;
  return scene;
}

Scene projectile() {
  Scene scene = empty("projectile", 0.02, 50);
  scene.bodies.push_back(ball(1, {0, 0, 100}));
  scene.bodies[0].velocity << 3, 0, 4, 0, 0, 2;
  return scene;
}

Scene sliding_block() {
  Scene scene = empty("sliding_block", 0.02, 40);
  Body floor;
  floor.name = "floor";
  floor.shape.type = Shape::Type::plane;
  Body block;
  block.name = "block";
  block.mass = 1;
  block.pose.position = {0, 0, 0.5};
  block.velocity << 3, 0, 0, 0, 0, 0;  // stops after 3/(0.5 g) = 0.61 s
  scene.bodies = {floor, block};
  return scene;
}

// A ball 1 m beside the hinge it hangs from.
Scene pendulum() {
  Scene scene = empty("pendulum", 0.01, 60);
  scene.bodies.push_back(ball(1, {1, 0, 0}));
  Joint hinge;
  hinge.name = "pivot";
  hinge.type = Joint::Type::hinge;
  hinge.second = 0;
  hinge.frame.orientation =
      Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitZ(), Vector3d::UnitY());
  scene.joints.push_back(hinge);
  return scene;
}

class FirstOrder : public testing::TestWithParam<Scene (*)()> {};
TEST_P(FirstOrder, OfSmoothMotionAndOfFriction) {
  const Refinement result = refine(GetParam()(), {}, 5);
  ASSERT_EQ(result.levels.size(), 6u);
  EXPECT_EQ(result.verdict, Refinement::Verdict::converges) << result.words();
  EXPECT_NEAR(result.order, 1, 0.2);
  // The last pair has left the coarse steps behind it.
  EXPECT_NEAR(std::log2(result.levels[3].ratio), 1, 0.2);
}
INSTANTIATE_TEST_SUITE_P(Refine, FirstOrder,
                         testing::Values(&projectile, &sliding_block, &pendulum),
                         [](const auto& which) { return which.param().name; });

TEST(Refine, TheDistanceOfAProjectileIsTheClosedForm) {
  // z(t) = z0 + vt - g t (t + h)/2 with this method: runs h and h/2 are g t h/4 apart, largest at
  // the end. The spin of a ball about a fixed axis is exact. Rounding grows with 1600 additions of
  // numbers near 100: 1e-14 each.
  const Scene scene = projectile();
  const Refinement result = refine(scene, {}, 4);
  const double t = scene.step * static_cast<double>(scene.steps);
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_NEAR(result.levels[k].to_next.position, 9.81 * t * result.levels[k].h / 4, 1e-10);
    EXPECT_LT(result.levels[k].to_next.turn, 1e-10);
    EXPECT_NEAR(result.levels[k].to_finest.position,
                9.81 * t * (result.levels[k].h - result.levels[4].h) / 2, 1e-10);
    EXPECT_EQ(result.levels[k].distance_to_next.size(), 51u);
  }
  ASSERT_EQ(result.times.size(), 51u);
  EXPECT_NEAR(result.times.back(), t, 1e-12);
}

TEST(Refine, TurnIsAngleTimesRadius) {
  // Two levels; without gravity a ball that spins is exact, so spin it up by a motor: a torque of
  // 1 N m on a sphere of inertia 0.4 m r^2 gives w = 250 t, and angles 125 t (t + h).
  Scene scene = projectile();
  scene.gravity.setZero();
  scene.steps = 10;
  scene.bodies[0].velocity.setZero();
  Joint motor;
  motor.name = "motor";
  motor.type = Joint::Type::hinge;
  motor.second = 0;
  motor.frame.position = scene.bodies[0].pose.position;
  motor.motors[5] = {true, 1e6, 1};
  scene.joints.push_back(motor);
  const Refinement result = refine(scene, {}, 1);
  const double h = scene.step, t = 10 * h, r = 0.1;
  EXPECT_NEAR(result.levels[0].to_next.turn, r * 125 * t * h / 2, 1e-6 * r);
  EXPECT_LT(result.levels[0].to_next.position, 1e-9);
}

TEST(Refine, WhatIsAtRestHasNothingToConverge) {
  std::string why;
  const Refinement result = refine(*scene_named("stack-small", 1, why), {}, 2);
  EXPECT_EQ(result.verdict, Refinement::Verdict::same) << result.words();
  EXPECT_TRUE(std::isnan(result.order));
}

// A ball among round pillars: every blow multiplies a small difference by about twice the flight
// over the pillar's radius, so that after a dozen of them the runs have nothing in common.
TEST(Refine, ABilliardIsCalledChaotic) {
  Scene scene;
  scene.name = "billiard";
  scene.gravity.setZero();
  scene.step = 0.005;
  scene.steps = 400;
  scene.bodies.push_back(ball(1, {0.47, 0.05, 0}));
  scene.bodies[0].velocity << 3, 2.3, 0, 0, 0, 0;
  scene.bodies[0].restitution = 1;
  scene.bodies[0].mu = 0;
  for (int x = -8; x <= 8; ++x)
    for (int y = -8; y <= 8; ++y) {
      scene.bodies.push_back(ball(0, {static_cast<double>(x), static_cast<double>(y), 0}));
      scene.bodies.back().shape.radius = 0.35;
      scene.bodies.back().restitution = 1;
      scene.bodies.back().mu = 0;
    }
  const Refinement result = refine(scene, {}, 4);
  EXPECT_EQ(result.verdict, Refinement::Verdict::until) << result.words();
  EXPECT_GT(result.until, 0.05);
  EXPECT_LT(result.until, 1.9);
}

TEST(Refine, StopsWhenToldAndKeepsCompleteLevels) {
  SimulateOptions options;
  options.progress = [](Index done, Index of) {
    EXPECT_EQ(of, 50 * 7);
    return done < 100;  // within the second level
  };
  const Refinement result = refine(projectile(), options, 2);
  EXPECT_EQ(result.verdict, Refinement::Verdict::stopped);
  EXPECT_EQ(result.levels.size(), 1u);
}

TEST(Refine, ManyStepsAreComparedAtFewerTimes) {
  // (1 body + 1) * 3 levels = 6 poses a time; 120 hold 20 times; every third of 50 steps fits.
  const Refinement result = refine(projectile(), {}, 2, 120);
  EXPECT_EQ(result.times.size(), 17u);
  EXPECT_NEAR(result.order, 1, 0.01);
}

}  // namespace refine_test
}  // namespace perpend
