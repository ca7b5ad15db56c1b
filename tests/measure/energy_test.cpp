#include <gtest/gtest.h>

#include <array>

#include "perpend/measure/response.hpp"
#include "support/boxes.hpp"

namespace perpend {
namespace energy_test {

constexpr double kH = 0.01;

// A cube of 2 kg without gravity that comes down at 3 m/s on a floor, one contact below its centre;
// `gap` below zero is an overlap.
System falling(double gap, double mu = 0) {
  boxes::World world(kH);
  const Index floor = world.fixed();
  const Index cube = world.cube(2, 1, Vector3d(0, 0, 0.5), Vector3d::Zero());
  world.contact(floor, cube, Vector3d::Zero(), Vector3d::UnitZ(), mu, gap);
  world.frame().bodies.velocities(cube, 2) = -3;
  return assemble(world.frame());
}

Impulses normal(double n) { return Vector3d(n, 0, 0); }

TEST(ImpulseEnergy, OfOneContactIsWhatPaperSays) {
  const System system = falling(0);  // A = 1/2, b = -3
  EXPECT_DOUBLE_EQ(impulse_energy(system, normal(0)), 0);
  EXPECT_DOUBLE_EQ(impulse_energy(system, normal(4)), 0.25 * 16 - 12);
  EXPECT_DOUBLE_EQ(impulse_energy(system, normal(6)), -9) << "the answer: all of 1/2 m v^2";
  EXPECT_DOUBLE_EQ(impulse_energy(system, normal(20)), 100 - 60);
}

TEST(ImpulseEnergy, IsTheKineticEnergyWhereNoGapIsClosed) {
  const System system = falling(0);
  for (const double n : {1.0, 6.0, 12.0, 20.0})
    EXPECT_NEAR(impulse_energy(system, normal(n)),
                measure(system, normal(n), Measure::energy_change), 1e-12);
}

TEST(ImpulseEnergy, GrowsBesideItByThePushTimesTheImpulse) {
  const System system = falling(-0.02);  // pushed apart at 2 m/s: b = -5
  for (const double n : {1.0, 10.0, 20.0})
    EXPECT_NEAR(measure(system, normal(n), Measure::energy_change),
                impulse_energy(system, normal(n)) + 2 * n, 1e-12);
}

TEST(LeastEnergyScale, TakesTooLargeImpulsesBackToTheAnswerAndLeavesSmallOnes) {
  const System system = falling(0);
  EXPECT_EQ(least_energy_scale(system, normal(0)), 1);
  EXPECT_EQ(least_energy_scale(system, normal(5)), 1) << "more would be better, but is not known";
  EXPECT_NEAR(least_energy_scale(system, normal(20)), 0.3, 1e-15);
  EXPECT_EQ(least_energy_scale(system, normal(-1)), 0) << "any of it adds energy";
}

// Whatever impulses a solver leaves, also wild ones: kinetic energy grows by no more than the push.
TEST(LeastEnergyScale, LeavesNoMoreEnergyThanThePushAllows) {
  for (const double gap : {0.0, -0.02}) {
    const System system = falling(gap, 0.5);
    for (const Vector3d& wild : {Vector3d(1000, 500, 0), Vector3d(3, 1.5, 0),
                                 Vector3d(0.1, 0, 0.05), Vector3d(40, 0, 20)}) {
      const Impulses used = least_energy_scale(system, wild) * wild;
      EXPECT_LE(impulse_energy(system, used), 0);
      EXPECT_LE(measure(system, used, Measure::energy_change), -gap / kH * used[0] + 1e-12)
          << wild.transpose();
    }
  }
}

TEST(Response, TellsWhatTheImpulsesTell) {
  constexpr std::array kAsked{Measure::velocity_error, Measure::rms_violation,
                              Measure::max_penetration, Measure::energy_change};
  for (const double gap : {0.0, -0.02}) {
    const System system = falling(gap, 0.5);
    const Impulses wild = Vector3d(40, 3, -20);
    Response moved = response(system, wild);
    EXPECT_EQ(moved.y, relative_velocity(system, wild));
    EXPECT_EQ(system.dynamics->free_velocity + moved.change, velocity_plus(system, wild));
    const double t = least_energy_scale(system, wild, moved);
    EXPECT_DOUBLE_EQ(t, least_energy_scale(system, wild));
    EXPECT_LT(t, 1);
    const Impulses used = t * wild;
    scale(moved, system, t);
    const Errors errors = measure(system, used, moved, kAsked);
    for (const Measure m : kAsked)
      EXPECT_NEAR(errors[m], measure(system, used, m), 1e-12) << name(m);
  }
}

}  // namespace energy_test
}  // namespace perpend
