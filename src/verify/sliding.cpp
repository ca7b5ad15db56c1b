// Dry friction: what sticks, what slides, which way and how far.
#include <algorithm>
#include <cmath>

#include "verify/cases.hpp"
#include "verify/make.hpp"

namespace perpend::verify {
namespace {

Body block(double mu, const Vector3d& position, const Quaterniond& turn = Quaterniond::Identity()) {
  Body body = moving(box({1, 1, 0.2}), 1, position, turn);
  body.mu = mu;
  return body;
}

std::vector<double> sliding_errors(const Simulator& simulate, double h) {
  constexpr double kMu = 0.5, kSpeed = 3, kTime = 1;  // at rest after 0.61 s
  Scene scene;
  scene.name = "sliding block";
  scene.bodies = {ground(kMu), block(kMu, {0, 0, 0.1})};
  scene.bodies[1].velocity[0] = kSpeed;
  const State end = simulate(scene, h, kTime).back();
  return {std::abs(position(end, 1).x() - kSpeed * kSpeed / (2 * kMu * kGravity)),
          velocity(end, 1).norm()};
}

std::vector<double> slope_errors(const Simulator& simulate, double h) {
  constexpr double kMu = 0.5, kTime = 2;
  const auto end_at = [&](double angle, Vector3d& moved, Vector3d& speed) {
    const Pose slope{Vector3d::Zero(), about(Vector3d::UnitY(), angle)};
    Scene scene;
    scene.name = "block on a slope";
    scene.bodies = {ground(kMu, slope),
                    block(kMu, slope.orientation * Vector3d(0, 0, 0.1), slope.orientation)};
    const Path path = simulate(scene, h, kTime);
    const Quaterniond back = slope.orientation.conjugate();
    moved = back * (position(path.back(), 1) - position(path.front(), 1));
    speed = back * velocity(path.back(), 1);
  };
  const double critical = std::atan(kMu), steep = 1.01 * critical;
  Vector3d below, above, speed;
  end_at(0.99 * critical, below, speed);
  end_at(steep, above, speed);
  const double a = kGravity * (std::sin(steep) - kMu * std::cos(steep));
  return {below.norm(), std::abs(above.x() - a * kTime * kTime / 2),
          (speed - Vector3d(a * kTime, 0, 0)).norm()};
}

std::vector<double> yaw_errors(const Simulator& simulate, double h) {
  constexpr double kTime = 1, kMu = 0.5, kAngle = 30 * kDegree;
  std::string why;
  const Scene scene = *scene_named("yaw", 1, why);
  const double a = kGravity * (std::sin(kAngle) - kMu * std::cos(kAngle));
  double off = 0;
  // The largest angle between a cube's way and the slope's line of fall.
  const auto aside = [&](const Quaterniond& heading) {
    const Path path = simulate(turned(scene, heading), h, kTime);
    const Quaterniond back = (heading * about(Vector3d::UnitY(), kAngle)).conjugate();
    double worst = 0;
    off = 0;
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
      if (scene.bodies[i].mass <= 0) continue;
      const auto row = static_cast<Index>(i);
      const Vector3d moved = back * (position(path.back(), row) - position(path.front(), row));
      worst = std::max(worst, std::atan2(std::hypot(moved.y(), moved.z()), moved.x()) / kDegree);
      off = std::max(off, std::abs(moved.x() - a * kTime * kTime / 2));
    }
    return worst;
  };
  const double turned_aside = aside(about(Vector3d::UnitZ(), 20 * kDegree));
  return {aside(Quaterniond::Identity()), turned_aside, off};
}

std::vector<double> conveyor_errors(const Simulator& simulate, double h) {
  constexpr double kMu = 0.4, kBelt = 2, kTime = 1;  // belt speed reached after 0.51 s
  Scene scene;
  scene.name = "conveyor";
  Body belt = moving(box({20, 2, 1}), 0, {0, 0, -0.5});
  belt.mu = kMu;
  belt.motion.emplace();
  belt.motion->type = Motion::Type::conveyor;
  belt.motion->velocity[0] = kBelt;
  scene.bodies = {belt, block(kMu, {0, 0, 0.1})};
  const State end = simulate(scene, h, kTime).back();
  return {std::abs(position(end, 1).x() - (kBelt * kTime - kBelt * kBelt / (2 * kMu * kGravity))),
          (velocity(end, 1) - Vector3d(kBelt, 0, 0)).norm()};
}

std::vector<double> rolling_errors(const Simulator& simulate, double h) {
  constexpr double kMu = 0.3, kRadius = 0.25, kSpeed = 2, kTime = 1;
  Scene scene;
  scene.name = "sphere slides, then rolls";
  Body ball = moving(sphere(kRadius), 1, {0, 0, kRadius});
  ball.mu = kMu;
  ball.velocity[0] = kSpeed;
  scene.bodies = {ground(kMu), ball};
  const State end = simulate(scene, h, kTime).back();
  const double t = 2 * kSpeed / (7 * kMu * kGravity), rolls = 5 * kSpeed / 7;
  const double way = kSpeed * t - kMu * kGravity * t * t / 2 + rolls * (kTime - t);
  return {std::abs(position(end, 1).x() - way), (velocity(end, 1) - Vector3d(rolls, 0, 0)).norm(),
          (spin(end, 1) - Vector3d(0, rolls / kRadius, 0)).norm()};
}

}  // namespace

