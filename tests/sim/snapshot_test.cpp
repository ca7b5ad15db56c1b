// A run that is saved and restored goes on with the same bits as one that was not interrupted.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <functional>

#include "perpend/io.hpp"
#include "perpend/scene.hpp"
#include "sim/build.hpp"
#include "support/bullet_world.hpp"

namespace perpend {
namespace snapshot_test {

using sim::Built;
using ::testing::HasSubstr;

Scene named(const std::string& name) {
  std::string why;
  return *scene_named(name, 1, why);
}

// Everything that moves by itself: a belt, a shaken plate, a door that turns on a path, and a
// motor.
Scene belt() {
  Scene scene;
  scene.name = "belt";
  scene.step = 0.01;
  const auto add = [&](double mass, const Vector3d& half, const Vector3d& position) -> Body& {
    Body& body = scene.bodies.emplace_back();
    body.mass = mass;
    body.shape.half_extents = half;
    body.pose.position = position;
    return body;
  };
  Body& conveyor = add(0, {2, 0.5, 0.1}, {0, 0, -0.1});
  conveyor.motion = Motion{};
  conveyor.motion->type = Motion::Type::conveyor;
  conveyor.motion->velocity << 0.5, 0, 0, 0, 0, 0;
  Body& shaken = add(0, {1, 1, 0.1}, {4, 0, -0.1});
  shaken.motion = Motion{};
  shaken.motion->type = Motion::Type::vibration;
  shaken.motion->direction = {1, 0, 0.3};
  shaken.motion->amplitude = 0.01;
  shaken.motion->frequency = 7;
  Body& turns = add(0, {1, 0.05, 0.3}, {-3, 0, 0.3});
  turns.motion = Motion{};
  turns.motion->keys.resize(2);
  turns.motion->keys[0].velocity << 0, 0, 0, 0, 0, 1;
  turns.motion->keys[1].time = 0.7;
  turns.motion->keys[1].velocity << 0.2, 0, 0, 0, 0, -2;
  add(0, {2, 2, 0.1}, {-3, 0, -0.1});
  add(2, {0.2, 0.2, 0.2}, {-1, 0, 0.2});
  add(1, {0.1, 0.2, 0.1}, {4, 0.1, 0.3});
  add(1, {0.2, 0.2, 0.2}, {-3.3, 0.5, 0.21});
  add(1, {0.05, 0.4, 0.3}, {1, 0.1, 0.5});
  Joint hinge;
  hinge.second = 7;
  hinge.frame.position = {1, 0.5, 0.5};
  hinge.limits[5] = {-1.5, 0};
  hinge.motors[5] = {true, -1, 5};
  scene.joints.push_back(hinge);
  return scene;
}

struct TemporaryFile {
  std::string path = (std::filesystem::temp_directory_path() /
                      ("perpend_snapshot_" + std::to_string(::getpid()) + ".json"))
                         .string();
  ~TemporaryFile() { std::filesystem::remove(path); }
};

void interrupt(const Scene& scene, int first, int second) {
  Built whole(scene, scene.step, Built::Engine::perpend);
  Built begun(scene, scene.step, Built::Engine::perpend);
  for (int k = 0; k < first; ++k) {
    whole.step();
    begun.step();
  }
  const TemporaryFile file;  // through a file: its numbers must read back to the same bits
  io::write_snapshot(begun.save(), file.path);
  const Snapshot saved = io::read_snapshot(file.path);
  Built fresh(scene, scene.step, Built::Engine::perpend);
  ASSERT_EQ(fresh.restore(saved), "");
  EXPECT_EQ(fresh.hash(), begun.hash());
  for (int k = 0; k < second; ++k) {
    whole.step();
    fresh.step();
    ASSERT_EQ(whole.hash(), fresh.hash()) << "step " << first + k + 1;
  }
  // Back in time, in a world that has gone elsewhere since.
  ASSERT_EQ(begun.restore(saved), "");
  ASSERT_EQ(fresh.restore(saved), "");
  for (int k = 0; k < second; ++k) {
    begun.step();
    fresh.step();
  }
  EXPECT_EQ(whole.hash(), begun.hash());
  EXPECT_EQ(whole.hash(), fresh.hash());
}

class Restored : public ::testing::TestWithParam<const char*> {};
TEST_P(Restored, RunGoesOnWithTheSameBits) { interrupt(named(GetParam()), 70, 30); }
INSTANTIATE_TEST_SUITE_P(Scenes, Restored,
                         ::testing::Values("wall:6", "pile-boxes:20", "ragdolls", "hose", "plate"));

TEST(Restored, RunOfScriptedMotionsGoesOnWithTheSameBits) { interrupt(belt(), 60, 60); }

TEST(Restored, ScenesInAnotherOrderGoOnToo) {
  Scene scene = named("pile-boxes:10");
  for (std::size_t i = 0; i < scene.bodies.size(); ++i)
    scene.bodies[i].id = static_cast<std::int64_t>(i);
  Scene turned = scene;
  std::reverse(turned.bodies.begin(), turned.bodies.end());
  Built first(scene, scene.step, Built::Engine::perpend);
  for (int k = 0; k < 80; ++k) first.step();
  Built second(turned, scene.step, Built::Engine::perpend);
  ASSERT_EQ(second.restore(first.save()), "");
  for (int k = 0; k < 40; ++k) {
    first.step();
    second.step();
  }
  EXPECT_EQ(first.hash(), second.hash());
}

// Boxes that fall asleep, timers and all, and are woken by one that comes later.
class Sleepers {
 public:
  worlds::Ours bullet;
  Sleepers() {
    bullet.plane();
    for (int i = 0; i < 3; ++i) cubes_.push_back(&bullet.cube(1, 0, 0, 0.5 + i));
    cubes_.push_back(&bullet.cube(1, 0.3, 0, 60));  // comes after more than three seconds
  }
  std::vector<double> state() const {
    std::vector<double> numbers;
    for (const btRigidBody* cube : cubes_) {
      for (int k = 0; k < 3; ++k) {
        numbers.push_back(cube->getWorldTransform().getOrigin()[k]);
        numbers.push_back(cube->getLinearVelocity()[k]);
        numbers.push_back(cube->getAngularVelocity()[k]);
      }
      numbers.push_back(cube->getActivationState());
      numbers.push_back(cube->getDeactivationTime());
    }
    return numbers;
  }
  bool asleep() const { return cubes_[0]->getActivationState() == ISLAND_SLEEPING; }

