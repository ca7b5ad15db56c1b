// Scenes that cannot be simulated name body or joint, field and reason.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "perpend/scene.hpp"
#include "scene/build.hpp"

namespace perpend {
namespace invalid_test {

using ::testing::HasSubstr;

Scene two_boxes() {
  Scene scene = scene::start("two", "two boxes and a hinge", "here");
  scene::add_floor(scene, 0.5, 5, 5);
  scene::add(scene, "lower", scene::box(1, 1, 1), 1, 0.5, {0, 0, 0.5});
  scene::add(scene, "upper", scene::box(1, 1, 1), 1, 0.5, {0, 0, 1.5});
  Joint hinge;
  hinge.first = 1;
  hinge.second = 2;
  scene.joints.push_back(hinge);
  return scene;
}

std::string complaint(const std::function<void(Scene&)>& spoil) {
  Scene scene = two_boxes();
  spoil(scene);
  return invalid(scene);
}

TEST(InvalidScene, SoundOneHasNoComplaint) { EXPECT_EQ(invalid(two_boxes()), ""); }

TEST(InvalidScene, BodyAndFieldAreNamed) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(complaint([](Scene& s) { s.bodies[1].mass = -1; }),
            "body 1 (lower): mass: negative or not finite");
  EXPECT_THAT(complaint([&](Scene& s) { s.bodies[2].pose.position.x() = nan; }),
              HasSubstr("body 2 (upper): position"));
  EXPECT_THAT(complaint([](Scene& s) { s.bodies[2].pose.orientation.w() = 2; }),
              HasSubstr("orientation"));
  EXPECT_THAT(complaint([](Scene& s) { s.bodies[1].mu = -0.1; }), HasSubstr("mu"));
  EXPECT_THAT(complaint([](Scene& s) { s.bodies[1].restitution = 1.1; }), HasSubstr("restitution"));
  EXPECT_THAT(complaint([](Scene& s) { s.bodies[1].velocity[5] = 1.0 / 0.0; }),
              HasSubstr("velocity"));
  EXPECT_THAT(complaint([](Scene& s) { s.step = 0; }), HasSubstr("step"));
  EXPECT_THAT(complaint([](Scene& s) { s.steps = -1; }), HasSubstr("steps"));
}

TEST(InvalidScene, IdsAreUniqueAmongBodiesAndAmongJoints) {
  const auto ids = [](std::int64_t first, std::int64_t second) {
    return complaint([&](Scene& s) {
      s.bodies[1].id = first;
      s.bodies[2].id = second;
      s.joints[0].id = first;
    });
  };
  EXPECT_EQ(ids(7, 0), "");
  EXPECT_EQ(ids(7, 7), "body 2 (upper): id: 7 occurs twice");
  EXPECT_EQ(ids(7, -1), "body 2 (upper): id: not in 0 ... 2^53");
  EXPECT_EQ(ids(7, (std::int64_t{1} << 53) + 1), "body 2 (upper): id: not in 0 ... 2^53");
}

TEST(InvalidScene, ShapesAreCheckedToTheirParts) {
  const auto with = [](Shape shape) {
    return complaint([&](Scene& s) { s.bodies[1].shape = shape; });
  };
  EXPECT_THAT(with(scene::box(1, 0, 1)), HasSubstr("shape/half_extents"));
  EXPECT_THAT(with(scene::sphere(-1)), HasSubstr("shape/radius"));
  EXPECT_THAT(with(scene::capsule(1, 0)), HasSubstr("shape/height"));
  EXPECT_THAT(with(scene::hull({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}})),
              HasSubstr("all lie in one plane"));
  EXPECT_THAT(with(scene::compound({})), HasSubstr("parts: none"));
  EXPECT_THAT(with(scene::compound({{scene::box(1, 1, 1), {}}, {scene::sphere(0), {}}})),
              HasSubstr("shape/parts 1/shape/radius"));
  Shape plane;
  plane.type = Shape::Type::plane;
  EXPECT_THAT(with(plane), HasSubstr("must be 0 for a plane"));
  Shape field;
  field.type = Shape::Type::height_field;
  field.rows = std::numeric_limits<Index>::max();
  field.columns = 2;
  EXPECT_THAT(with(field), HasSubstr("heights"));
  Shape mesh;
  mesh.type = Shape::Type::mesh;
  mesh.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  mesh.triangles = {{0, 1, 3}};
  EXPECT_THAT(with(mesh), HasSubstr("triangles 0: no point 3"));
}

