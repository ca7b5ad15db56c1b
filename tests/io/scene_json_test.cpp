// Scenes in JSON: every built-in one comes back bit for bit, and every mistake is named.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "io/files.hpp"
#include "perpend/io.hpp"

namespace perpend::io {
namespace scene_json_test {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// Bits, so that -0 is not 0 and nothing hides in a tolerance.
template <class A, class B>
bool same_bits(const A& a, const B& b) {
  if (a.size() != b.size()) return false;
  for (Index i = 0; i < static_cast<Index>(a.size()); ++i)
    if (std::memcmp(&a.data()[i], &b.data()[i], sizeof(double)) != 0) return false;
  return true;
}
bool same_bits(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }

template <class T>
bool same_optional(const std::optional<T>& a, const std::optional<T>& b) {
  return a.has_value() == b.has_value() && (!a || same_bits(*a, *b));
}

bool same(const Pose& a, const Pose& b) {
  return same_bits(a.position, b.position) &&
         same_bits(a.orientation.coeffs(), b.orientation.coeffs());
}

bool same(const Shape& a, const Shape& b) {
  bool equal = a.type == b.type && same_bits(a.half_extents, b.half_extents) &&
               same_bits(a.radius, b.radius) && same_bits(a.height, b.height) &&
               a.points.size() == b.points.size() && a.triangles == b.triangles &&
               a.rows == b.rows && a.columns == b.columns && same_bits(a.spacing, b.spacing) &&
               same_bits(a.heights, b.heights) && a.parts.size() == b.parts.size();
  for (std::size_t i = 0; equal && i < a.points.size(); ++i)
    equal = same_bits(a.points[i], b.points[i]);
  for (std::size_t i = 0; equal && i < a.parts.size(); ++i)
    equal = same(a.parts[i].shape, b.parts[i].shape) && same(a.parts[i].pose, b.parts[i].pose);
  return equal;
}

bool same(const Motion& a, const Motion& b) {
  bool equal = a.type == b.type && a.keys.size() == b.keys.size() &&
               same_bits(a.direction, b.direction) && same_bits(a.amplitude, b.amplitude) &&
               same_bits(a.frequency, b.frequency) && same_bits(a.phase, b.phase) &&
               same_bits(a.velocity, b.velocity);
  for (std::size_t i = 0; equal && i < a.keys.size(); ++i)
    equal = same_bits(a.keys[i].time, b.keys[i].time) &&
            same_bits(a.keys[i].velocity, b.keys[i].velocity);
  return equal;
}

bool same(const Body& a, const Body& b) {
  return a.name == b.name && same(a.shape, b.shape) && same_bits(a.mass, b.mass) &&
         same_optional(a.centre_of_mass, b.centre_of_mass) && same_optional(a.inertia, b.inertia) &&
         same_bits(a.mu, b.mu) && same_bits(a.restitution, b.restitution) && same(a.pose, b.pose) &&
         same_bits(a.velocity, b.velocity) && a.group == b.group && a.mask == b.mask &&
         a.motion.has_value() == b.motion.has_value() && (!a.motion || same(*a.motion, *b.motion));
}

bool same(const Joint& a, const Joint& b) {
  bool equal = a.name == b.name && a.type == b.type && a.first == b.first && a.second == b.second &&
               same(a.frame, b.frame) && a.collide == b.collide && a.mimic.joint == b.mimic.joint &&
               same_bits(a.mimic.ratio, b.mimic.ratio) && same_bits(a.mimic.offset, b.mimic.offset);
  for (std::size_t k = 0; k < 6; ++k)
    for (const DriveField& field : drive_fields())
      equal = equal && same_bits(a.drives[k].*field.member, b.drives[k].*field.member);
  for (std::size_t k = 0; k < 6; ++k)
    equal = equal && same_bits(a.limits[k].lower, b.limits[k].lower) &&
            same_bits(a.limits[k].upper, b.limits[k].upper) && a.motors[k].on == b.motors[k].on &&
            same_bits(a.motors[k].speed, b.motors[k].speed) &&
            same_bits(a.motors[k].max_force, b.motors[k].max_force);
  return equal;
}

void expect_same(const Scene& a, const Scene& b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.title, b.title);
  EXPECT_EQ(a.source, b.source);
  EXPECT_TRUE(same_bits(a.gravity, b.gravity));
  EXPECT_TRUE(same_bits(a.step, b.step));
  EXPECT_EQ(a.steps, b.steps);
  EXPECT_EQ(a.seed, b.seed);
  EXPECT_EQ(a.at_rest, b.at_rest);
  EXPECT_EQ(a.stands, b.stands);
  ASSERT_EQ(a.bodies.size(), b.bodies.size());
  for (std::size_t i = 0; i < a.bodies.size(); ++i)
    EXPECT_TRUE(same(a.bodies[i], b.bodies[i])) << a.name << ", body " << i;
  ASSERT_EQ(a.joints.size(), b.joints.size());
  for (std::size_t i = 0; i < a.joints.size(); ++i)
    EXPECT_TRUE(same(a.joints[i], b.joints[i])) << a.name << ", joint " << i;
  EXPECT_EQ(a.apart, b.apart);
}

Scene round_trip(const Scene& scene) {
  const test::Scratch scratch;
  const std::string path = scratch.path("scene.json");
  write_scene(scene, path);
  EXPECT_EQ(kind_of(path), Kind::scene);
  EXPECT_EQ(test::contents(path), to_json(scene));
  return read_scene(path);
}

TEST(SceneJson, EveryBuiltInSceneComesBackBitForBit) {
  for (const SceneInfo& info : scenes()) {
    const Scene scene = info.make(info.parameter, 5);
    expect_same(scene, round_trip(scene));
  }
}

// One of everything that the built-in scenes do not have.
Scene everything() {
  Scene scene;
  scene.name = "tout \"compris\"\n";
  scene.seed = ~std::uint64_t{0};
  scene.steps = 0;
  scene.stands = true;
  scene.gravity = Vector3d(-0.0, 0.1, 1e-300);
  Body field;
  field.shape.type = Shape::Type::height_field;
  field.shape.rows = 2;
  field.shape.columns = 3;
  field.shape.spacing = 0.1;
  field.shape.heights = {0, 1.0 / 3, -0.0, 2, 5e-324, 1};
  Motion belt;
  belt.type = Motion::Type::conveyor;
  belt.velocity << 1, 2, 3, 4, 5, 6;
  field.motion = belt;
  Body mesh;
  mesh.shape.type = Shape::Type::mesh;
  mesh.shape.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  mesh.shape.triangles = {{0, 1, 2}};
  Body plane;
  plane.shape.type = Shape::Type::plane;
  Body ball;
  ball.shape.type = Shape::Type::sphere;
  ball.mass = 1.0 / 3;
  ball.restitution = 0.3;
  ball.centre_of_mass = Vector3d(0.01, 0.02, 0.03);
  ball.inertia = Matrix3d(Vector3d(0.1, 0.2, 0.25).asDiagonal());
  scene.bodies = {field, mesh, plane, ball};
  for (const Joint::Type type : {Joint::Type::hinge, Joint::Type::point, Joint::Type::slider,
                                 Joint::Type::generic, Joint::Type::fixed}) {
    Joint joint;
    joint.type = type;
    joint.second = 3;
    joint.collide = true;
    scene.joints.push_back(joint);
  }
  const double infinity = std::numeric_limits<double>::infinity();
  scene.joints[0].limits[5] = {0, infinity};
  scene.joints[0].motors[5] = {true, -1, infinity};
  scene.joints[2].limits[2] = {-infinity, 0.5};
  scene.joints[3].limits[1] = {0, 0};
  scene.joints[3].limits[4] = {-0.5, 0.25};
  scene.joints[3].motors[3] = {true, 1, 2};
  double x = 0;
  for (Joint& joint : scene.joints)
    for (const std::size_t k : free_axes(joint.type))
      for (const DriveField& one : drive_fields()) joint.drives[k].*one.member = x += 1.0 / 3;
  scene.joints[2].drives[2].max_force = infinity;
  scene.joints[2].drives[2].position = -0.1;
  scene.joints[3].drives[1] = {};
  scene.joints[0].mimic = {2, -0.5, 0.1};
  scene.bodies[3].group = 6;
  scene.bodies[3].mask = 0xfffffff0u;
  scene.apart = {{3, 0}, {1, 3}};
  return scene;
}

TEST(SceneJson, EveryKindOfShapeJointAndMotionComesBack) {
  const Scene scene = everything();
  ASSERT_EQ(invalid(scene), "");
  expect_same(scene, round_trip(scene));
}

// Behind "FILE: ", or "FILE:" where a position follows.
std::string complaint_about(const std::string& text) {
  const test::Scratch scratch;
  const std::string path = scratch.write("scene.json", text);
  const std::string said = test::complaint([&] { read_scene(path); });
  EXPECT_THAT(said, Not(HasSubstr("\n")));
  EXPECT_THAT(said, StartsWith(path + ":")) << text;
  const std::size_t told = said.find_first_not_of(' ', path.size() + 1);
  return told == std::string::npos ? "" : said.substr(told);
}

std::string scene_with(const std::string& rest) {
  return R"({"format": "perpend-scene", )" + rest + "}";
}
std::string body_with(const std::string& fields) {
  return scene_with(R"("bodies": [{"shape": {"type": "sphere", "radius": 1}, )" + fields + "}]");
}
std::string shape_of(const std::string& shape) {
  return scene_with(R"("bodies": [{"shape": )" + shape + "}]");
}
std::string joint_with(const std::string& fields) {
  return scene_with(
      R"("bodies": [{"shape": {"type": "sphere", "radius": 1}, "mass": 1}], "joints": [{)" +
      fields + "}]");
}

TEST(SceneJson, ShortestSceneHasTheDefaults) {
  const test::Scratch scratch;
  const Scene scene = read_scene(scratch.write("s.json", body_with(R"("mass": 2)")));
  EXPECT_EQ(scene.gravity.z(), -9.81);
  EXPECT_EQ(scene.step, 1.0 / 60);
  EXPECT_EQ(scene.steps, 600);
  EXPECT_EQ(scene.seed, 1u);
  EXPECT_EQ(scene.bodies[0].mu, 0.5);
  EXPECT_EQ(scene.bodies[0].pose.orientation.w(), 1);
  EXPECT_TRUE(scene.joints.empty());
}

TEST(SceneJson, MissingAndUnknownFieldsAreNamed) {
  EXPECT_EQ(complaint_about("{}"), "format is missing");
  EXPECT_THAT(complaint_about(R"({"format": "scene"})"), HasSubstr("format: expected"));
  EXPECT_EQ(complaint_about(scene_with(R"("step": 1)")), "bodies is missing");
  EXPECT_THAT(complaint_about(scene_with(R"("format_version": 2, "bodies": [])")),
              HasSubstr("format_version"));
  EXPECT_THAT(complaint_about(body_with(R"("mas": 1)")),
              HasSubstr("bodies 0/mas is not a known field"));
  EXPECT_THAT(complaint_about(shape_of(R"({"type": "box", "radius": 1})")),
              HasSubstr("bodies 0/shape/half_extents is missing"));
  EXPECT_THAT(complaint_about(shape_of(R"({"type": "sphere", "radius": 1, "height": 1})")),
              HasSubstr("bodies 0/shape/height is not a known field"));
  EXPECT_THAT(complaint_about(shape_of(R"({"type": "ball"})")), HasSubstr("is not one of box"));
  EXPECT_THAT(complaint_about(shape_of("{}")), HasSubstr("bodies 0/shape/type is missing"));
  EXPECT_THAT(complaint_about(joint_with(R"("type": "hinge", "first": 0)")),
              HasSubstr("joints 0/second is missing"));
  EXPECT_THAT(
      complaint_about(joint_with(R"("type": "point", "first": 0, "second": -1, "limit": null)")),
      HasSubstr("joints 0/limit is not a known field"));
}

TEST(SceneJson, WrongTypesAreNamed) {
  EXPECT_EQ(complaint_about("[]"), "expected one object");
  EXPECT_THAT(complaint_about("{\"format\""), StartsWith("1:10: syntax error"));
  EXPECT_THAT(complaint_about(scene_with(R"("bodies": 3)")),
              HasSubstr("bodies: expected an array"));
  EXPECT_EQ(complaint_about(scene_with(R"("bodies": [3])")),
            "bodies 0: expected an object, found number");
  EXPECT_THAT(complaint_about(scene_with(R"("bodies": [], "at_rest": 1)")),
              HasSubstr("at_rest: expected true or false"));
  EXPECT_THAT(complaint_about(scene_with(R"("bodies": [], "seed": -1)")), HasSubstr("seed"));
  EXPECT_THAT(complaint_about(scene_with(R"("bodies": [], "steps": 1.5)")), HasSubstr("steps"));
  EXPECT_THAT(complaint_about(body_with(R"("position": [1, 2])")),
              HasSubstr("bodies 0/position: 2 numbers, expected 3"));
  EXPECT_THAT(complaint_about(body_with(R"("mass": "1")")), HasSubstr("bodies 0/mass"));
  EXPECT_THAT(complaint_about(body_with(R"("inertia": [[1, 0, 0]])")),
              HasSubstr("bodies 0/inertia"));
  EXPECT_THAT(complaint_about(shape_of(R"({"type": "compound", "parts": [3]})")),
              HasSubstr("bodies 0/shape/parts 0: expected an object"));
  EXPECT_THAT(
      complaint_about(shape_of(R"({"type": "mesh", "points": [[0,0,0]], "triangles": [[0, 0]]})")),
      HasSubstr("bodies 0/shape/triangles row 0"));
  EXPECT_THAT(complaint_about(joint_with(R"("type": "hinge", "first": 0, "second": -1,
                                             "limit": [1])")),
              HasSubstr("joints 0/limit: expected [lower, upper] or null"));
  EXPECT_THAT(complaint_about(joint_with(R"("type": "hinge", "first": 0, "second": -1,
                                             "limit": [1, -1])")),
              HasSubstr("lower is above upper"));
  EXPECT_THAT(complaint_about(joint_with(R"("type": "hinge", "first": 0, "second": -1,
                                             "motor": {"speed": 1})")),
              HasSubstr("joints 0/motor/max_force is missing"));
  EXPECT_THAT(complaint_about(joint_with(R"("type": "generic", "first": 0, "second": -1,
                                             "limits": [null])")),
              HasSubstr("joints 0/limits: expected six entries"));
  EXPECT_THAT(complaint_about(body_with(R"("motion": {"type": "path", "keys": [{}]})")),
              HasSubstr("bodies 0/motion/keys 0/time is missing"));
}

TEST(SceneJson, DriveHasDefaultsAndMimicMayNameAJoint) {
  const test::Scratch scratch;
  const std::string hinge = R"({"name": "elbow", "type": "hinge", "first": -1, "second": 0)";
  const Scene scene = read_scene(scratch.write(
      "s.json", scene_with(R"("bodies": [{"shape": {"type": "sphere", "radius": 1}, "mass": 1}],
                 "joints": [)" +
                           hinge + R"(, "drive": {"stiffness": 3, "max_force": null}},
                 {"type": "slider", "first": -1, "second": 0, "drive": null,
                  "mimic": {"joint": "elbow", "ratio": 2}},
                 {"type": "point", "first": -1, "second": 0,
                  "drives": [null, null, null, {"damping": 1}, null, null]}])")));
  EXPECT_EQ(scene.joints[0].drives[5].stiffness, 3);
  EXPECT_EQ(scene.joints[0].drives[5].max_force, Joint::kUnlimited);
  EXPECT_EQ(scene.joints[0].drives[5].armature, 0);
  EXPECT_EQ(scene.joints[1].drives[2], Joint::Drive{});
  EXPECT_EQ(scene.joints[1].mimic.joint, 0);
  EXPECT_EQ(scene.joints[1].mimic.ratio, 2);
  EXPECT_EQ(scene.joints[2].drives[3].damping, 1);
}

TEST(SceneJson, WhatIsWrongWithADriveAMimicOrAFilterIsNamed) {
  const auto hinge = [](const std::string& rest) {
    return complaint_about(joint_with(R"("type": "hinge", "first": -1, "second": 0, )" + rest));
  };
  EXPECT_THAT(hinge(R"("drive": {"stifness": 1})"),
              StartsWith("joints 0/drive/stifness is not a known field"));
  EXPECT_THAT(hinge(R"("drive": {"stiffness": null})"), StartsWith("joints 0/drive/stiffness: "));
  EXPECT_EQ(hinge(R"("drive": {"damping": -1})"), "joint 0: drive: damping: negative");
  EXPECT_THAT(hinge(R"("drive": 3)"), HasSubstr("joints 0/drive: expected an object"));
  EXPECT_THAT(hinge(R"("drives": [])"), HasSubstr("joints 0/drives is not a known field"));
  EXPECT_EQ(hinge(R"("mimic": {"joint": 0})"), "joint 0: mimic: joint: itself");
  EXPECT_EQ(hinge(R"("mimic": {"joint": 7})"), "joint 0: mimic: joint: no joint 7");
  EXPECT_EQ(hinge(R"("mimic": {"joint": -1})"), "joints 0/mimic/joint: no joint -1");
  EXPECT_EQ(hinge(R"("mimic": {"joint": "knee"})"),
            "joints 0/mimic/joint: no joint is called \"knee\"");
  EXPECT_THAT(hinge(R"("mimic": {})"), HasSubstr("joints 0/mimic/joint is missing"));
  EXPECT_EQ(complaint_about(scene_with(
                R"("bodies": [{"shape": {"type": "sphere", "radius": 1}, "mass": 1}], "joints":
                   [{"name": "a", "type": "hinge", "first": -1, "second": 0},
                    {"name": "a", "type": "hinge", "first": -1, "second": 0},
                    {"type": "hinge", "first": -1, "second": 0, "mimic": {"joint": "a"}}])")),
            "joints 2/mimic/joint: several joints are called \"a\"");
  EXPECT_EQ(complaint_about(body_with(R"("group": -1)")), "bodies 0/group: not in 0 ... 2^32 - 1");
  EXPECT_EQ(complaint_about(body_with(R"("mask": 4294967296)")),
            "bodies 0/mask: not in 0 ... 2^32 - 1");
  EXPECT_EQ(complaint_about(scene_with(R"("bodies": [], "apart": [[0, 1]])")),
            "apart 0: no body 0");
  EXPECT_THAT(complaint_about(scene_with(R"("bodies": [], "apart": [[0]])")), HasSubstr("apart"));
}

TEST(SceneJson, TextOfASceneWithoutDrivesHasNoneOfTheirFields) {
  std::string why;
  const std::string text = to_json(*scene_named("ragdolls", 1, why));
  for (const char* field : {"drive", "mimic", "group", "mask", "apart"})
    EXPECT_THAT(text, Not(HasSubstr(field)));
}

TEST(SceneJson, WhatCannotBeSimulatedIsNamedByBodyOrJoint) {
  EXPECT_EQ(complaint_about(joint_with(R"("type": "hinge", "first": 0, "second": 7)")),
            "joint 0: second: no body 7");
  EXPECT_EQ(complaint_about(body_with(R"("mass": -1)")), "body 0: mass: negative or not finite");
  EXPECT_THAT(complaint_about(body_with(R"("mass": 1e999)")), HasSubstr("number overflow"));
  const test::Scratch scratch;
  Scene scene = everything();
  scene.step = -1;
  EXPECT_THAT(test::complaint([&] { write_scene(scene, scratch.path("a.json")); }),
              HasSubstr("step"));
  EXPECT_THAT(test::complaint([&] { read_scene(scratch.path("absent.json")); }),
              HasSubstr("no such file"));
  EXPECT_THAT(
      test::complaint([&] { write_scene(everything(), scratch.path("no/such/folder.json")); }),
      HasSubstr("there is no folder"));
}

}  // namespace scene_json_test
}  // namespace perpend::io
