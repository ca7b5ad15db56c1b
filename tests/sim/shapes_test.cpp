// Every shape falls, rests and stays; a fast box does not go into anything.
#include <gtest/gtest.h>

#include <cmath>

#include "perpend/sim.hpp"

namespace perpend {
namespace shapes_test {

Shape box(double x, double y, double z) {
  Shape shape;
  shape.half_extents = {x, y, z};
  return shape;
}
Shape round(Shape::Type type, double radius, double height) {
  Shape shape;
  shape.type = type;
  shape.radius = radius;
  shape.height = height;
  return shape;
}
Shape hull() {  // an octahedron cut at the bottom, so that it has a face to stand on
  Shape shape;
  shape.type = Shape::Type::hull;
  shape.points = {{0.3, 0, 0.1},   {-0.3, 0, 0.1}, {0, 0.3, 0.1},   {0, -0.3, 0.1}, {0.2, 0, -0.2},
                  {-0.2, 0, -0.2}, {0, 0.2, -0.2}, {0, -0.2, -0.2}, {0, 0, 0.3}};
  return shape;
}
Shape compound() {  // a table: plate and four legs
  Shape shape;
  shape.type = Shape::Type::compound;
  shape.parts.push_back({box(0.4, 0.4, 0.05), {}});
  for (double x : {-0.3, 0.3})
    for (double y : {-0.3, 0.3})
      shape.parts.push_back(
          {box(0.05, 0.05, 0.15), {{x, y, -0.2}, Eigen::Quaterniond::Identity()}});
  return shape;
}

struct Standing {
  const char* name;
  Shape shape;
  Eigen::Quaterniond turn = Eigen::Quaterniond::Identity();
  double below;  // m, from the origin down to the lowest point
};
std::vector<Standing> standing() {
  const Eigen::Quaterniond upright = Eigen::Quaterniond::Identity();
  const Eigen::Quaterniond lying(Eigen::AngleAxisd(std::acos(0.0), Vector3d::UnitX()));
  return {{"box", box(0.3, 0.2, 0.25), upright, 0.25},
          {"sphere", round(Shape::Type::sphere, 0.3, 0), upright, 0.3},
          {"standing cylinder", round(Shape::Type::cylinder, 0.3, 0.5), upright, 0.25},
          {"lying cylinder", round(Shape::Type::cylinder, 0.2, 0.6), lying, 0.2},
          {"cone", round(Shape::Type::cone, 0.3, 0.5), upright, 0.25},
          {"lying capsule", round(Shape::Type::capsule, 0.2, 0.5), lying, 0.2},
          {"hull", hull(), upright, 0.2},
          {"compound", compound(), upright, 0.35}};
}

struct Ground {
  const char* name;
  Shape shape;
  double top;  // m, of its surface above its origin
};
std::vector<Ground> grounds() {
  Shape plane;
  plane.type = Shape::Type::plane;
  Shape mesh;  // a flat grid whose edges run below every shape
  mesh.type = Shape::Type::mesh;
  constexpr Index kSide = 17;
  for (Index i = 0; i < kSide; ++i)
    for (Index j = 0; j < kSide; ++j)
      mesh.points.emplace_back(0.45 * static_cast<double>(i) - 3.7,
                               0.45 * static_cast<double>(j) - 3.5, 0);
  for (Index i = 0; i + 1 < kSide; ++i)
    for (Index j = 0; j + 1 < kSide; ++j) {
      const Index a = i * kSide + j, b = a + kSide;
      mesh.triangles.push_back({a, b, b + 1});
      mesh.triangles.push_back({a, b + 1, a + 1});
    }
  Shape field;
  field.type = Shape::Type::height_field;
  field.rows = field.columns = 17;
  field.spacing = 0.45;
  field.heights.assign(17 * 17, 0.2);
  return {{"plane", plane, 0},
          {"mesh", mesh, 0},
          {"height field", field, 0.2},
          {"big box", box(4, 4, 0.5), 0.5}};
}

Scene scene(const Ground& ground) {
  Scene made;
  Body floor;
  floor.name = "ground";
  floor.shape = ground.shape;
  made.bodies.push_back(floor);
  return made;
}
Body body(const Shape& shape, const Vector3d& position, const Eigen::Quaterniond& turn) {
  Body made;
  made.name = "falling";
  made.shape = shape;
  made.mass = 1;
  made.pose = {position, turn};
  return made;
}

// Dropped 0.3 m without tilt, 4 s. A round thing that lies is in neutral balance: what a step of
// tolerance 1e-10 m/s leaves may roll it by 1e-10 m per second.
TEST(Shapes, FallRestAndStay) {
  for (const Ground& ground : grounds())
    for (const Standing& what : standing()) {
      SCOPED_TRACE(::testing::Message() << what.name << " on " << ground.name);
      Scene made = scene(ground);
      made.bodies.push_back(
          body(what.shape, {0.05, -0.03, ground.top + what.below + 0.3}, what.turn));
      made.steps = 240;
      ASSERT_EQ(invalid(made), "");
      const Summary sum = simulate(made);
      EXPECT_LT(sum.drift, 1e-6);
      EXPECT_LT(sum.sag, 1e-6);
      EXPECT_LT(sum.turn, 1e-6);
      EXPECT_LT(sum.creep, 1e-9);
      EXPECT_LT(sum.max_penetration, 1e-6);
      EXPECT_LT(sum.max_penetration_last_second, 1e-8);
      EXPECT_EQ(sum.unconverged, 0) << sum.message;
    }
}

TEST(Shapes, RestOnABoxThatMoves) {
  for (const Standing& what : standing()) {
    SCOPED_TRACE(what.name);
    Scene made = scene(grounds()[0]);
    made.bodies.push_back(body(box(0.6, 0.6, 0.2), {0, 0, 0.2}, Eigen::Quaterniond::Identity()));
    made.bodies.push_back(body(what.shape, {0.05, -0.03, 0.4 + what.below + 0.3}, what.turn));
    made.steps = 240;
    const Summary sum = simulate(made);
    EXPECT_LT(sum.drift, 1e-6);
    EXPECT_LT(sum.max_penetration_last_second, 1e-8);
    EXPECT_LT(sum.creep, 1e-9);
  }
}

struct Fall {
  double peak = 0;
  std::string where;
};

// A box that comes with 20 m/s, h = 1/60: a third of a metre per step. The start heights spread
// the impact over a step.
Fall fall(const Ground& ground, const Eigen::Quaterniond& turn) {
  Fall worst;
  for (int k = 0; k < 12; ++k) {
    Scene made = scene(ground);
    const double above = 1 + k * 20.0 / 60 / 12;
    made.bodies.push_back(body(box(0.25, 0.25, 0.25), {0.05, -0.03, ground.top + above}, turn));
    made.bodies.back().velocity[2] = -20;
    made.steps = 60;
    const Summary sum = simulate(made);
    if (sum.max_penetration > worst.peak) {
      worst.peak = sum.max_penetration;
      worst.where = std::string(ground.name) + ", start " + std::to_string(above) + " m";
    }
  }
  return worst;
}

std::vector<Ground> targets() {
  std::vector<Ground> list = grounds();
  list.push_back({"compound", compound(), 0.05});
  list.push_back({"small box", box(0.25, 0.25, 0.25), 0.25});
  return list;
}

TEST(FastBox, DoesNotPenetrateWhenItFallsFlat) {
  for (const Ground& ground : targets()) {
    const Fall worst = fall(ground, Eigen::Quaterniond::Identity());
    EXPECT_LT(worst.peak, 1e-6) << worst.where;
  }
}

TEST(FastBox, DoesNotPenetrateWhenItFallsTilted) {
  const Eigen::Quaterniond turns[] = {
      Eigen::Quaterniond(Eigen::AngleAxisd(0.3, Vector3d::UnitX())),
      Eigen::Quaterniond(Eigen::AngleAxisd(0.7, Vector3d(1, 2, 0).normalized())),
      Eigen::Quaterniond(Eigen::AngleAxisd(0.955, Vector3d(1, 1, 0.2).normalized()))};
  for (const Ground& ground : targets())
    for (const Eigen::Quaterniond& turn : turns) {
      const Fall worst = fall(ground, turn);
      EXPECT_LT(worst.peak, 1e-6) << worst.where << ", turned " << Eigen::AngleAxisd(turn).angle();
    }
}

// Edges that meet edges turn a box fast: after a step of |w| h = 0.2 the linearized gap is off by
// R (w h)^2 / 2, some 10 mm. A Newton projection squares what is left of it relative to R: about a
// millimetre after one, a micrometre after two, nothing to speak of after three.
TEST(FastBox, DoesNotPenetrateEdgeOnEdgeWithThreeCorrections) {
  std::vector<Ground> rough = {{"small box", box(0.25, 0.25, 0.25), 0.25}};
  Shape hills;
  hills.type = Shape::Type::mesh;
  constexpr Index kSide = 17;
  for (Index i = 0; i < kSide; ++i)
    for (Index j = 0; j < kSide; ++j) {
      const auto x = static_cast<double>(i), y = static_cast<double>(j);
      hills.points.emplace_back(0.45 * x - 3.7, 0.45 * y - 3.5,
                                0.15 * std::sin(2 * x) * std::cos(1.7 * y));
    }
  for (Index i = 0; i + 1 < kSide; ++i)
    for (Index j = 0; j + 1 < kSide; ++j) {
      const Index a = i * kSide + j, b = a + kSide;
      hills.triangles.push_back({a, b, b + 1});
      hills.triangles.push_back({a, b + 1, a + 1});
    }
  rough.push_back({"hills", hills, 0.2});
  SimulateOptions thrice;
  thrice.step.correct = 3;
  for (const Ground& ground : rough)
    for (int k = 0; k < 20; ++k) {
      SCOPED_TRACE(::testing::Message() << ground.name << " " << k);
      Scene made = scene(ground);
      const double t = k;  // any orientation, offset and phase of the step
      const Eigen::Quaterniond turn(std::sin(3.1 * t), std::sin(1.7 * t + 1), std::cos(2.3 * t),
                                    std::sin(0.9 * t + 2));
      made.bodies.push_back(body(box(0.25, 0.25, 0.25),
                                 {0.2 * std::sin(5 * t), 0.2 * std::cos(7 * t),
                                  ground.top + 1.2 + 0.17 * std::sin(11 * t)},
                                 turn.normalized()));
      made.bodies.back().velocity[2] = -20;
      made.steps = 60;
      EXPECT_LT(simulate(made, thrice).max_penetration, 1e-8);
    }
}

}  // namespace shapes_test
}  // namespace perpend