TEST(InvalidScene, OnlyFixedBodiesMoveByThemselves) {
  Motion motion;
  motion.type = Motion::Type::conveyor;
  EXPECT_THAT(complaint([&](Scene& s) { s.bodies[1].motion = motion; }), HasSubstr("motion"));
  EXPECT_EQ(complaint([&](Scene& s) { s.bodies[0].motion = motion; }), "");
  motion.type = Motion::Type::path;
  EXPECT_THAT(complaint([&](Scene& s) { s.bodies[0].motion = motion; }), HasSubstr("keys"));
}

TEST(InvalidScene, JointsNeedTwoBodiesOneOfWhichMoves) {
  EXPECT_EQ(complaint([](Scene& s) { s.joints[0].second = 3; }), "joint 0: second: no body 3");
  EXPECT_THAT(complaint([](Scene& s) { s.joints[0].second = 1; }), HasSubstr("the same body"));
  EXPECT_THAT(complaint([](Scene& s) {
                s.joints[0].first = -1;
                s.joints[0].second = 0;
              }),
              HasSubstr("both are fixed"));
  EXPECT_THAT(complaint([](Scene& s) { s.joints[0].motors[5].max_force = -1; }),
              HasSubstr("max_force"));
}

TEST(InvalidScene, DrivesMustNotAddEnergyAndStandOnAxesThatMove) {
  const auto with = [](double Joint::Drive::*field, double value) {
    return complaint([&](Scene& s) { s.joints[0].drives[5].*field = value; });
  };
  using Drive = Joint::Drive;
  EXPECT_EQ(with(&Drive::stiffness, -1), "joint 0: drive: stiffness: negative");
  EXPECT_EQ(with(&Drive::damping, -1e-9), "joint 0: drive: damping: negative");
  EXPECT_EQ(with(&Drive::friction, -1), "joint 0: drive: friction: negative");
  EXPECT_EQ(with(&Drive::armature, -1), "joint 0: drive: armature: negative");
  EXPECT_EQ(with(&Drive::max_force, -1), "joint 0: drive: max_force: negative");
  EXPECT_EQ(with(&Drive::stiffness, Joint::kUnlimited), "joint 0: drive: stiffness: not finite");
  EXPECT_EQ(with(&Drive::force, std::nan("")), "joint 0: drive: force: not finite");
  EXPECT_EQ(with(&Drive::max_force, Joint::kUnlimited), "");
  EXPECT_EQ(with(&Drive::position, -1), "");
  EXPECT_EQ(complaint([](Scene& s) { s.joints[0].drives[2].stiffness = 1; }),
            "joint 0: drives 2: a hinge joint does not move along this axis");
  EXPECT_EQ(complaint([](Scene& s) {
              s.joints[0].type = Joint::Type::generic;
              s.joints[0].drives[2].stiffness = -1;
            }),
            "joint 0: drives 2: stiffness: negative");
}