 private:
  std::vector<btRigidBody*> cubes_;
};

TEST(Restored, SleepersGoOnSleepingAndWakeAtTheSameStep) {
  for (int first : {60, 150, 195}) {  // not yet asleep; asleep; about to be hit
    Sleepers whole, begun, fresh;
    whole.bullet.step(first);
    begun.bullet.step(first);
    if (first == 150) {
      EXPECT_TRUE(whole.asleep());
    }
    ASSERT_EQ(fresh.bullet.world.restore(begun.bullet.world.save()), "");
    bool slept = whole.asleep(), woke = false;
    for (int k = first; k < 260; ++k) {
      whole.bullet.step();
      fresh.bullet.step();
      ASSERT_EQ(whole.state(), fresh.state()) << "step " << k;
      slept |= whole.asleep();
      woke |= slept && !whole.asleep();
    }
    EXPECT_TRUE(slept && woke);  // or nothing was tested
  }
}

TEST(Restored, ForcesAndSubStepsInWaitingAreThere) {
  const auto build = [](worlds::Ours& bullet) -> btRigidBody& {
    bullet.plane();
    btRigidBody& cube = bullet.cube(2, 0, 0, 3);
    cube.setLinearFactor(btVector3(0.5, 1, 1));
    return cube;
  };
  worlds::Ours one, other;
  btRigidBody &a = build(one), &b = build(other);
  one.world.stepSimulation(0.025, 3, worlds::kStep);  // one step; 0.008 s remain
  a.applyCentralForce(btVector3(3, 4, 5));
  a.applyTorque(btVector3(0, 1, 0));
  ASSERT_EQ(other.world.restore(one.world.save()), "");
  for (int k = 0; k < 20; ++k) {
    one.world.stepSimulation(0.025, 3, worlds::kStep);
    other.world.stepSimulation(0.025, 3, worlds::kStep);
    ASSERT_EQ(a.getWorldTransform().getOrigin(), b.getWorldTransform().getOrigin());
    ASSERT_EQ(a.getAngularVelocity(), b.getAngularVelocity());
  }
}

TEST(Restored, BrokenJointsStayBroken) {
  const auto build = [](worlds::Ours& bullet) -> btTypedConstraint& {
    btRigidBody& ball = bullet.cube(1, 0, 0, 0);
    return bullet.joint<btPoint2PointConstraint>(false, ball, btVector3(0, 0, 0.5));
  };
  worlds::Ours one, other;
  btTypedConstraint& broken = build(one);
  btTypedConstraint& whole = build(other);
  broken.setBreakingImpulseThreshold(1e-3);
  one.step(3);
  EXPECT_FALSE(broken.isEnabled());
  ASSERT_EQ(other.world.restore(one.world.save()), "");
  EXPECT_FALSE(whole.isEnabled());
  EXPECT_EQ(whole.getAppliedImpulse(), broken.getAppliedImpulse());
}

TEST(Snapshot, OfAnotherWorldIsRefusedAndChangesNothing) {
  const Scene scene = named("ragdolls");
  Built built(scene, scene.step, Built::Engine::perpend);
  for (int k = 0; k < 5; ++k) built.step();
  const Snapshot good = built.save();
  const std::uint64_t before = built.hash();
  const auto why = [&](const std::function<void(Snapshot&)>& spoil) {
    Snapshot bad = good;
    bad.bodies[0].pose.position.x() += 1;  // would show
    spoil(bad);
    return built.restore(bad);
  };
  EXPECT_THAT(why([](Snapshot& s) { s.bodies.pop_back(); }), HasSubstr("bodies: there are"));
  EXPECT_THAT(why([](Snapshot& s) { s.bodies.back().id += 1; }), HasSubstr("bodies 26/id"));
  EXPECT_THAT(why([](Snapshot& s) { s.joints.pop_back(); }), HasSubstr("joints: there are"));
  EXPECT_THAT(why([](Snapshot& s) { s.joints[3].first += 1; }), HasSubstr("joints 3/first"));
  EXPECT_THAT(why([](Snapshot& s) { s.h = 1; }), HasSubstr("dt: "));
  EXPECT_THAT(why([](Snapshot& s) { s.bodies[2].velocity[1] = 1.0 / 0.0; }),
              HasSubstr("bodies 2/velocity"));
  EXPECT_THAT(why([](Snapshot& s) { s.bodies[2].pose.axes *= 2; }), HasSubstr("bodies 2/pose"));
  EXPECT_THAT(why([](Snapshot& s) { s.bodies[2].activation = 9; }), HasSubstr("activation"));
  EXPECT_EQ(built.hash(), before);
}

}  // namespace snapshot_test
}  // namespace perpend