// The solver's tolerance is 1e-10 m/s a step. What it leaves in a velocity is corrected by the next
// step, or adds up where nothing pulls back; the bounds here allow a hundred times as much.

Case sliding_block() {
  return {"sliding-block",
          "a block slides to rest, mu 0.5, 3 m/s",
          "Friction reduces the speed by μ g h in each step, and to exactly 0 in the last one. The "
          "way is the sum of h v⁺.",
          kStep,
          {{"way", "m", "v₀²/(2 μ g)", 1, 0}, {"speed after", "m/s", "0", 0, 1e-9}},
          sliding_errors};
}

Case slope() {
  return {"slope",
          "a block on a slope, 1 % below and 1 % above the friction angle",
          "The angle is arctan μ times 0.99 and 1.01, μ = 0.5, 2 s from rest. Below it the block "
          "must not move at all; above it the speed has no error of the method.",
          kStep,
          {{"1 % below: way", "m", "0", 0, 1e-9},
           {"1 % above: way", "m", "a T²/2, a = g (sin α − μ cos α)", 1, 0},
           {"1 % above: speed", "m/s", "a T", 0, 1e-8}},
          slope_errors};
}

Case yaw() {
  return {"yaw",
          "the scene `yaw`: eight cubes turned by 11.25° each slide down 30°, mu 0.5",
          "Coulomb's cone is round: however a cube is turned, it slides straight down the slope. A "
          "friction pyramid pulls it aside, unless one of its directions points down the slope, as "
          "in this scene. So the scene is also turned by 20° about the vertical. 1 s.",
          kStep,
          {{"direction", "degrees", "down the slope", 0, 1e-3},
           {"direction, scene turned by 20°", "degrees", "down the slope", 0, 1e-3},
           {"way", "m", "a T²/2, a = g (sin α − μ cos α)", 1, 0}},
          yaw_errors};
}

Case conveyor() {
  return {"conveyor",
          "a block is put down at rest on a belt of 2 m/s, mu 0.4",
          "It slides until t = v/(μ g), then moves with the belt. It is then v²/(2 μ g) behind a "
          "block that had the speed of the belt from the beginning.",
          kStep,
          {{"way", "m", "v T − v²/(2 μ g)", 1, 0}, {"speed after", "m/s", "v", 0, 1e-9}},
          conveyor_errors};
}

Case rolling_sphere() {
  return {"rolling-sphere",
          "a sphere is shot at 2 m/s without spin, slides, then rolls; mu 0.3",
          "Friction has no moment about the line of contact, so the angular momentum about it is "
          "conserved. From t = 2 v₀/(7 μ g) on the sphere rolls at 5/7 of its first speed.",
          kStep,
          {{"way", "m", "v₀ t − μ g t²/2 + 5/7 v₀ (T − t)", 1, 0},
           {"speed after", "m/s", "5/7 v₀", 0, 1e-8},
           {"spin after", "rad/s", "5/7 v₀/R", 0, 1e-8}},
          rolling_errors};
}

}  // namespace perpend::verify
