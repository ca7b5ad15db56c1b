// Joints of MuJoCo in maximal coordinates: the tree's own, limits, friction, equalities, tendons,
// rotors, damping, actuators; and contacts that resist spin.
#include <gtest/gtest.h>

#include <cmath>

#include "capture/mujoco/runs.hpp"

namespace perpend::capture::from_mujoco {
namespace joints_test {

std::string model(const std::string& world, const std::string& rest = {},
                  const std::string& option = {}) {
  return "<mujoco><compiler angle=\"radian\"/><option timestep=\"0.005\" " + option +
         "/><worldbody>" + world + "</worldbody>" + rest + "</mujoco>";
}

// A rod of 1 kg and 1 m that hangs at the world; `joint` is at its end.
std::string rod(const std::string& joint, const std::string& inside = {}) {
  return "<body pos=\"0 0 2\">" + joint +
         "<geom type=\"capsule\" fromto=\"0 0 0 1 0 0\" size=\"0.05\" mass=\"1\"/>" + inside +
         "</body>";
}

// Every joint type gives the rows it takes away, and they stand still.
TEST(MujocoJoints, HeldRowsAreThoseThatTheJointTakesAway) {
  const struct {
    const char* joint;
    Index rows;
  } cases[] = {{"<joint type=\"hinge\" axis=\"0 1 0\"/>", 5},
               {"<joint type=\"slide\" axis=\"1 0 1\"/>", 5},
               {"<joint type=\"ball\"/>", 3},
               {"<joint type=\"hinge\" axis=\"0 1 0\"/><joint type=\"hinge\" axis=\"0 1 1\"/>", 4},
               {"<joint type=\"slide\" axis=\"0 0 1\"/><joint type=\"ball\" pos=\"0.1 0 0\"/>", 2}};
  for (const auto& one : cases) {
    MujocoWorld world = world_of(model(rod(one.joint)));
    for (int k = 0; k < world.model().nv; ++k) world.data().qvel[k] = 0.7 - 0.4 * k;
    const std::vector<io::Record> records = recorded(world, 100);
    for (const io::Record& record : records) {
      ASSERT_EQ(record.frame.joints.row_count(), one.rows) << one.joint;
      const System system = assemble(record.frame, Model::engine);
      const VectorXd y = jacobian(system) * record.answer.velocities_plus.row(1).transpose();
      EXPECT_LT(y.cwiseAbs().maxCoeff(), 1e-13) << one.joint;
      EXPECT_LT(momentum_gap(record), 1e-12) << one.joint;
    }
    EXPECT_LT(proof_of(records).velocities, 1e-10) << one.joint;
  }
}

// A rod that hangs still: its hinge carries its weight.
TEST(MujocoJoints, HingeCarriesTheWeight) {
  MujocoWorld world = world_of(model(
      "<body pos=\"0 0 2\"><joint axis=\"0 1 0\"/><geom type=\"capsule\" fromto=\"0 0 0 0 0 -1\" "
      "size=\"0.05\" mass=\"1\"/></body>"));
  const io::Record record = recorded(world, 1).front();
  const VectorXd force = record.frame.joints.jacobian.rightCols<6>().transpose() *
                         record.answer.z_joints / record.frame.step;
  EXPECT_LT((force.head<3>() - Vector3d(0, 0, 9.81)).norm(), 1e-12);
}

TEST(MujocoJoints, LimitIsAOneSidedRowWithItsDistance) {
  MujocoWorld world = world_of(model(
      rod("<joint axis=\"0 1 0\" limited=\"true\" range=\"-1 0.2\"/>"), {}, "gravity=\"0 0 0\""));
  world.data().qpos[0] = 0.25;
  world.data().qvel[0] = 1;
  const io::Record record = recorded(world, 1).front();
  const Joints& j = record.frame.joints;
  ASSERT_EQ(j.row_count(), 6);
  EXPECT_EQ(j.bounds(5, 0), 0);
  EXPECT_TRUE(std::isinf(j.bounds(5, 1)));
  EXPECT_NEAR(j.violation[5], -0.05, 1e-12);  // 0.05 rad beyond it
  EXPECT_GT(j.cfm[5], 0);
  EXPECT_GT(record.answer.z_joints[5], 0);
  EXPECT_LT(momentum_gap(record), 1e-13);
  EXPECT_LT(reproduced(record), 1e-12);
  // The row's velocity is minus that of the joint.
  const Vector6 twist = record.frame.bodies.velocities.row(1);
  EXPECT_NEAR(j.jacobian.row(5).tail<6>().dot(twist), -1, 1e-12);
}

TEST(MujocoJoints, FrictionLossIsARowBoundByForceTimesStep) {
  MujocoWorld world = world_of(model(rod("<joint axis=\"0 0 1\" frictionloss=\"0.3\"/>")));
  world.data().qvel[0] = 2;
  const io::Record record = recorded(world, 1).front();
  const Joints& j = record.frame.joints;
  ASSERT_EQ(j.row_count(), 6);
  EXPECT_NEAR(j.bounds(5, 1), 0.3 * 0.005, 1e-15);
  EXPECT_NEAR(j.bounds(5, 0), -0.3 * 0.005, 1e-15);
  EXPECT_EQ(j.violation[5], 0);
  EXPECT_NEAR(record.answer.z_joints[5], -0.3 * 0.005, 1e-12);  // it slides: all of it, against it
  EXPECT_LT(reproduced(record), 1e-12);
}

// Two boxes that start 0.02 m apart from where the equality wants them.
TEST(MujocoJoints, ConnectAndWeldAreBilateralRowsWithTheirError) {
  for (const bool weld : {false, true}) {
    MujocoWorld world = world_of(
        model("<body name=\"a\" pos=\"0 0 1\"><freejoint/><geom type=\"box\" size=\"0.1 0.1 0.1\" "
              "mass=\"1\"/></body><body name=\"b\" pos=\"0.5 0 1\"><freejoint/><geom type=\"box\" "
              "size=\"0.1 0.1 0.1\" mass=\"2\"/></body>",
              weld ? "<equality><weld body1=\"a\" body2=\"b\"/></equality>"
                   : "<equality><connect body1=\"a\" body2=\"b\" anchor=\"0.2 0 0\"/></equality>",
              "gravity=\"0 0 0\""));
    tighten(world.model());
    world.data().qpos[2] += 0.02;
    for (int k = 0; k < 12; ++k) world.data().qvel[k] = 0.3 * (k % 5) - 0.5;
    const std::vector<io::Record> records = recorded(world, 50);
    const Joints& j = records.front().frame.joints;
    ASSERT_EQ(j.row_count(), weld ? 6 : 3);
    EXPECT_NEAR(j.violation[2], 0.02, 1e-12);
    EXPECT_TRUE(std::isinf(j.bounds(2, 0)) && std::isinf(j.bounds(2, 1)));
    const Proof found = proof_of(records);
    EXPECT_LT(found.momentum, 1e-13);
    EXPECT_LT(found.velocities, 1e-10);
  }
}

// A coupling of two joints ties three bodies or more: each joint has a row with the given impulse.
TEST(MujocoJoints, CouplingsAndTendonsAreRowsWithGivenImpulses) {
  const std::string arm =
      rod("<joint name=\"a\" axis=\"0 1 0\"/>",
          "<body pos=\"1 0 0\"><joint name=\"b\" axis=\"0 1 0\"/><geom type=\"capsule\" "
          "fromto=\"0 0 0 1 0 0\" size=\"0.05\" mass=\"1\"/></body>");
  const std::string rest[] = {
      "<equality><joint joint1=\"a\" joint2=\"b\" polycoef=\"0 -1 0 0 0\"/></equality>",
      "<tendon><fixed limited=\"true\" range=\"-0.1 0.1\" frictionloss=\"0.2\"><joint joint=\"a\" "
      "coef=\"1\"/><joint joint=\"b\" coef=\"0.5\"/></fixed></tendon>"};
  for (const std::string& one : rest) {
    MujocoWorld world = world_of(model(arm, one));
    tighten(world.model());
    Index given = 0;
    const std::vector<io::Record> records = recorded(world, 100);
    for (const io::Record& record : records) {
      const Joints& j = record.frame.joints;
      for (Index r = 10; r < j.row_count(); ++r) {
        EXPECT_EQ(j.bounds(r, 0), record.answer.z_joints[r]);
        EXPECT_EQ(j.bounds(r, 1), record.answer.z_joints[r]);
        given += record.answer.z_joints[r] != 0;
      }
    }
    EXPECT_GT(given, 10);
    const Proof found = proof_of(records);
    EXPECT_LT(found.momentum, 1e-12);
    EXPECT_LT(found.velocities, 1e-10);
  }
}

// Damping, springs, rotors, actuators, forces of the user: all close, with both integrators.
TEST(MujocoJoints, ForcesAlongJointsCloseWithBothIntegrators) {
  const std::string arm = rod(
      "<joint name=\"a\" axis=\"0 1 0\" damping=\"0.4\" armature=\"0.2\" stiffness=\"3\"/>",
      "<body name=\"end\" pos=\"1 0 0\"><joint name=\"b\" axis=\"0 1 1\" damping=\"0.1\"/><joint "
      "name=\"c\" axis=\"1 0 0\" armature=\"0.01\"/><geom type=\"capsule\" fromto=\"0 0 0 1 0 0\" "
      "size=\"0.05\" mass=\"1\"/><body pos=\"0.5 0 0.2\"><geom type=\"sphere\" size=\"0.1\" "
      "mass=\"0.3\"/></body></body>");
  for (const char* integrator : {"Euler", "implicit"}) {
    MujocoWorld world = world_of(
        model("<geom type=\"plane\" size=\"5 5 1\" pos=\"0 0 1.5\"/>" + arm,
              "<actuator><motor joint=\"a\" gear=\"3\"/><velocity "
              "joint=\"b\" kv=\"0.5\"/></actuator>",
              std::string("density=\"1.2\" wind=\"3 0 0\" integrator=\"") + integrator + "\""));
    tighten(world.model());
    world.data().ctrl[0] = 0.4;
    world.data().ctrl[1] = -1;
    world.data().qfrc_applied[2] = 0.1;
    const int end = mj_name2id(&world.model(), mjOBJ_BODY, "end");
    for (int k = 0; k < 6; ++k) world.data().xfrc_applied[6 * end + k] = 0.1 * (k + 1);
    const std::vector<io::Record> records = recorded(world, 300);
    EXPECT_EQ(records.front().frame.bodies.count(), 3);  // world, rod, rod with its welded ball
    const Proof found = proof_of(records);
    EXPECT_LT(found.momentum, 1e-12) << integrator;
    EXPECT_LT(found.velocities, 1e-9) << integrator;
    EXPECT_GT(found.contacts, 0);
  }
}

// Spin and rolling: torques as rows with given impulses, so that momentum closes.
TEST(MujocoJoints, TorsionalAndRollingFrictionAreGivenRows) {
  for (const char* cone : {"pyramidal", "elliptic"}) {
    MujocoWorld world = world_of(
        model("<geom type=\"plane\" size=\"5 5 1\" condim=\"6\" friction=\"0.8 0.02 0.01\"/><body "
              "pos=\"0 0 0.1\"><freejoint/><geom type=\"sphere\" size=\"0.1\" condim=\"6\" "
              "friction=\"0.8 0.02 0.01\" mass=\"1\"/></body>",
              {}, std::string("cone=\"") + cone + "\""));
    tighten(world.model());
    world.data().qvel[0] = 1;
    world.data().qvel[5] = 5;
    double turning = 0;
    for (const io::Record& record : recorded(world, 50)) {
      EXPECT_LT(momentum_gap(record), 1e-12) << cone;
      if (record.frame.joints.count() == 0) continue;  // it does not touch yet
      EXPECT_EQ(record.frame.contacts.torsional_mu[0], 0.02);
      EXPECT_EQ(record.frame.contacts.rolling_mu[0], 0.01);
      turning = std::max(turning, record.answer.z_joints.cwiseAbs().maxCoeff());
    }
    EXPECT_GT(turning, 1e-5) << cone;
  }
}

// MuJoCo has no restitution; a contact with little damping bounces, and what it solved is recorded.
TEST(MujocoJoints, AContactThatBouncesIsReproduced) {
  MujocoWorld world =
      world_of(model("<geom type=\"plane\" size=\"5 5 1\"/><body pos=\"0 0 0.3\"><freejoint/><geom "
                     "type=\"sphere\" size=\"0.1\" mass=\"1\" solref=\"-5000 -5\"/></body>",
                     {}, "cone=\"elliptic\""));
  tighten(world.model());
  const std::vector<io::Record> records = recorded(world, 200);
  double up = 0;
  for (const io::Record& record : records)
    up = std::max(up, record.answer.velocities_plus(record.frame.bodies.count() - 1, 2));
  EXPECT_GT(up, 1);
  const Proof found = proof_of(records);
  EXPECT_LT(found.momentum, 1e-13);
  EXPECT_LT(found.velocities, 1e-11);
}

}  // namespace joints_test
}  // namespace perpend::capture::from_mujoco
