// What drives, joints that follow others, and filters of a scene do in an engine, with the closed
// forms of implicit Euler.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <vector>

#include "capture/proof.hpp"

namespace perpend::capture {

// Balls of 1, 2, ... kg on sliders along z, 1 m apart, without gravity.
inline Scene sliders(int count) {
  Scene out;
  out.name = "sliders";
  out.gravity.setZero();
  for (int i = 0; i < count; ++i) {
    Body body;
    body.shape.type = Shape::Type::sphere;
    body.shape.radius = 0.1;
    body.mass = 1 + i;
    body.pose.position = Vector3d(i, 0, 0);
    out.bodies.push_back(body);
    Joint joint;
    joint.name = "slider " + std::to_string(i);
    joint.type = Joint::Type::slider;
    joint.first = -1;
    joint.second = i;
    joint.frame = body.pose;
    out.joints.push_back(joint);
  }
  return out;
}

// Heights of a body before each step.
inline std::vector<double> heights(const Engine& engine, const Scene& scene, int steps,
                                   std::int64_t body = 0) {
  EXPECT_EQ(invalid(scene), "");
  std::vector<double> out;
  run_scene(engine, task_of(engine, scene), steps, [&](const io::Record& record) {
    const Bodies& b = record.frame.bodies;
    const auto at = std::find(b.ids.begin(), b.ids.end(), body) - b.ids.begin();
    out.push_back(b.positions(at, 2));
    // The gap is relative: nothing is left of it in the rounding of a ball that stands.
    const double change = record.answer.velocities_plus(at, 2) - b.velocities(at, 2);
    if (std::abs(change) > 1e-3) {
      EXPECT_LT(momentum_gap(record), 1e-9);
    }
  });
  return out;
}

// m (v+ - v) = h (k (p - q+) + d (s - v+) + f), q+ = q + h v+, with targets of the step's end.
inline std::vector<double> implicit_euler(double mass, double h, int steps,
                                          const std::function<Joint::Drive(double)>& drive) {
  std::vector<double> out;
  double q = 0, v = 0;
  for (int i = 0; i < steps; ++i) {
    out.push_back(q);
    const Joint::Drive at = drive((i + 1) * h);
    const double k = at.stiffness, d = at.damping;
    const double force = k * (at.position - q) + d * at.speed;
    double plus = (mass * v + h * (force + at.force)) / (mass + h * d + h * h * k);
    const double pull = k * (at.position - q - h * plus) + d * (at.speed - plus);
    if (std::abs(pull) > at.max_force)
      plus = v + h / mass * (std::copysign(at.max_force, pull) + at.force);
    v = plus;
    q += h * v;
  }
  return out;
}

inline double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  EXPECT_EQ(a.size(), b.size());
  double out = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    out = worse(out, std::abs(a[i] - b[i]));
  return out;
}

// 1e-9 m: of motions of a metre, 60 steps of rounding and of solvers that converge to 1e-12.
inline void expect_implicit_drives(const Engine& engine) {
  constexpr int kSteps = 60;
  Scene scene = sliders(1);
  Joint::Drive& drive = scene.joints[0].drives[2];
  const auto expect_closed_form = [&](const char* what) {
    const auto at = [&](double time) {
      Joint::Drive now = drive;
      for (const Control& control : scene.control) now = controlled(now, control, time);
      return now;
    };
    EXPECT_LT(largest_difference(heights(engine, scene, kSteps),
                                 implicit_euler(1, scene.step, kSteps, at)),
              1e-9)
        << what;
  };
  drive.stiffness = 50;
  drive.damping = 3;
  drive.position = 0.5;
  expect_closed_form("a spring");
  drive.stiffness = 1e5;
  drive.damping = 0;
  expect_closed_form("a servo far stiffer than the step");
  drive.speed = 0.3;
  drive.damping = 200;
  expect_closed_form("a damper that wants a speed");
  drive.force = 7;
  expect_closed_form("a force");
  Control control;
  control.joint = 0;
  control.keys.resize(2);
  control.keys[0].position = 0;
  control.keys[1].time = 0.4;
  control.keys[1].position = 1;
  scene.control = {control};
  expect_closed_form("a control");
  drive.max_force = 20;
  expect_closed_form("a servo at its largest force");
}

