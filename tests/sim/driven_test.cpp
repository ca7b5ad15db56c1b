// Bodies on surfaces that turn.
#include <gtest/gtest.h>

#include <cmath>

#include "sim/build.hpp"

namespace perpend::sim {
namespace driven_test {

constexpr double kRadius = 2, kSpin = 0.5;  // m, rad/s

// A crate that turns with its table, on which it stands at kRadius from the axis.
Scene turning_table(Motion::Type how) {
  Scene scene;
  scene.steps = 3600;
  Body table;
  table.shape.half_extents = {4, 4, 0.1};
  table.pose.position = {0, 0, -0.1};
  table.mu = 1;
  table.motion = Motion{};
  table.motion->type = how;
  table.motion->velocity << 0, 0, 0, 0, 0, kSpin;
  if (how == Motion::Type::path) table.motion->keys = {{0, table.motion->velocity}};
  Body crate;
  crate.mass = 10;
  crate.mu = 1;
  crate.shape.half_extents = {0.25, 0.25, 0.25};
  crate.pose.position = {kRadius, 0, 0.25};
  crate.velocity << 0, kRadius * kSpin, 0, 0, 0, kSpin;
  scene.bodies = {table, crate};
  return scene;
}

TEST(Driven, ACrateOnATurningTableStaysAtItsRadius) {
  for (const auto how : {Motion::Type::path, Motion::Type::conveyor}) {
    const Scene scene = turning_table(how);
    Built built(scene, scene.step, Built::Engine::perpend);
    for (Index step = 0; step < scene.steps; ++step) built.step();
    const State end = built.state();
    // Each step's velocity is right to the solver's tolerance of 1e-10 m/s, for a minute.
    const double seconds = static_cast<double>(scene.steps) * scene.step;
    EXPECT_NEAR(end.positions.row(1).head<2>().norm(), kRadius, 1e-10 * seconds);
    const double angle = std::atan2(end.positions(1, 1), end.positions(1, 0));
    EXPECT_NEAR(std::remainder(angle - kSpin * seconds, 2 * std::numbers::pi), 0, 1e-10 * seconds);
  }
}

}  // namespace driven_test
}  // namespace perpend::sim
