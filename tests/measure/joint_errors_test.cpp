// joint_error and joint_turn_error on joints that come apart by a known speed.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "measure/scenes.hpp"
#include "perpend/frame/rotation.hpp"
#include "perpend/measure/velocity_errors.hpp"

namespace perpend {
namespace joint_errors_test {

using namespace scenes;

// A hinge about z between two bodies of 2 kg with the pivot at both centres of mass: three rows of
// translations, two of rotations; `more` rows of rotations about z.
Frame hinge(Index more = 0) {
  Frame f = empty_frame(2, 0, {5 + more});
  f.bodies.masses.setConstant(2);
  f.joints.pairs.row(0) << 0, 1;
  f.joints.jacobian.setZero();
  const auto row = [&](Index r, Index at, const Vector3d& d) {
    f.joints.jacobian.row(r).segment<3>(at) = -d.transpose();
    f.joints.jacobian.row(r).segment<3>(6 + at) = d.transpose();
  };
  for (Index k = 0; k < 3; ++k) row(k, 0, Vector3d::Unit(k));
  for (Index k = 0; k < 2; ++k) row(3 + k, 3, Vector3d::Unit(k));
  for (Index k = 0; k < more; ++k) row(5 + k, 3, Vector3d::UnitZ());
  return f;
}

struct Two {
  double joint, turn;
};
Two errors(const Frame& frame, const Impulses& lambda) {
  const Errors all = measure(assemble(frame), lambda);
  return {all[Measure::joint_error], all[Measure::joint_turn_error]};
}
Impulses none(const Frame& frame) { return Impulses::Zero(frame.joints.row_count()); }

TEST(JointError, IsTheSpeedAtWhichAHingeIsPulledApart) {
  Frame f = hinge();
  f.bodies.velocities(1, 0) = 0.1;
  const Two got = errors(f, none(f));
  EXPECT_DOUBLE_EQ(got.joint, 0.1);
  EXPECT_EQ(got.turn, 0);
}

TEST(JointTurnError, IsTheSpeedAtWhichAHingeIsTwisted) {
  Frame f = hinge();
  f.bodies.velocities(0, 4) = -0.2;
  const Two got = errors(f, none(f));
  EXPECT_EQ(got.joint, 0);
  EXPECT_DOUBLE_EQ(got.turn, 0.2);
}

TEST(JointTurnError, IgnoresTheFreeAxisOfAHinge) {
  Frame f = hinge();
  f.bodies.velocities(1, 5) = 7;
  const Two got = errors(f, none(f));
  EXPECT_EQ(got.joint, 0);
  EXPECT_EQ(got.turn, 0);
}

TEST(JointError, AndTheErrorOfRotationsAreTheVelocityErrorOfJoints) {
  Frame f = hinge();
  f.bodies.velocities.row(1) << 0.1, -0.3, 0, 0.2, 0, 0;
  const System system = assemble(f);
  const Impulses lambda = none(f);
  const Two got = errors(f, lambda);
  EXPECT_DOUBLE_EQ(got.joint, 0.3);
  EXPECT_DOUBLE_EQ(got.turn, 0.2);
  EXPECT_EQ(measure(system, lambda, Measure::velocity_error), std::max(got.joint, got.turn));
  EXPECT_EQ(measure(system, lambda, Measure::joint_error), got.joint);
  EXPECT_EQ(measure(system, lambda, Measure::joint_turn_error), got.turn);
}

// The impulse that stops the two: the reduced mass 1 kg times 0.1 m/s, against the motion.
TEST(JointError, VanishesWithTheRightImpulse) {
  Frame f = hinge();
  f.bodies.velocities(1, 0) = 0.1;
  Impulses lambda = none(f);
  lambda[0] = -0.1;
  EXPECT_NEAR(errors(f, lambda).joint, 0, 1e-16);
  lambda[0] = -0.05;  // half of it
  EXPECT_NEAR(errors(f, lambda).joint, 0.05, 1e-16);
}

// A gap that is to close in the step counts as speed: 0.0125 m in 1/8 s.
TEST(JointError, CountsTheGapOfAJoint) {
  Frame f = hinge();
  f.joints.violation[1] = 0.0125;
  EXPECT_DOUBLE_EQ(errors(f, none(f)).joint, 0.1);
}

TEST(JointTurnError, SeesALimitThatIsPassedAndNoneThatIsLeft) {
  Frame f = hinge(1);
  f.joints.bounds.row(5) << 0, kInf;
  f.bodies.velocities(1, 5) = -0.5;
  EXPECT_DOUBLE_EQ(errors(f, none(f)).turn, 0.5);
  f.bodies.velocities(1, 5) = 0.5;
  EXPECT_EQ(errors(f, none(f)).turn, 0);
}

TEST(JointTurnError, AllowsAMotorAtItsBoundToMissItsSpeed) {
  Frame f = hinge(1);
  f.joints.bounds.row(5) << -0.25, 0.25;
  f.joints.rate.setZero(6);
  f.joints.rate[5] = -3;  // rad/s wanted
  Impulses lambda = none(f);
  EXPECT_DOUBLE_EQ(errors(f, lambda).turn, std::min(3.0, 0.25 * 2));  // of 1/2 kg m^2
  lambda[5] = 0.25;
  EXPECT_EQ(errors(f, lambda).turn, 0);
}

// A drive of compliance 4 with 1/4 of an impulse moves at 1 rad/s, which is right: then its row
// adds nothing. y = -1 + (1 + 1) lambda + 4 lambda with lambda = 1/6.
TEST(JointTurnError, KnowsTheComplianceOfDrives) {
  Frame f = hinge(1);
  f.joints.compliance.setZero(6);
  f.joints.compliance[5] = 4;
  f.bodies.velocities(1, 5) = -1;
  Impulses lambda = none(f);
  lambda[5] = 1.0 / 6;
  EXPECT_NEAR(errors(f, lambda).turn, 0, 1e-15);
  f.joints.compliance.resize(0);
  EXPECT_NEAR(errors(f, lambda).turn, 1 - 2.0 / 6, 1e-15);
}

TEST(JointError, CountsARowOfBothSorts) {
  Frame f = hinge();
  f.joints.jacobian(3, 6) = 1e-3;  // a screw: no rotation by itself
  f.bodies.velocities(1, 3) = 0.2;
  const Two got = errors(f, none(f));
  EXPECT_DOUBLE_EQ(got.joint, 0.2);
  EXPECT_EQ(got.turn, 0);
}

TEST(JointError, IsZeroWithoutJointsAndAbsentWhereRowsDoNotTellTheirSort) {
  EXPECT_EQ(errors(sliding(), impulses({2, -1, 0})).joint, 0);
  EXPECT_EQ(errors(sliding(), impulses({2, -1, 0})).turn, 0);
  const Frame f = hinge();
  const Errors unknown = measure(with_blocks(assemble(f)), none(f));
  EXPECT_FALSE(unknown.has(Measure::joint_error));
  EXPECT_FALSE(unknown.has(Measure::joint_turn_error));
  EXPECT_TRUE(unknown.has(Measure::velocity_error));
}

TEST(JointError, IsInfiniteForAnswersThatAreNoNumbers) {
  Frame f = hinge();
  const Two got = errors(f, Impulses::Constant(5, kNaN));
  EXPECT_EQ(got.joint, kInf);
  EXPECT_EQ(got.turn, kInf);
}

}  // namespace joint_errors_test
}  // namespace perpend
