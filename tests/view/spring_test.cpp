#include "view/spring.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace spring_test {

using namespace perpend;
using namespace perpend::view;

Grip at_rest(double mass, const Vector3d& distance) {
  Grip grip;
  grip.mass = mass;
  grip.inverse_inertia = Matrix3d::Identity() / mass;
  grip.distance = distance;
  return grip;
}

// k d = m (20 rad/s)^2 d as h goes to zero.
TEST(ViewSpring, PullsByItsStiffness) {
  const Vector3d force = spring_force(at_rest(2, {0, 0.01, 0}), 1e-9, 20);
  EXPECT_NEAR(force.y(), 2 * 400 * 0.01, 1e-6);  // of 8 N the implicit part takes 4e-8
  EXPECT_EQ(force.x(), 0);
}

TEST(ViewSpring, IsNeverStrongerThanTheHand) {
  for (const double distance : {0.1, 1.0, 1e6}) {
    const Vector3d force = spring_force(at_rest(3, {distance, 0, 0}), 1.0 / 60, 5);
    EXPECT_LE(force.norm(), 5 * 3 * 9.81 * (1 + 1e-12));
  }
  Grip fast = at_rest(3, {0, 0, 0});
  fast.velocity = {0, 0, 1e5};
  EXPECT_NEAR(spring_force(fast, 1.0 / 60, 5).z(), -5 * 3 * 9.81, 1e-9);
}

// A ball pulled from one metre away comes to rest at the hand, whatever the step. Critical damping
// taken at the end of a step does not overshoot: the largest is what the cap's ramp leaves.
TEST(ViewSpring, BringsABallToTheHandWithAnyStep) {
  for (const double h : {0.001, 1.0 / 60, 0.1}) {
    double x = 0, v = 0, farthest = 0;
    for (double time = 0; time < 4; time += h) {
      Grip grip = at_rest(1, {1 - x, 0, 0});
      grip.velocity = {v, 0, 0};
      v += h * spring_force(grip, h, 1000).x();
      x += h * v;
      farthest = std::max(farthest, x);
    }
    EXPECT_NEAR(x, 1, 1e-6) << h;
    EXPECT_LT(farthest, 1 + 1e-6) << h;
  }
}

// w+ = w + h I^-1 T = w / (1 + 5/s h): with any step it only slows down.
TEST(ViewSpring, SlowsDownWhatSwings) {
  Grip grip = at_rest(2, Vector3d::Zero());
  grip.inverse_inertia.diagonal() << 1, 10, 0.1;
  const Vector3d rotation(1, -2, 3);
  for (const double h : {0.001, 1.0 / 60, 0.1}) {
    const Vector3d torque = grip_torque(grip, rotation, h);
    const Vector3d next = rotation + h * grip.inverse_inertia * torque;
    EXPECT_LT((next - rotation / (1 + 5 * h)).norm(), 1e-14) << h;
  }
}

TEST(ViewSpring, CapsTorques) {
  EXPECT_NEAR(capped_torque({0, 0, 1e9}, 2, 0.5, 10).z(), 10 * 2 * 9.81 * 0.5, 1e-9);
  EXPECT_EQ(capped_torque({0, 0, 1}, 2, 0.5, 10).z(), 1);
}

}  // namespace spring_test
