// A scene in ODE is the scene: shapes are where they are said to be, joints turn the way they are
// said to, scripted bodies move as their script says; and what cannot be expressed is named.
#include "capture/ode/scene.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "capture/ode/runs.hpp"

namespace perpend::capture::from_ode {
namespace scene_test {

Body support(Shape shape) {
  Body body;
  body.name = "support";
  body.shape = std::move(shape);
  return body;
}
Body mover(Shape shape, double height) {
  Body body;
  body.name = "mover";
  body.shape = std::move(shape);
  body.mass = 2;
  body.pose.position = Vector3d(0.1, 0.05, height);
  return body;
}

Shape shape_of(Shape::Type type) {
  Shape shape;
  shape.type = type;
  shape.half_extents = Vector3d(0.3, 0.3, 0.3);
  shape.radius = 0.3;
  shape.height = 0.6;
  if (type == Shape::Type::hull)
    for (int i = 0; i < 8; ++i)
      shape.points.emplace_back(i & 1 ? 0.3 : -0.3, i & 2 ? 0.3 : -0.3, i & 4 ? 0.3 : -0.3);
  if (type == Shape::Type::compound) {  // two boxes side by side, and the centre beside the origin
    Part left{shape_of(Shape::Type::box), {}}, right = left;
    left.pose.position.x() = -0.1;
    right.pose.position.x() = 0.5;
    shape.parts = {left, right};
  }
  if (type == Shape::Type::mesh) {
    shape.points = {{-3, -3, 0}, {3, -3, 0}, {3, 3, 0}, {-3, 3, 0}};
    shape.triangles = {{0, 1, 2}, {0, 2, 3}};
  }
  if (type == Shape::Type::height_field) {
    shape.rows = 7;
    shape.columns = 9;
    shape.spacing = 0.75;
    shape.heights.assign(63, 0.0);
  }
  return shape;
}

// The height of the mover's origin where it touches z = 0.
double resting(Shape::Type type) { return type == Shape::Type::capsule ? 0.6 : 0.3; }

TEST(OdeScene, EveryShapeRestsOnEverySupport) {
  for (const Shape::Type floor : {Shape::Type::plane, Shape::Type::box, Shape::Type::mesh,
                                  Shape::Type::height_field, Shape::Type::hull})
    for (const Shape::Type type :
         {Shape::Type::box, Shape::Type::sphere, Shape::Type::cylinder, Shape::Type::capsule,
          Shape::Type::hull, Shape::Type::compound}) {
      Scene scene;
      scene.step = 0.005;
      Body below = support(shape_of(floor));
      if (floor == Shape::Type::box) {
        below.shape.half_extents = Vector3d(3, 3, 0.5);
        below.pose.position.z() = -0.5;
      }
      if (floor == Shape::Type::hull) {
        for (Vector3d& point : below.shape.points) point *= 10;
        below.pose.position.z() = -3;
      }
      scene.bodies = {below, mover(shape_of(type), resting(type) + 0.002)};
      OdeScene inside(scene, scene.step);
      for (int k = 0; k < 60; ++k) inside.step(OdeMethod::quick_step);
      const double centre = centre_of_mass(scene.bodies[1]).z();
      EXPECT_NEAR(dBodyGetPosition(inside.body(1))[2] - centre, resting(type), 0.01)
          << name(type) << " on " << name(floor);
    }
}

TEST(OdeScene, SlopeOfAHeightFieldRisesTheWayTheSceneSays) {
  Scene scene;
  scene.step = 0.005;
  Shape field = shape_of(Shape::Type::height_field);
  for (Index r = 0; r < field.rows; ++r)
    for (Index c = 0; c < field.columns; ++c)
      field.heights[static_cast<std::size_t>(r * field.columns + c)] =
          0.75 * (0.1 * static_cast<double>(c - 4) + 0.2 * static_cast<double>(r - 3));
  Body ball = mover(shape_of(Shape::Type::sphere), 0.6);
  ball.shape.radius = 0.1;
  ball.pose.position = Vector3d(0.9, 0.8, 0.1 * 0.9 + 0.2 * 0.8 + 0.15);
  scene.bodies = {support(field), ball};
  std::vector<OdeStep> steps = recorded(scene, OdeMethod::step, 40);
  const OdeStep& last = steps.back();
  ASSERT_GT(last.record.frame.contacts.count(), 0);
  const bool ball_first = !last.record.frame.bodies.fixed(last.record.frame.contacts.pairs(0, 0));
  const Vector3d normal =
      (ball_first ? -1.0 : 1.0) * last.record.frame.contacts.normals.row(0).transpose();
  EXPECT_LT((normal - Vector3d(-0.1, -0.2, 1).normalized()).norm(), 1e-9);
}

// Speeds and limits are those of the second body relative to the first, whichever is the world.
class OdeTurning : public testing::TestWithParam<std::tuple<Joint::Type, bool>> {
 protected:
  Scene scene;
  std::size_t axis = 5;
  double sign = 1;  // of the body's own turn

