// The same scene turned, and in other units of mass, length and time: the same motion, turned or in
// those units. One scene has a bit of everything that is not chaotic: a block that turns while it
// slides to rest, balls that bounce, a stack that is hit softly, two bars on a hinge and a ball
// joint.
#include <algorithm>
#include <cmath>

#include "verify/cases.hpp"
#include "verify/make.hpp"

namespace perpend::verify {
namespace {

constexpr double kDuration = 1;  // s

Scene a_bit_of_everything() {
  Scene scene;
  scene.name = "a bit of everything";
  scene.bodies = {ground(0.5)};
  scene.bodies[0].restitution = 0.6;
  const auto add = [&](const Body& body) -> Body& {
    scene.bodies.push_back(body);
    return scene.bodies.back();
  };
  add(moving(box({1, 0.6, 0.2}), 2, {0, 0, 0.1})).velocity << 2, 0.5, 0, 0, 0, 3;
  Body& ball = add(moving(sphere(0.2), 0.5, {3, 0, 0.9}));
  ball.restitution = 0.6;
  ball.velocity << 0.3, 0.2, 0, 4, -3, 2;
  for (int i = 0; i < 3; ++i) add(moving(box({0.5, 0.5, 0.5}), 1, {6, 0, 0.25 + 0.5 * i}));
  const auto first = static_cast<Index>(scene.bodies.size());
  add(moving(box({1, 0.1, 0.1}), 1, {0.5, 5, 4}));
  add(moving(box({1, 0.1, 0.1}), 1, {1.5, 5, 4})).velocity << 0, 0.2, 0, 0.3, 0, 0.4;
  scene.joints = {joint(Joint::Type::hinge, -1, first,
                        {Vector3d(0, 5, 4), about(Vector3d::UnitX(), -90 * kDegree)}),
                  joint(Joint::Type::point, first, first + 1, {Vector3d(1, 5, 4), {}})};
  scene.joints[1].frame.orientation.setIdentity();
  return scene;
}

struct Units {
  double mass, length, time;
};

Scene in_units(Scene scene, const Units& unit) {
  const double speed = unit.length / unit.time;
  scene.gravity *= speed / unit.time;
  for (Body& body : scene.bodies) {
    body.shape.half_extents *= unit.length;
    body.shape.radius *= unit.length;
    body.shape.height *= unit.length;
    body.mass *= unit.mass;
    body.pose.position *= unit.length;
    body.velocity.head<3>() *= speed;
    body.velocity.tail<3>() /= unit.time;
  }
  for (Joint& one : scene.joints) one.frame.position *= unit.length;
  return scene;
}

// The largest difference of any moving body's position at any time, m.
double difference(const Scene& scene, const Path& path, const Path& copy, const Quaterniond& turn,
                  double length) {
  double worst = 0;
  for (std::size_t k = 0; k < std::min(path.size(), copy.size()); ++k)
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
      const auto row = static_cast<Index>(i);
      if (scene.bodies[i].mass > 0)
        worst = std::max(worst,
                         (turn * position(path[k], row) - position(copy[k], row) / length).norm());
    }
  return worst;
}

std::vector<double> rotated_errors(const Simulator& simulate, double h) {
  const Scene scene = a_bit_of_everything();
  const Path path = simulate(scene, h, kDuration);
  std::vector<double> out;
  for (const Quaterniond& turn : {about(Vector3d::UnitZ(), 90 * kDegree), about({1, 2, 3}, 2.0)})
    out.push_back(difference(scene, path, simulate(turned(scene, turn), h, kDuration), turn, 1));
  return out;
}

std::vector<double> rescaled_errors(const Simulator& simulate, double h) {
  const Scene scene = a_bit_of_everything();
  const Path path = simulate(scene, h, kDuration);
  std::vector<double> out;
  for (const Units& unit : {Units{1000, 1, 1}, Units{1, 0.3048, 1}, Units{1, 1, 0.7},
                            Units{1.0 / 512, 2, 0.5}, Units{0.4536, 3.2, 1.3}})
    out.push_back(difference(scene, path,
                             simulate(in_units(scene, unit), h * unit.time, kDuration * unit.time,
                                      unit.length / unit.time),
                             Quaterniond::Identity(), unit.length));
  return out;
}

}  // namespace

Case rotated() {
  return {
      "rotated",
      "a scene and its copy turned in space, gravity too",
      "A block that turns while it slides to rest, a ball that bounces with spin, three stacked "
      "boxes, two bars on a hinge and a ball joint, for 1 s. The error is the largest "
      "difference of any position at any time. No direction is special: only rounding and the "
      "solver's tolerance remain.",
      kStep,
      {{"90° about z", "m", "the turned motion", 0, 1e-7},
       {"2 rad about (1, 2, 3)", "m", "the turned motion", 0, 1e-7}},
      rotated_errors};
}

Case rescaled() {
  return {
      "rescaled",
      "the same scene in other units",
      "The scene of `rotated` with scaled masses, lengths and times; h and the solver's tolerance "
      "are scaled, too. The difference is in metres of the original. No unit is special as long as "
      "lengths stay far above the tolerances in metres (1e-4 m within which contacts are found, "
      "1e-5 m and 1e-6 m in the outlines of contact patches, 1e-10 m of the position correction), "
      "and speeds above 0.01 m/s, below which nothing bounces. A joint may be open by 1e-10 m; the "
      "next step closes it at 1e-10 m / h, and 1920 of those add up to at most 2e-7 m.",
      kStep,
      {{"mass × 1000", "m", "the same", 0, 1e-7},
       {"length × 0.3048", "m", "the same", 0, 1e-7},
       {"time × 0.7", "m", "the same", 0, 1e-7},
       {"mass / 512, length × 2, time / 2", "m", "the same", 0, 1e-7},
       {"mass × 0.4536, length × 3.2, time × 1.3", "m", "the same", 0, 1e-7}},
      rescaled_errors};
}

}  // namespace perpend::verify
