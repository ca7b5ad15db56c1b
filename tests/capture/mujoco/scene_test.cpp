// Scenes as MJCF: what is in the model is what the scene says; what MuJoCo cannot express is named.
#include <gtest/gtest.h>

#include <cmath>

#include "capture/mujoco/runs.hpp"

namespace perpend::capture::from_mujoco {
namespace scene_test {

std::string refused(const Scene& scene) {
  try {
    to_mjcf(scene, scene.step);
  } catch (const io::InputError& why) {
    return why.what();
  }
  return {};
}

TEST(MujocoScene, BodiesStandWhereTheSceneHasThem) {
  for (const char* name : {"ragdolls", "hose", "gears-small", "arch", "spheres"}) {
    const Scene scene = scene_of(name);
    MujocoWorld world(scene, scene.step);
    const State state = world.state();
    for (Index i = 0; i < static_cast<Index>(scene.bodies.size()); ++i) {
      const Body& body = scene.bodies[static_cast<std::size_t>(i)];
      if (body.mass == 0) continue;
      const Vector3d centre = body.pose.position + body.pose.orientation * centre_of_mass(body);
      EXPECT_LT((state.positions.row(i).transpose() - centre).norm(), 1e-12) << name << " " << i;
      const Eigen::Quaterniond q(state.quaternions(i, 0), state.quaternions(i, 1),
                                 state.quaternions(i, 2), state.quaternions(i, 3));
      EXPECT_LT(q.angularDistance(body.pose.orientation), 1e-7) << name << " " << i;
      const int id = mj_name2id(&world.model(), mjOBJ_BODY, ("body" + std::to_string(i)).c_str());
      EXPECT_NEAR(world.model().body_mass[id], body.mass, 1e-15);
    }
  }
}

TEST(MujocoScene, VelocitiesAreTheScenes) {
  Scene scene = scene_of("stack:1");
  scene.bodies[1].shape.half_extents = Vector3d(0.1, 0.3, 0.5);
  scene.bodies[1].pose.orientation =
      Eigen::Quaterniond(Eigen::AngleAxisd(0.7, Vector3d(1, 2, 3).normalized()));
  scene.bodies[1].pose.position.z() = 10;
  scene.bodies[1].velocity << 1, 2, 3, 4, 5, 6;
  MujocoWorld world(scene, scene.step);
  EXPECT_LT((world.state().velocities.row(1).transpose() - scene.bodies[1].velocity).norm(), 1e-13);
  // Gyroscopic torque is among the forces.
  const io::Record record = recorded(world, 1).front();
  EXPECT_GT(record.frame.bodies.forces.row(0).tail<3>().norm(), 0.1);
  EXPECT_LT(momentum_gap(record), 1e-14);
}

// MuJoCo would take the larger coefficient; a scene has the square root of the product.
TEST(MujocoScene, FrictionOfAPairIsTheScenes) {
  Scene scene = scene_of("stack:1");
  scene.bodies[0].mu = 0.9;
  scene.bodies[1].mu = 0.4;
  MujocoWorld world(scene, scene.step);
  const io::Record record = recorded(world, 3).back();
  ASSERT_EQ(record.frame.contacts.count(), 4);
  EXPECT_NEAR(record.frame.contacts.mu[0], 0.6, 1e-15);

  scene.bodies[0].shape.type = Shape::Type::plane;
  scene.bodies[0].pose.position.setZero();
  MujocoWorld on_plane(scene, scene.step);
  const io::Record other = recorded(on_plane, 3).back();
  ASSERT_EQ(other.frame.contacts.count(), 4);
  EXPECT_NEAR(other.frame.contacts.mu[0], 0.6, 1e-15);
}

TEST(MujocoScene, ContactsWithAPlaneAreFoundOnce) {
  Scene scene = scene_of("stack:1");
  scene.bodies[0].shape.type = Shape::Type::plane;
  scene.bodies[0].pose.position.setZero();
  scene.bodies[0].mu = scene.bodies[1].mu;
  MujocoWorld world(scene, scene.step);
  EXPECT_EQ(recorded(world, 3).back().frame.contacts.count(), 4);
}

// Contacts that MuJoCo sees before they touch are listed, and nothing else changes.
TEST(MujocoScene, SeeingContactsEarlyChangesNoTrajectory) {
  for (const char* name : {"stack", "spheres", "ragdolls", "hose", "gears-small", "logs"}) {
    const Scene scene = scene_of(name);
    MujocoWorld early(scene, scene.step), late(scene, scene.step);
    mjModel& m = late.model();
    std::fill(m.geom_margin, m.geom_margin + m.ngeom, 0.0);
    std::fill(m.geom_gap, m.geom_gap + m.ngeom, 0.0);
    for (int k = 0; k < 60; ++k) {
      early.step();
      late.step();
    }
    EXPECT_EQ(early.hash(), late.hash()) << name;
  }
}

TEST(MujocoScene, AMotorReachesItsSpeedWithoutMoreThanItsForce) {
  Scene scene;
  scene.name = "motor";
  scene.step = 0.01;
  scene.gravity.setZero();
  Body wheel;
  wheel.mass = 1;
  scene.bodies = {wheel};
  Joint hinge;
  hinge.first = -1;
  hinge.second = 0;
  hinge.motors[5] = {true, 2, 0.5};
  scene.joints = {hinge};
  ASSERT_EQ(invalid(scene), "");
  MujocoWorld world(scene, scene.step);
  double largest = 0;
  for (const io::Record& record : recorded(world, 200)) {
    largest = std::max(largest, std::abs(record.frame.bodies.forces(1, 5)));
    EXPECT_LT(momentum_gap(record), 1e-12);
  }
  EXPECT_NEAR(largest, 0.5, 1e-12);
  EXPECT_NEAR(world.data().qvel[0], 2, 1e-3);
}

// The palm of `hose` is moved by a script: its free copy follows the target it is welded to.
TEST(MujocoScene, AScriptedBodyFollowsItsScript) {
  const Scene scene = scene_of("hose");
  Index palm = -1;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i)
    if (scene.bodies[i].motion) palm = static_cast<Index>(i);
  ASSERT_GE(palm, 0);
  MujocoWorld world(scene, scene.step);
  const double start = world.state().positions(palm, 2);
  for (int k = 0; k < 150; ++k) world.step();
  EXPECT_NEAR(world.state().positions(palm, 2) - start, 0.25, 0.02);  // a second of 0.25 m/s
  EXPECT_NEAR(world.state().velocities(palm, 2), 0.25, 0.02);
}

TEST(MujocoScene, LoopsAreClosedByEqualities) {
  Scene scene = scene_of("arch");
  Joint loop;
  loop.type = Joint::Type::point;
  loop.first = scene.joints.front().first;
  loop.second = scene.joints.back().second;
  loop.frame.position = Vector3d(0, 0, 1);
  scene.joints.push_back(loop);
  MujocoWorld world(scene, scene.step);
  EXPECT_EQ(world.model().neq, 1);
  scene.joints.back().type = Joint::Type::slider;
  EXPECT_EQ(
      refused(scene),
      "joints 5/type: closes a loop, which MuJoCo can do with point and fixed joints only, not "
      "with a slider");
}

// A tile of 81 cubes has 324 contacts with the floor; room for 60 is made larger until they fit.
TEST(MujocoScene, NothingIsLeftOutWhereContactsAreMany) {
  Scene scene = scene_of("stack:1");
  Body& cube = scene.bodies[1];
  cube.shape.type = Shape::Type::compound;
  for (int x = 0; x < 9; ++x)
    for (int y = 0; y < 9; ++y) {
      Part part;
      part.shape.half_extents.setConstant(0.05);
      part.pose.position = Vector3d(0.1 * x, 0.1 * y, 0);
      cube.shape.parts.push_back(part);
    }
  cube.pose.position = Vector3d(0, 0, 0.05);
  cube.mass = 5;
  MujocoWorld world(scene, scene.step);
  world.model().nconmax = 60;
  world.model().njmax = 300;
  const io::Record record = recorded(world, 3).back();
  EXPECT_EQ(record.frame.contacts.count(), 324);
  EXPECT_GT(world.model().nconmax, 324);
}

TEST(MujocoScene, WhatCannotBeExpressedIsNamed) {
  EXPECT_EQ(refused(scene_of("plate")),
            "bodies 4/shape: MuJoCo has no cone (it replaces every mesh by its convex hull)");
  Scene bouncing = scene_of("stack:1");
  bouncing.bodies[1].restitution = 0.5;
  EXPECT_EQ(refused(bouncing), "bodies 1/restitution: MuJoCo's contacts have no restitution");
  Scene belt = scene_of("stack:1");
  belt.bodies[0].motion.emplace();
  belt.bodies[0].motion->type = Motion::Type::conveyor;
  EXPECT_EQ(refused(belt), "bodies 0/motion: MuJoCo has no conveyors");
}

TEST(MujocoScene, BadTextIsOneLineInMujocosWords) {
  try {
    model_from_text("<mujoco><worldbody><geom type=\"blob\"/></worldbody></mujoco>", "bad.xml");
    FAIL();
  } catch (const io::InputError& why) {
    EXPECT_EQ(std::string(why.what()).find("bad.xml: "), 0u);
    EXPECT_EQ(std::string(why.what()).find('\n'), std::string::npos);
  }
  EXPECT_THROW(model_from_file("/nowhere/model.xml"), io::InputError);
}

}  // namespace scene_test
}  // namespace perpend::capture::from_mujoco
