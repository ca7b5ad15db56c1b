// Every shape falls, rests and stays; a fast box does not go into anything.
#include "support/shapes.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "perpend/sim.hpp"

namespace perpend {
namespace shapes_test {

using namespace shapes;

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
          {"sphere", scene::sphere(0.3), upright, 0.3},
          {"standing cylinder", scene::cylinder(0.3, 0.5), upright, 0.25},
          {"lying cylinder", scene::cylinder(0.2, 0.6), lying, 0.2},
          {"cone", scene::cone(0.3, 0.5), upright, 0.25},
          {"lying capsule", scene::capsule(0.2, 0.5), lying, 0.2},
          {"hull", gem(), upright, 0.2},
          {"compound", table(), upright, 0.35}};
}

struct Ground {
  const char* name;
  Shape shape;
  double top;  // m, of its surface above its origin
};
std::vector<Ground> grounds() {
  Shape plane;
  plane.type = Shape::Type::plane;
  Shape field;
  field.type = Shape::Type::height_field;
  field.rows = field.columns = 17;
  field.spacing = 0.45;
  field.heights.assign(17 * 17, 0.2);
  return {{"plane", plane, 0},
          {"mesh", mesh(0), 0},
          {"height field", field, 0.2},
          {"big box", box(4, 4, 0.5), 0.5}};
}

Scene scene_on(const Ground& ground) {
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
      Scene made = scene_on(ground);
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
    Scene made = scene_on(grounds()[0]);
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
    Scene made = scene_on(ground);
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
  list.push_back({"compound", table(), 0.05});
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
  const std::vector<Ground> rough = {{"small box", box(0.25, 0.25, 0.25), 0.25},
                                     {"hills", mesh(0.15), 0.2}};
  SimulateOptions thrice;
  thrice.step.correct = 3;
  for (const Ground& ground : rough)
    for (int k = 0; k < 20; ++k) {
      SCOPED_TRACE(::testing::Message() << ground.name << " " << k);
      Scene made = scene_on(ground);
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
