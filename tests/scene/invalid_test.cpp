// Scenes that cannot be simulated name body or joint, field and reason.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

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