// The second ball follows the first one, which is pushed: the push moves both, as one mass of
// m1 + r^2 m2 along the first one's coordinate.
inline void expect_mimic(const Engine& engine, double tolerance) {
  constexpr int kSteps = 60;
  constexpr double kForce = 3, kRatio = -2;
  Scene scene = sliders(2);
  scene.joints[0].drives[2].force = kForce;
  scene.joints[1].mimic = {0, kRatio, 0};
  const auto push = [&](double) { return scene.joints[0].drives[2]; };
  const std::vector<double> expected =
      implicit_euler(1 + kRatio * kRatio * 2, scene.step, kSteps, push);
  std::vector<double> follower = heights(engine, scene, kSteps, 1);
  EXPECT_LT(largest_difference(heights(engine, scene, kSteps, 0), expected), tolerance);
  for (double& height : follower) height /= kRatio;
  EXPECT_LT(largest_difference(follower, expected), tolerance);
}

// The push is to be larger than what dry friction holds.
inline void expect_dry_friction(const Engine& engine, double tolerance) {
  Scene scene = sliders(1);
  scene.joints[0].drives[2].friction = 2;
  scene.joints[0].drives[2].force = 1.9;
  EXPECT_LT(std::abs(heights(engine, scene, 30).back()), tolerance);
  scene.joints[0].drives[2].force = 3;
  Joint::Drive net;
  net.force = 1;
  EXPECT_LT(largest_difference(heights(engine, scene, 30),
                               implicit_euler(1, scene.step, 30, [&](double) { return net; })),
            tolerance);
}

// Two balls that overlap touch, unless a pair or their masks keep them apart.
inline void expect_filters(const Engine& engine) {
  Scene scene = sliders(2);
  scene.bodies[1].pose.position = scene.joints[1].frame.position = Vector3d(0.15, 0, 0);
  const auto touch = [&](const Scene& given) {
    return records_of(engine, task_of(engine, given), 1).front().frame.contacts.count() > 0;
  };
  EXPECT_TRUE(touch(scene));
  Scene pair = scene;
  pair.apart = {{1, 0}};
  EXPECT_FALSE(touch(pair));
  Scene masked = scene;
  masked.bodies[0].group = 2;
  masked.bodies[1].mask = 1;
  EXPECT_FALSE(touch(masked));
  masked.bodies[1].mask = 3;
  EXPECT_TRUE(touch(masked));
}

// The model that comes with the first frame has these names, and rows of joints have its ids.
inline void expect_names(const io::Record& record, const std::vector<std::string>& bodies,
                         const std::vector<std::string>& joints) {
  const auto expect_in = [](const std::vector<io::NameText>& names,
                            const std::vector<std::string>& wanted) {
    for (const std::string& name : wanted)
      EXPECT_EQ(std::count_if(names.begin(), names.end(),
                              [&](const io::NameText& one) { return one.str() == name; }),
                1)
          << name;
  };
  expect_in(record.model.body_names, bodies);
  expect_in(record.model.joint_names, joints);
  EXPECT_EQ(invalid(record.model), "");
  ASSERT_EQ(static_cast<Index>(record.joint_ids.size()), record.frame.joints.count());
  const Integers& ids = record.model.joint_ids;
  EXPECT_TRUE(std::any_of(record.joint_ids.begin(), record.joint_ids.end(), [&](std::int64_t id) {
    return std::find(ids.begin(), ids.end(), id) != ids.end();
  }));
}

// Rows of joints say which joint of the scene they are of, in every step the same, and lead from
// its first body to its second, on which the joint's force is.
inline void expect_joint_ids(const Engine& engine, const std::string& scene) {
  const Scene given = scene_of(scene);
  for (const io::Record& record : records_of(engine, task_of(engine, given), 5)) {
    ASSERT_EQ(static_cast<Index>(record.joint_ids.size()), record.frame.joints.count());
    std::vector<std::int64_t> found = record.joint_ids;
    std::ranges::sort(found);
    found.erase(std::unique(found.begin(), found.end()), found.end());
    ASSERT_EQ(found.size(), given.joints.size());
    for (std::size_t k = 0; k < found.size(); ++k)
      EXPECT_EQ(found[k], static_cast<std::int64_t>(k));
    for (Index k = 0; k < record.frame.joints.count(); ++k) {
      const Joint& joint =
          given.joints[static_cast<std::size_t>(record.joint_ids[static_cast<std::size_t>(k)])];
      for (Index side = 0; side < 2; ++side) {
        const Index body = side == 0 ? joint.first : joint.second;
        const std::int64_t linked =
            record.frame.bodies.ids[static_cast<std::size_t>(record.frame.joints.pairs(k, side))];
        const bool fixed = given.bodies[static_cast<std::size_t>(body)].mass == 0;
        EXPECT_TRUE(linked == body || (fixed && linked == -1))  // fixed ones may be the world
            << "joint " << k << ", side " << side;
      }
    }
  }
}

}  // namespace perpend::capture
