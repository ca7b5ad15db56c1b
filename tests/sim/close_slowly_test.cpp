// Joints that are open, contradict each other or hold bodies inside others make no energy: compared
// with stock Bullet, and with what closing at max_push explains.
#include "sim/close_slowly.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <string>

#include "perpend/sim.hpp"
#include "sim/tangles.hpp"

namespace perpend {
namespace close_slowly_test {

using tangles::Outcome;
using tangles::Planks;
using tangles::run_of;
using tangles::Tangle;
using testing::HasSubstr;

StepOptions with(const char* effort, int correct = 10) {
  StepOptions options;
  options.effort = *effort_named(effort);
  options.correct = correct;
  return options;
}

// Energy and gaps stay below this multiple of stock Bullet's, at every effort.
constexpr double kOfStock = 1.5;

template <class What>
void expect_calm(const What& what, const char* name, int steps = 120) {
  const Outcome stock = run_of<btDiscreteDynamicsWorld>(what, steps);
  for (const int correct : {10, 0})
    for (const char* effort : {"exact", "real-time", "10"}) {
      const Outcome ours = run_of<DynamicsWorld>(what, steps, with(effort, correct));
      EXPECT_LE(ours.energy, kOfStock * stock.energy) << name << ", " << effort << ", " << correct;
      EXPECT_LE(ours.gap, kOfStock * stock.gap) << name << ", " << effort << ", " << correct;
    }
}

TEST(CloseSlowly, ABridgeOfOpenJointsIsNoWilderThanBullets) {
  Planks planks;
  expect_calm(planks, "single");
  planks.twin = true;
  expect_calm(planks, "twin");
  planks.free_end = true;
  expect_calm(planks, "free end", 100);
  Planks few;
  few.count = 4;
  few.open = 0.1;
  expect_calm(few, "four planks");
  few.tilt = 0.4;
  few.vary = 3;
  expect_calm(few, "tilted, of other masses");
}

TEST(CloseSlowly, ABridgeThatIsTooShortComesToRestWithItsJointsOpenAlike) {
  Planks planks;
  planks.open = -0.05;
  planks.twin = true;
  expect_calm(planks, "stretched");
  const Outcome run = run_of<DynamicsWorld>(planks);
  EXPECT_LT(run.last_energy, 1e-3);
  EXPECT_LT(run.last_gap, 0.08);
  EXPECT_GT(run.last_gap, 0.05);  // the sum of all is given
}

TEST(CloseSlowly, ChainsRagdollsAndWallsAreNoWilderThanBullets) {
  expect_calm(tangles::Chain{}, "too short");
  expect_calm(tangles::Chain{10, 3, true}, "free end", 100);
  expect_calm(tangles::Ragdoll{}, "contradictory limits", 100);
  expect_calm(tangles::InWall{}, "limit in a wall", 100);
}

TEST(CloseSlowly, AStrongMotorAgainstAWallOnlyPushes) {
  for (const int correct : {10, 0})
    for (const char* effort : {"exact", "real-time", "10"}) {
      const Outcome run = run_of<DynamicsWorld>(tangles::InWall{1e6}, 200, with(effort, correct));
      EXPECT_LT(run.energy, 6) << effort;  // it may turn the beam with 5 rad/s: 4.2 J
      EXPECT_LT(run.last_energy, 1e-3) << effort;
    }
}

TEST(CloseSlowly, AnOpenJointClosesAtMaxPush) {
  for (const int correct : {10, 0}) {
    Tangle<DynamicsWorld> t;
    t.world.options().correct = correct;
    t.world.setGravity(btVector3(0, 0, 0));
    build(t, tangles::OpenPoint{});
    double gap = 0.5;
    for (int k = 0; k < 60; ++k) {
      t.step();
      const double now = t.gap();
      EXPECT_LT(gap - now, 1.5 * worlds::kStep);  // m, at 1 m/s
      EXPECT_LT(t.kinetic(), 1);
      gap = now;
    }
    EXPECT_LT(gap, 0.01);
  }
}

// The rows of its limits are Bullet's: a suspension that starts 4 m beyond them, above or below.
TEST(CloseSlowly, ASuspensionBeyondItsLimitsComesBackAtMaxPush) {
  for (const double side : {1.0, -1.0}) {
    Tangle<DynamicsWorld> t;
    t.world.setGravity(btVector3(0, 0, 0));
    btRigidBody &chassis = t.cube(0, 0, 0, 0), &wheel = t.cube(1, 0, 0, 5 * side);
    btVector3 anchor(0, 0, 0), up(0, 0, 1), axle(1, 0, 0);
    t.joint<btHinge2Constraint>(true, chassis, wheel, anchor, up, axle);
    auto& suspension = *static_cast<btHinge2Constraint*>(t.world.getConstraint(0));
    suspension.enableSpring(2, false);
    wheel.setWorldTransform(worlds::at(0, 0, 5 * side));
    suspension.setFrames(btTransform::getIdentity(), btTransform::getIdentity());
    suspension.setLinearLowerLimit(btVector3(0, 0, -1));
    suspension.setLinearUpperLimit(btVector3(0, 0, 1));
    double gap = 4;
    for (int k = 0; k < 300; ++k) {
      t.step();
      const double now = std::abs(wheel.getCenterOfMassPosition().z()) - 1;
      EXPECT_LT(gap - now, 1.5 * worlds::kStep);  // m, at 1 m/s
      EXPECT_LT(t.kinetic(), 1);
      gap = now;
    }
    EXPECT_LT(gap, 0.01);
  }
}

TEST(CloseSlowly, BodiesThatOverlapPartAtMaxPush) {
  const Outcome run = run_of<DynamicsWorld>(tangles::Overlapping{2, 0.2}, 300);
  EXPECT_LT(run.energy, 4);  // the upper one falls off, from as high
  EXPECT_LT(run.last_energy, 1e-6);
  Tangle<DynamicsWorld> t;
  build(t, tangles::Overlapping{2, 0.2});
  for (int k = 0; k < 60; ++k) t.step();
  EXPECT_LT(t.world.penetration(), 1e-6);
}

TEST(CloseSlowly, AStackStandsWithTenSweepsAStep) {
  std::string why;
  const Scene scene = *scene_named("stack:10", 1, why);
  for (const int correct : {10, 0}) {
    SimulateOptions options;
    options.step.solver = "ncp/nncg";
    options.step.solve.max_iterations = 10;
    options.step.correct = correct;
    const Summary sum = simulate(scene, options);
    EXPECT_FALSE(sum.fell) << correct;
    EXPECT_LT(sum.drift, 1) << correct;
  }
}

TEST(CloseSlowly, NotesAndReportNameWhatIsOpen) {
  Planks planks;
  planks.open = -0.05;
  planks.twin = true;
  Tangle<DynamicsWorld> t;
  build(t, planks);
  t.step();
  ASSERT_EQ(t.world.report().notes.size(), 1u);
  EXPECT_THAT(t.world.report().notes[0], HasSubstr("open at the start: joint "));
  EXPECT_THAT(t.world.report().notes[0], HasSubstr(" by 0.05 m, joint "));
  EXPECT_THAT(t.world.report().notes[0], HasSubstr(" of body "));
  EXPECT_THAT(t.world.report().notes[0], HasSubstr(", and more joints: 15"));
  t.step();
  EXPECT_TRUE(t.world.report().notes.empty());
  EXPECT_EQ(t.world.report().held, 1);
  ASSERT_EQ(t.world.report().held_rows.size(), 3u);
  EXPECT_THAT(t.world.report().held_rows[0].where, HasSubstr("joint "));
  EXPECT_NEAR(t.world.report().held_rows[0].open, 0.05, 0.01);

  Planks closed;
  closed.open = 0;
  Tangle<DynamicsWorld> calm;
  build(calm, closed);
  calm.step();
  EXPECT_TRUE(calm.world.report().notes.empty());
  EXPECT_EQ(calm.world.report().held, 0);
}

TEST(CloseSlowly, ASummaryNamesTheJointThatIsHeldOpen) {
  std::string why;
  Scene scene = *scene_named("stack:1", 1, why);
  const auto cube = static_cast<Index>(scene.bodies.size()) - 1;
  for (const double side : {-1.0, 1.0}) {  // two hinges of which each wants another angle
    Joint joint;
    joint.name = side < 0 ? "left" : "right";
    joint.second = cube;
    joint.frame = scene.bodies.back().pose;
    joint.limits[5] = {side < 0 ? -1 : 0.5, side < 0 ? -0.5 : 1};
    scene.joints.push_back(joint);
  }
  SimulateOptions options;
  options.steps = 60;
  const Summary sum = simulate(scene, options);
  EXPECT_GT(sum.held_steps, 30);
  EXPECT_LT(sum.kinetic_energy, 1e-3);
  ASSERT_FALSE(sum.held_rows.empty());
  EXPECT_THAT(sum.held_rows[0].where, testing::AnyOf(HasSubstr("left"), HasSubstr("right")));
  EXPECT_NEAR(sum.held_rows[0].open, 0.5, 0.2);
  EXPECT_EQ(sum.held_rows[0].unit, "rad");
}

TEST(CloseSlowly, ARestoredRunHoldsOnAsTheSavedOne) {
  Planks planks;
  planks.open = -0.05;
  Tangle<DynamicsWorld> t;
  build(t, planks);
  t.step(20);
  const Snapshot saved = t.world.save();
  t.step(20);
  const double energy = t.kinetic(), gap = t.gap();
  EXPECT_EQ(t.world.restore(saved), "");
  t.step(20);
  EXPECT_EQ(t.kinetic(), energy);
  EXPECT_EQ(t.gap(), gap);
}

// Random scenes, most of them open, overlapping or contradictory. What a step adds to the energy,
// beside what gravity takes from the potential one, is less than that of all bodies at max_push,
// and 1 % for the bend of fast ways. PERPEND_TANGLES sets another number of scenes.
TEST(CloseSlowly, NoRandomTangleGainsMoreThanClosingExplains) {
  constexpr int kTangles = 1000, kSteps = 30;
  const char* asked = std::getenv("PERPEND_TANGLES");
  const int count = asked ? std::atoi(asked) : kTangles;
  for (int i = 0; i < count; ++i) {
    tangles::Random random;
    random.seed = static_cast<unsigned>(i);
    random.bodies = 2 + i % 5;
    random.joints = i % 6;
    random.shapes = true;
    random.floor = i % 3 == 0;
    Tangle<DynamicsWorld> t;
    StepOptions& options = t.world.options();
    if (i % 4 == 1) options.correct = 0;
    if (i % 4 == 2) options.effort = *effort_named("10");
    if (i % 4 == 3) options.solve.max_iterations = 5;
    build(t, random);
    const double most = t.mass() * options.max_push * options.max_push / 2;
    double before = t.kinetic() + t.potential();
    for (int k = 0; k < kSteps; ++k) {
      t.step();
      const double moving = t.kinetic(), now = moving + t.potential();
      ASSERT_LT(now - before, most + 0.01 * moving) << "scene " << i << ", step " << k;
      before = now;
    }
  }
}

}  // namespace close_slowly_test
}  // namespace perpend
