// What DART's contacts look like in a frame, and that v+ is what its world has after the step.
#include <gtest/gtest.h>

#include <cmath>
#include <dart/dynamics/BoxShape.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>

#include "capture/dart/scene.hpp"
#include "capture/proof.hpp"
#include "perpend/capture/dart.hpp"

namespace perpend::capture::from_dart {
namespace contacts_test {

const Engine kEngine = dart_engine();

std::vector<io::Record> recorded(const Scene& scene, int steps, const std::string& solver = {}) {
  return records_of(kEngine, task_of(kEngine, scene, solver), steps);
}

TEST(DartContacts, FloorCarriesTheWeightOfABox) {
  const io::Record last = recorded(scene_of("stack:1"), 60).back();
  const Frame& frame = last.frame;
  ASSERT_EQ(frame.contacts.count(), 4);
  Vector3d force = Vector3d::Zero();
  for (Index i = 0; i < 4; ++i) {
    const std::int64_t first =
        frame.bodies.ids[static_cast<std::size_t>(frame.contacts.pairs(i, 0))];
    const Vector3d impulse = last.answer.z(i, 0) * frame.contacts.normals.row(i) +
                             last.answer.z(i, 1) * frame.contacts.tangents.row(i).head<3>() +
                             last.answer.z(i, 2) * frame.contacts.tangents.row(i).tail<3>();
    force += (first == 0 ? 1 : -1) / frame.step * impulse;
  }
  EXPECT_NEAR(force.z(), 9.81, 1e-6);
  EXPECT_NEAR(force.head<2>().norm(), 0, 1e-9);
}

TEST(DartContacts, ForceOfAFreeBodyIsItsWeightAndTheGyroscopicTorque) {
  for (const io::Record& record : recorded(spinning_box(), 20)) {
    const Bodies& b = record.frame.bodies;
    ASSERT_EQ(b.count(), 1);  // the floor is not there: nothing touches it
    const Matrix3d inertia = b.inertia.row(0).reshaped<Eigen::RowMajor>(3, 3);
    const Vector3d w = b.velocities.row(0).tail<3>();
    EXPECT_NEAR(b.forces(0, 2), -9.81, 1e-12);
    EXPECT_LT((Vector3d(b.forces.row(0).tail<3>()) + w.cross(inertia * w)).norm(), 1e-12);
    EXPECT_LT(momentum_gap(record), 1e-14);
  }
}

// DART takes the speed after gravity has acted: e (u + g h), and multiplies the bodies' numbers.
TEST(DartContacts, RestitutionIsInTheBias) {
  const Scene scene = bouncing_ball();
  const io::Record record = recorded(scene, 1).front();
  ASSERT_EQ(record.frame.contacts.count(), 1);
  const double bounce = 0.5 * (2 + 9.81 * scene.step);
  EXPECT_NEAR(record.frame.contacts.restitution[0], 0.5, 1e-15);
  EXPECT_NEAR(record.frame.contacts.bias(0, 0), -bounce, 1e-12);
  const Index ball = record.frame.bodies.masses[0] > 0 ? 0 : 1;
  EXPECT_NEAR(record.answer.velocities_plus(ball, 2), bounce, 1e-4);  // CFM is 1e-5
  EXPECT_LT(momentum_gap(record), 1e-14);
}

// 0.02 m deep asks for 0.01 * 0.02/h = 0.012 m/s, and more than 1e-3 m/s is never asked for.
TEST(DartContacts, OverlapIsInTheBias) {
  Scene scene = scene_of("stack:1");
  scene.bodies[1].pose.position.z() -= 0.02;
  const io::Record deep = recorded(scene, 1).front();
  ASSERT_EQ(deep.frame.contacts.count(), 4);
  for (Index i = 0; i < 4; ++i) {
    EXPECT_NEAR(deep.frame.contacts.gap[i], -0.02, 1e-12);
    EXPECT_NEAR(deep.frame.contacts.bias(i, 0), -1e-3, 1e-12);
    EXPECT_NEAR(deep.frame.contacts.bias.row(i).tail<2>().norm(), 0, 1e-12);
  }
}

TEST(DartContacts, ComplianceIsAHundredThousandthOfTheDiagonal) {
  const io::Record record = recorded(scene_of("stack:1"), 5).back();
  const System system = assemble(record.frame);
  for (Index i = 0; i < system.contacts(); ++i)
    for (Index k = 0; k < 3; ++k)
      EXPECT_NEAR(record.frame.contacts.cfm(i, k), 1e-5 * contact_block(system, i)(k, k), 1e-14);
}

// The response of a free body to its contacts is known in closed form: what acts along its free
// joint, where its frame lies and to where friction is turned change nothing of that.
TEST(DartContacts, FreeBodyWithADamperAndTurnedFrictionCloses) {
  DartScene inside(scene_of("stack:2"), 0.01);
  for (const std::size_t i : {std::size_t{1}, std::size_t{2}}) {
    dart::dynamics::BodyNode& node = *inside.bodies()[i];
    node.setInertia(dart::dynamics::Inertia(2, Vector3d(0.1, -0.05, 0.02),
                                            Vector3d(0.3, 0.2, 0.25).asDiagonal().toDenseMatrix()));
    Eigen::Isometry3d offset = Eigen::Isometry3d::Identity();
    offset.translation() = Vector3d(0.2, 0.1, 0);
    node.getParentJoint()->setTransformFromChildBodyNode(offset);
    node.getParentJoint()->setTransformFromParentBodyNode(node.getTransform() * offset);
    for (std::size_t k = 0; k < 6; ++k) {
      node.getParentJoint()->setDampingCoefficient(k, 0.5);
      node.getParentJoint()->setForce(k, 0.2);
    }
    node.getShapeNode(0)->getDynamicsAspect()->setFirstFrictionDirection(Vector3d(1, 2, 0));
    node.getParentJoint()->setVelocities((Vector6() << 0, 0, 0.3, 1, -0.5, 0).finished());
  }
  Index contacts = 0;
  double turned = 0;
  DartRecorder recorder([&](DartStep& step) {
    EXPECT_LT(momentum_gap(step.record), 1e-14);
    const System system = assemble(step.record.frame);
    for (Index i = 0; i < system.contacts(); ++i, ++contacts) {
      for (Index k = 0; k < 3; ++k)
        EXPECT_NEAR(step.record.frame.contacts.cfm(i, k), 1e-5 * contact_block(system, i)(k, k),
                    1e-14);
      const Vector3d t = step.record.frame.contacts.tangents.row(i).head<3>();
      turned = std::max(turned, std::min(std::abs(t.x()), std::abs(t.y())));
    }
  });
  recorder.record(inside.world());
  for (int k = 0; k < 20; ++k) inside.step();
  recorder.finish();
  EXPECT_GT(contacts, 40);
  EXPECT_GT(turned, 0.1);
}

// Frozen bounds: friction of Dantzig's answers is within them, and not always within mu lambda_n.
TEST(DartContacts, DantzigFreezesTheBoundsOfFriction) {
  double beyond = 0;
  for (const io::Record& record : recorded(scene_of("spheres"), 120)) {
    const Contacts& k = record.frame.contacts;
    for (Index i = 0; i < k.count(); ++i)
      for (const Index d : {0, 1}) {
        const double friction = std::abs(record.answer.z(i, 1 + d));
        EXPECT_LE(friction, k.friction_bounds(i, d) * (1 + 1e-9) + 1e-12);
        beyond = std::max(beyond, friction - k.mu[i] * record.answer.z(i, 0));
      }
  }
  EXPECT_GT(beyond, 1e-3);
}

TEST(DartContacts, GaussSeidelAloneIsRecordedWithBoundsThatFollowTheNormal) {
  const Scene scene = scene_of("stack:3");
  for (const io::Record& record : recorded(scene, 20, "pgs")) {
    EXPECT_EQ(record.answer.answered, kDartSweeps);
    EXPECT_LT(momentum_gap(record), 1e-12);
    for (const double bound : record.frame.contacts.friction_bounds.reshaped())
      EXPECT_TRUE(std::isinf(bound));
  }
  Task task = task_of(kEngine, scene, "pgs");
  task.iterations = 1000;
  EXPECT_EQ(kEngine.make(task)->iterations(), 1000);
  expect_same_trajectory(kEngine, task, 20);
}

TEST(DartContacts, StepsAreToldWhichSolverAnsweredThem) {
  std::map<std::string, int> answered;
  for (const io::Record& record : recorded(scene_of("wall:5"), 30))
    ++answered[record.answer.answered];
  EXPECT_GT(answered[kDartDantzig], 0);
  EXPECT_GT(answered[kDartSweeps] + answered[kDartBoth], 0);
}

// The recorder's v+ is computed before DART moves the bodies; its world then has it in new frames,
// which DART finds by way of a logarithm.
TEST(DartContacts, VelocitiesPlusAreWhatTheWorldHasAfterTheStep) {
  DartScene inside(scene_of("stack"), 1.0 / 60);
  io::Record made;
  DartRecorder recorder([&](DartStep& step) { made = std::move(step.record); });
  recorder.record(inside.world());
  double fastest = 0, worst = 0;
  for (int k = 0; k < 60; ++k) {
    inside.step();
    recorder.finish();
    for (Index i = 0; i < made.frame.bodies.count(); ++i) {
      const auto id = static_cast<std::size_t>(made.frame.bodies.ids[static_cast<std::size_t>(i)]);
      const dart::dynamics::BodyNode& node = *inside.bodies()[id];
      Vector6 now;
      now << node.getCOMLinearVelocity(), node.getAngularVelocity();
      worst = std::max(worst, (now - Vector6(made.answer.velocities_plus.row(i))).norm());
      fastest = std::max(fastest, now.norm());
    }
  }
  std::cout << "v+ of the frames and of the world differ by " << worst << " m/s\n";
  EXPECT_GT(fastest, 0.1);
  EXPECT_LT(worst, 1e-9);
}

TEST(DartContacts, ForcesOfTheUserAreForces) {
  DartScene inside(scene_of("stack:1"), 0.01);
  io::Record made;
  DartRecorder recorder([&](DartStep& step) { made = std::move(step.record); });
  recorder.record(inside.world());
  inside.bodies()[1]->addExtForce(Vector3d(1, 2, 3), Vector3d(0.1, 0, 0), false, true);
  inside.step();
  recorder.finish();
  const Index box = made.frame.bodies.masses[0] > 0 ? 0 : 1;
  const Vector6 force = made.frame.bodies.forces.row(box);
  EXPECT_LT((force - (Vector6() << 1, 2, 3 - 9.81, 0, -0.3, 0.2).finished()).norm(), 1e-12);
  EXPECT_LT(momentum_gap(made), 1e-14);
}

}  // namespace contacts_test
}  // namespace perpend::capture::from_dart