TEST(InvalidScene, MimicFollowsAnotherHingeOrSlider) {
  const auto three = [](const std::function<void(Scene&)>& spoil) {
    return complaint([&](Scene& s) {
      s.joints.resize(3, s.joints[0]);
      spoil(s);
    });
  };
  EXPECT_EQ(three([](Scene& s) {
              s.joints[2].type = Joint::Type::slider;
              s.joints[0].mimic.joint = 2;
              s.joints[2].mimic = {1, -1, 0.5};
            }),
            "");
  EXPECT_EQ(three([](Scene& s) { s.joints[0].mimic.joint = 0; }), "joint 0: mimic: joint: itself");
  EXPECT_EQ(three([](Scene& s) {
              s.joints[0].mimic.joint = 1;
              s.joints[1].mimic.joint = 2;
              s.joints[2].mimic.joint = 1;
            }),
            "joint 1: mimic: joint: follows itself");
  EXPECT_EQ(three([](Scene& s) { s.joints[0].mimic.joint = 3; }),
            "joint 0: mimic: joint: no joint 3");
  EXPECT_EQ(three([](Scene& s) {
              s.joints[1].type = Joint::Type::point;
              s.joints[0].mimic.joint = 1;
            }),
            "joint 0: mimic: joint: a point joint has no coordinate to follow; hinges and sliders "
            "have");
  EXPECT_EQ(three([](Scene& s) {
              s.joints[0].mimic = {1, 1.0 / 0.0, 0};
            }),
            "joint 0: mimic: ratio: not finite");
}

TEST(InvalidScene, PairsThatCannotTouchAreTwoBodies) {
  EXPECT_EQ(complaint([](Scene& s) { s.apart = {{0, 2}, {1, 3}}; }), "apart 1: no body 3");
  EXPECT_EQ(complaint([](Scene& s) { s.apart = {{0, -1}}; }), "apart 0: no body -1");
  EXPECT_EQ(complaint([](Scene& s) { s.apart = {{1, 1}}; }), "apart 0: the same body");
}

// The product of two lengths stays below the longest lever of a recording, 1e70 m.
TEST(InvalidScene, NumbersThatNoRecordingHoldsAreNamed) {
  EXPECT_EQ(complaint([](Scene& s) { s.bodies[1].mass = 1e300; }),
            "body 1 (lower): mass: is outside 1e-140 to 1e140 kg");
  EXPECT_EQ(complaint([](Scene& s) { s.bodies[1].mass = 1e-139; }), "");
  EXPECT_EQ(complaint([](Scene& s) {
              s.bodies[1].mass = 1e-139;
              s.bodies[1].shape.half_extents.setConstant(1e-10);
            }),
            "body 1 (lower): mass: the inertia of its shape is outside 1e-140 to 1e140 kg m^2");
  EXPECT_EQ(complaint([](Scene& s) { s.bodies[1].shape.half_extents[2] = 1e100; }),
            "body 1 (lower): shape/half_extents: not in 1e-30 ... 1e30");
  EXPECT_EQ(complaint([](Scene& s) { s.bodies[1].pose.position[0] = -1e31; }),
            "body 1 (lower): position: beyond 1e30");
  EXPECT_EQ(complaint([](Scene& s) { s.bodies[1].mu = 1e200; }), "body 1 (lower): mu: beyond 1e30");
  EXPECT_EQ(complaint([](Scene& s) { s.joints[0].limits[5].lower = -1e300; }),
            "joint 0: limits: beyond 1e30");
  EXPECT_EQ(complaint([](Scene& s) { s.joints[0].drives[5].stiffness = 1e-310; }),
            "joint 0: drive: stiffness: is outside 1e-140 to 1e140");
  EXPECT_EQ(complaint([](Scene& s) { s.gravity[2] = -1e300; }), "gravity: beyond 1e30");
  EXPECT_EQ(complaint([](Scene& s) { s.step = 1e-300; }), "step: not in 1e-30 ... 1e30");
}

TEST(InvalidScene, InertiaMustBeThatOfABody) {
  EXPECT_THAT(complaint([](Scene& s) { s.bodies[1].inertia = -Matrix3d::Identity(); }),
              HasSubstr("positive definite"));
  EXPECT_THAT(complaint([](Scene& s) {
                Matrix3d m = Matrix3d::Identity();
                m(0, 1) = 0.5;
                s.bodies[1].inertia = m;
              }),
              HasSubstr("symmetric"));
}

}  // namespace invalid_test
}  // namespace perpend
