// Drives and contacts together: a gripper holds a cube by friction, a quadruped stands on servos.
// What fingers and feet carry is the weight, and nothing creeps.
#include <gtest/gtest.h>

#include "perpend/sim.hpp"

namespace perpend {
namespace robots_test {

constexpr double kGravity = 9.81;

Body block(const char* name, double mass, const Vector3d& half, const Vector3d& centre) {
  Body body;
  body.name = name;
  body.shape.type = Shape::Type::box;
  body.shape.half_extents = half;
  body.mass = mass;
  body.mu = 0.8;
  body.pose.position = centre;
  return body;
}

Joint along(const char* name, Joint::Type type, const Vector3d& axis, Index first, Index second,
            const Vector3d& place) {
  Joint joint;
  joint.name = name;
  joint.type = type;
  joint.first = first;
  joint.second = second;
  joint.frame.position = place;
  joint.frame.orientation = Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitZ(), axis);
  return joint;
}

struct Held {
  Summary summary;
  Vector3d force = Vector3d::Zero();  // of all contacts in the last step, on the second bodies
};

Held run(const Scene& scene, double seconds) {
  Held out;
  SimulateOptions options;
  options.steps = static_cast<Index>(seconds / scene.step);
  options.watch = [&](const Moment& moment) {
    out.force.setZero();
    for (const ContactForce& contact : moment.contacts) out.force += contact.force;
  };
  out.summary = simulate(scene, options);
  return out;
}

// Two fingers close on a cube of 0.5 kg; the second one mimics the first, which is pushed by 20 N.
Scene gripper() {
  Scene scene;
  scene.name = "gripper";
  scene.at_rest = true;
  scene.bodies = {block("cube", 0.5, {0.05, 0.05, 0.05}, {0, 0, 0}),
                  block("left", 0.2, {0.01, 0.03, 0.03}, {-0.06, 0, 0}),
                  block("right", 0.2, {0.01, 0.03, 0.03}, {0.06, 0, 0})};
  const Vector3d x = Vector3d::UnitX();
  scene.joints = {along("left", Joint::Type::slider, x, -1, 1, {-0.06, 0, 0}),
                  along("right", Joint::Type::slider, x, -1, 2, {0.06, 0, 0})};
  scene.joints[0].drives[2].force = 20;
  scene.joints[1].mimic = {0, -1, 0};
  return scene;
}

TEST(Robots, GripperHoldsACubeThatDoesNotCreep) {
  const Held held = run(gripper(), 5);
  EXPECT_EQ(held.summary.unconverged, 0);
  EXPECT_LT(held.summary.drift, 1e-7);
  EXPECT_LT(held.summary.sag, 1e-7);
  EXPECT_LT(held.summary.creep, 1e-9);
}

// The fingers press with 10 N each, so friction carries up to 2 0.8 10 N = 16 N.
TEST(Robots, GripperDropsWhatIsTooHeavy) {
  Scene scene = gripper();
  scene.bodies[0].mass = 1.6;  // 15.7 N
  EXPECT_LT(run(scene, 1).summary.sag, 1e-7);
  scene.bodies[0].mass = 1.7;  // 16.7 N
  EXPECT_GT(run(scene, 1).summary.sag, 0.01);
}

// A trunk on four legs; servos of 400 N m/rad hold the hips.
Scene quadruped() {
  Scene scene;
  scene.name = "quadruped";
  Body floor;
  floor.name = "floor";
  floor.shape.type = Shape::Type::plane;
  floor.mu = 0.8;
  scene.bodies = {floor, block("trunk", 8, {0.3, 0.15, 0.05}, {0, 0, 0.35})};
  for (const double x : {-0.25, 0.25})
    for (const double y : {-0.12, 0.12}) {
      scene.bodies.push_back(block("leg", 0.5, {0.03, 0.02, 0.15}, {x, y, 0.15}));
      Joint hip = along("hip", Joint::Type::hinge, Vector3d::UnitY(), 1,
                        static_cast<Index>(scene.bodies.size()) - 1, {x, y, 0.3});
      hip.drives[5].stiffness = 400;
      hip.drives[5].damping = 10;
      hip.drives[5].max_force = 60;
      hip.drives[5].armature = 0.01;
      scene.joints.push_back(hip);
    }
  return scene;
}

TEST(Robots, QuadrupedStandsAndItsFeetCarryItsWeight) {
  const Held held = run(quadruped(), 5);
  EXPECT_EQ(held.summary.unconverged, 0);
  EXPECT_LT(held.summary.creep, 1e-8);
  EXPECT_LT(held.summary.kinetic_energy, 1e-12);
  // The floor is the first body of its contacts. 1e-6 N: 1e-10 m/s of 10 kg in a step of 1/60 s,
  // and what is left of the swing.
  EXPECT_NEAR(held.force.z(), 10 * kGravity, 1e-6);
  EXPECT_NEAR(held.force.head<2>().norm(), 0, 1e-6);
}

}  // namespace robots_test
}  // namespace perpend
