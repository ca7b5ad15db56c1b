// Joints of skeletons as rows: limits, motors, springs, prescribed motions, loops.
#include <gtest/gtest.h>

#include <cmath>
#include <dart/dynamics/BallJoint.hpp>
#include <dart/dynamics/EulerJoint.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/PrismaticJoint.hpp>
#include <dart/dynamics/RevoluteJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/dynamics/UniversalJoint.hpp>
#include <dart/dynamics/WeldJoint.hpp>

#include "capture/dart/scene.hpp"
#include "capture/proof.hpp"
#include "perpend/capture/dart.hpp"

namespace perpend::capture::from_dart {
namespace joints_test {

const Engine kEngine = dart_engine();
constexpr double kStep = 0.01;

// A cube of 1 kg at the origin on a hinge about z through its middle, without gravity.
Scene hinged(Index first, Index second) {
  Scene out;
  out.name = "hinged";
  out.gravity.setZero();
  out.step = kStep;
  out.bodies.resize(1);
  out.bodies[0].mass = 1;
  out.joints.resize(1);
  out.joints[0].first = first;
  out.joints[0].second = second;
  return out;
}

TEST(DartJoints, HingeIsFiveRowsAndItsImpulsesCarryTheBody) {
  Scene scene = hinged(-1, 0);
  scene.gravity = Vector3d(0, 0, -9.81);
  scene.bodies[0].pose.position = Vector3d(1, 0, 0);  // sticks out by 1 m
  const io::Record record = records_of(kEngine, task_of(kEngine, scene), 1).front();
  const Joints& j = record.frame.joints;
  ASSERT_EQ(j.row_count(), 5);
  ASSERT_EQ(record.frame.bodies.ids, (Integers{0, -1}));  // the world
  // Weight and its moment about the hinge, over one step.
  const Vector6 on_body = j.jacobian.rightCols<6>().transpose() * record.answer.z_joints;
  EXPECT_NEAR(on_body[2], 9.81 * kStep, 1e-12);
  EXPECT_NEAR(on_body.head<2>().norm(), 0, 1e-12);
  EXPECT_LT(momentum_gap(record), 1e-13);
  EXPECT_EQ(j.violation, VectorXd::Zero(5));
}

// At 3 rad/s the limit 0.02 rad away would be passed within the step.
TEST(DartJoints, LimitIsAOneSidedRowWithTheDistanceToIt) {
  Scene scene = hinged(-1, 0);
  scene.joints[0].limits[5] = {-1, 0.02};
  scene.bodies[0].velocity << 0, 0, 0, 0, 0, 3;
  const io::Record record = records_of(kEngine, task_of(kEngine, scene), 1).front();
  const Joints& j = record.frame.joints;
  ASSERT_EQ(j.row_count(), 6);
  EXPECT_TRUE(std::isinf(j.bounds(5, 0)));
  EXPECT_EQ(j.bounds(5, 1), 0);
  EXPECT_NEAR(j.violation[5], -0.02, 1e-12);
  EXPECT_NEAR(j.jacobian(5, 11), 1, 1e-12);
  // DART asks for the speed that leads to the limit, as our rigid law does.
  EXPECT_NEAR(j.bias[5], j.violation[5] / kStep, 1e-12);
  const Index body = record.frame.bodies.masses[0] > 0 ? 0 : 1;
  EXPECT_NEAR(record.answer.velocities_plus(body, 5), 2, 1e-4);  // CFM is 1e-5
  EXPECT_LT(momentum_gap(record), 1e-13);
}

// Angle times axis of the first body, rad.
Vector3d turn_after_100_steps(const Scene& scene) {
  DartScene inside(scene, kStep);
  for (int k = 0; k < 100; ++k) inside.step();
  const Eigen::AngleAxisd turn(inside.bodies()[0]->getTransform().linear());
  return turn.angle() * turn.axis();
}

// The angle is the second body's relative to the first. Here the cube is the first and the world
// the second: turning the cube by +0.2 is the angle -0.2, its lower limit.
TEST(DartJoints, JointThatCountsFromTheChildKeepsItsLimits) {
  for (const bool reversed : {false, true}) {
    Scene scene = reversed ? hinged(0, -1) : hinged(-1, 0);
    scene.joints[0].limits[5] = {-0.2, 0.3};
    scene.bodies[0].velocity << 0, 0, 0, 0, 0, 1;
    EXPECT_NEAR(turn_after_100_steps(scene).z(), reversed ? 0.2 : 0.3, 1e-3);
  }
}

TEST(DartJoints, GenericJointCountedBackwardsKeepsItsLimits) {
  for (const bool reversed : {false, true}) {
    Scene scene = reversed ? hinged(0, -1) : hinged(-1, 0);
    scene.joints[0].type = Joint::Type::generic;
    for (std::size_t k = 0; k < 3; ++k) scene.joints[0].limits[k] = {0, 0};
    scene.joints[0].limits[3] = {-0.2, 0.3};
    scene.joints[0].limits[4] = scene.joints[0].limits[5] = {-0.1, 0.1};
    scene.bodies[0].velocity << 0, 0, 0, 1, 0, 0;
    EXPECT_NEAR(turn_after_100_steps(scene).x(), reversed ? 0.2 : 0.3, 1e-3);
  }
}

TEST(DartJoints, MotorHasASpeedAndBoundsAndNoPosition) {
  Scene scene = hinged(-1, 0);
  scene.joints[0].motors[5] = {true, 2, 0.5};
  const io::Record record = records_of(kEngine, task_of(kEngine, scene), 1).front();
  const Joints& j = record.frame.joints;
  ASSERT_EQ(j.row_count(), 6);
  EXPECT_NEAR(j.bounds(5, 0), -0.5 * kStep, 1e-15);
  EXPECT_NEAR(j.bounds(5, 1), 0.5 * kStep, 1e-15);
  EXPECT_EQ(j.violation[5], 0);
  EXPECT_NEAR(j.rate[5], -2, 1e-12);
  EXPECT_NEAR(record.answer.z_joints[5], 0.5 * kStep, 1e-15);
  EXPECT_LT(momentum_gap(record), 1e-14);
}

// A plate that moves at 0.5 m/s and turns carries a box along.
TEST(DartJoints, ScriptedBodyIsFixedAndItsVelocityIsRead) {
  Scene scene = scene_of("stack:1");
  Motion motion;
  motion.keys.push_back({0, Vector6::Zero()});
  motion.keys[0].velocity << 0.5, 0, 0, 0, 0, 0.2;
  scene.bodies[0].motion = motion;
  const std::vector<io::Record> records = records_of(kEngine, task_of(kEngine, scene), 120);
  for (const io::Record& record : records) {
    const Index plate = record.frame.bodies.masses[0] > 0 ? 1 : 0;
    ASSERT_EQ(record.frame.bodies.count(), 2);
    EXPECT_EQ(record.frame.bodies.masses[plate], 0);
    EXPECT_NEAR(record.frame.bodies.velocities(plate, 5), 0.2, 1e-9);
    EXPECT_LT(momentum_gap(record), 1e-12);
  }
  const io::Record& last = records.back();
  const Index box = last.frame.bodies.masses[0] > 0 ? 0 : 1;
  EXPECT_NEAR(last.answer.velocities_plus(box, 5), 0.2, 1e-3);  // it has gone along
}

// Three cubes in a triangle: the third joint closes the loop and becomes a constraint of DART.
TEST(DartJoints, LoopIsClosedByAConstraintAndItsErrorIsTheViolation) {
  Scene scene = hinged(0, 1);
  scene.gravity = Vector3d(0, 0, -9.81);
  scene.bodies.resize(3, scene.bodies[0]);
  scene.bodies[1].pose.position = Vector3d(2, 0, 0);
  scene.bodies[2].pose.position = Vector3d(1, 2, 0);
  scene.bodies[0].velocity << 0, 0, 0, 0.3, 0.2, 0.1;
  scene.joints.resize(3, scene.joints[0]);
  for (Joint& joint : scene.joints) joint.type = Joint::Type::point;
  scene.joints[0].frame.position = Vector3d(1, 0, 0);
  scene.joints[1] = scene.joints[0];
  scene.joints[1].first = 1;
  scene.joints[1].second = 2;
  scene.joints[1].frame.position = Vector3d(1.5, 1, 0);
  scene.joints[2] = scene.joints[0];
  scene.joints[2].first = 2;
  scene.joints[2].second = 0;
  scene.joints[2].frame.position = Vector3d(0.5, 1, 0);
  double apart = 0;
  for (const io::Record& record : records_of(kEngine, task_of(kEngine, scene), 60)) {
    ASSERT_EQ(record.frame.joints.row_count(), 9);
    EXPECT_LT(momentum_gap(record), 1e-12);
    apart = std::max(apart, record.frame.joints.violation.tail<3>().norm());
  }
  EXPECT_GT(apart, 0);
  EXPECT_LT(apart, 0.05);  // what linearized steps leave
}

// A chain with every kind of joint, springs, dampers, a prescribed one in the middle, centres of
// mass aside, in fast motion: the balance of each link must still close.
TEST(DartJoints, EveryKindOfJointInFastMotionCloses) {
  using namespace dart::dynamics;
  const auto world = dart::simulation::World::create();
  world->setTimeStep(0.002);
  const SkeletonPtr skeleton = Skeleton::create("chain");
  BodyNode* last = nullptr;
  const auto add = [&](auto* kind) {
    using Kind = std::remove_pointer_t<decltype(kind)>;
    const std::string name = std::to_string(skeleton->getNumBodyNodes());
    typename Kind::Properties properties;
    properties.mName = "joint " + name;
    auto [joint, node] = skeleton->createJointAndBodyNodePair<Kind>(
        last, properties, BodyNode::AspectProperties("link " + name));
    Matrix3d moment;
    moment << 0.2, 0.01, 0, 0.01, 0.3, 0.02, 0, 0.02, 0.25;
    node->setInertia(Inertia(1.5, Vector3d(0.1, -0.05, 0.2), moment));
    Eigen::Isometry3d offset = Eigen::Isometry3d::Identity();
    offset.translation() = Vector3d(0.3, 0.1, -0.2);
    offset.linear() = Eigen::AngleAxisd(0.7, Vector3d(1, 2, 3).normalized()).toRotationMatrix();
    joint->setTransformFromChildBodyNode(offset);
    for (std::size_t k = 0; k < joint->getNumDofs(); ++k) {
      joint->setPosition(k, 0.2 + 0.1 * static_cast<double>(k));
      joint->setVelocity(k, 2 - static_cast<double>(k));
      joint->setForce(k, 0.5);
      if (last) {
        joint->setSpringStiffness(k, 3);
        joint->setRestPosition(k, -0.3);
        joint->setDampingCoefficient(k, 0.4);
      }
    }
    last = node;
    return joint;
  };
  add(static_cast<FreeJoint*>(nullptr));
  add(static_cast<RevoluteJoint*>(nullptr));
  add(static_cast<UniversalJoint*>(nullptr));
  add(static_cast<EulerJoint*>(nullptr));
  dart::dynamics::Joint* driven = add(static_cast<PrismaticJoint*>(nullptr));
  driven->setActuatorType(dart::dynamics::Joint::VELOCITY);
  add(static_cast<WeldJoint*>(nullptr));
  add(static_cast<BallJoint*>(nullptr));
  world->addSkeleton(skeleton);
  double worst = 0;
  Index rows = 0;
  DartRecorder recorder([&](DartStep& step) {
    worst = std::max(worst, momentum_gap(step.record));
    rows = step.record.frame.joints.row_count();
  });
  recorder.record(*world);
  for (int k = 0; k < 50; ++k) {
    driven->setCommand(0, 0.3);
    last->addExtForce(Vector3d(1, -2, 3), Vector3d(0.1, 0, 0));
    world->step();
    recorder.finish();
  }
  EXPECT_EQ(rows, 5 + 4 + 3 + 6 + 6 + 3);
  std::cout << "momentum closes to " << worst << "\n";
  EXPECT_LT(worst, 1e-12);
}

TEST(DartJoints, WhatDartCannotExpressIsNamed) {
  const auto complaint = [](const Scene& scene) -> std::string {
    try {
      DartScene inside(scene, kStep);
    } catch (const io::InputError& error) {
      return error.what();
    }
    return {};
  };
  EXPECT_NE(complaint(scene_of("gears-small")).find("hull"), std::string::npos);
  Scene scene = hinged(-1, 0);
  scene.joints[0].name = "shoulder";
  scene.joints[0].type = Joint::Type::generic;
  scene.joints[0].motors[5].on = true;
  EXPECT_NE(complaint(scene).find("joint 0 ('shoulder')"), std::string::npos);
  scene = scene_of("stack:1");
  scene.bodies[0].name = "belt";
  scene.bodies[0].motion.emplace();
  scene.bodies[0].motion->type = Motion::Type::conveyor;
  EXPECT_NE(complaint(scene).find("body 0 ('belt')"), std::string::npos);
}

}  // namespace joints_test
}  // namespace perpend::capture::from_dart