  void SetUp() override {
    const auto [type, world_first] = GetParam();
    scene.gravity.setZero();
    scene.step = 0.005;
    scene.bodies = {mover(shape_of(Shape::Type::box), 0)};
    Joint joint;
    joint.type = type;
    joint.first = world_first ? -1 : 0;
    joint.second = world_first ? 0 : -1;
    joint.frame.position = scene.bodies[0].pose.position;
    joint.frame.orientation = Eigen::AngleAxisd(0.7, Vector3d(1, 2, 3).normalized());
    axis = type == Joint::Type::slider ? 2 : 5;
    sign = world_first ? 1 : -1;
    if (type == Joint::Type::generic)
      for (std::size_t k = 0; k < 5; ++k) joint.limits[k] = {0, 0};
    scene.joints = {joint};
  }
  Vector3d direction() const { return scene.joints[0].frame.orientation * Vector3d::UnitZ(); }
  double speed(OdeScene& inside) const {
    const dReal* v =
        axis == 2 ? dBodyGetLinearVel(inside.body(0)) : dBodyGetAngularVel(inside.body(0));
    return sign * direction().dot(Vector3d(v[0], v[1], v[2]));
  }
  double way(OdeScene& inside) const {
    if (axis == 2) {
      const dReal* p = dBodyGetPosition(inside.body(0));
      return sign * direction().dot(Vector3d(p[0], p[1], p[2]) - scene.bodies[0].pose.position);
    }
    const dReal* q = dBodyGetQuaternion(inside.body(0));
    return sign * 2 * std::atan2(direction().dot(Vector3d(q[1], q[2], q[3])), q[0]);
  }
};

TEST_P(OdeTurning, MotorDrivesTheSecondBodyRelativeToTheFirst) {
  scene.joints[0].motors[axis] = {true, 0.5, 1000};
  OdeScene inside(scene, scene.step);
  for (int k = 0; k < 20; ++k) inside.step(OdeMethod::step);
  EXPECT_NEAR(speed(inside), 0.5, 1e-6);
}

TEST_P(OdeTurning, LimitsHoldOnBothSides) {
  for (const double start : {1.0, -1.0}) {
    scene.joints[0].limits[axis] = {-0.3, 0.1};
    scene.bodies[0].velocity.setZero();
    if (axis == 2)
      scene.bodies[0].velocity.head<3>() = sign * start * direction();
    else
      scene.bodies[0].velocity.tail<3>() = sign * start * direction();
    OdeScene inside(scene, scene.step);
    double farthest = 0;
    for (int k = 0; k < 200; ++k) {
      inside.step(OdeMethod::step);
      farthest = std::max(farthest, start * way(inside));
    }
    EXPECT_NEAR(farthest, start > 0 ? 0.1 : 0.3, 0.01);
  }
}

INSTANTIATE_TEST_SUITE_P(Ode, OdeTurning,
                         testing::Values(std::tuple(Joint::Type::hinge, true),
                                         std::tuple(Joint::Type::hinge, false),
                                         std::tuple(Joint::Type::slider, true),
                                         std::tuple(Joint::Type::slider, false),
                                         std::tuple(Joint::Type::generic, true)),
                         [](const auto& one) {
                           return std::string(name(std::get<0>(one.param))) +
                                  (std::get<1>(one.param) ? "_from_the_world" : "_to_the_world");
                         });

TEST(OdeScene, ConveyorCarriesWhatLiesOnIt) {
  Scene scene;
  scene.step = 0.01;
  Body belt = support(shape_of(Shape::Type::box));
  belt.shape.half_extents = Vector3d(5, 1, 0.1);
  belt.pose.position.z() = -0.1;
  belt.motion = Motion{};
  belt.motion->type = Motion::Type::conveyor;
  belt.motion->velocity << 0.5, 0, 0, 0, 0, 0;
  scene.bodies = {belt, mover(shape_of(Shape::Type::box), 0.3)};
  OdeScene inside(scene, scene.step);
  for (int k = 0; k < 100; ++k) inside.step(OdeMethod::step);
  EXPECT_NEAR(dBodyGetLinearVel(inside.body(1))[0], 0.5, 1e-3);
  EXPECT_NEAR(dBodyGetPosition(inside.body(0))[0], 0, 0.011);  // it stays
}

std::string refusal(const Scene& scene) {
  try {
    OdeScene inside(scene, scene.step);
  } catch (const io::InputError& error) {
    return error.what();
  }
  return {};
}

TEST(OdeScene, WhatOdeCannotExpressIsNamed) {
  Scene cone;
  cone.name = "mine";
  cone.bodies = {support(shape_of(Shape::Type::plane)), mover(shape_of(Shape::Type::cone), 1)};
  EXPECT_EQ(refusal(cone), "mine: body 1 (mover): ODE has no cones");

  Scene loose = cone;
  loose.bodies[1].shape = shape_of(Shape::Type::box);
  Joint joint;
  joint.name = "sled";
  joint.type = Joint::Type::generic;
  joint.second = 1;
  loose.joints = {joint};
  EXPECT_NE(refusal(loose).find("mine: joint 0 (sled): "), std::string::npos);
  EXPECT_EQ(refusal(scene_of("ragdolls")), "");
}

}  // namespace scene_test
}  // namespace perpend::capture::from_ode
