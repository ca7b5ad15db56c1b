// Rows of Bullet's joints: their Jacobians are derivatives of their violations, and Bullet's own
// angles, positions, limits and motors mean what they mean in Bullet.
#include "sim/joints.hpp"

#include <btBulletDynamicsCommon.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "sim/bullet_types.hpp"
#include "sim/integrate.hpp"

namespace perpend::sim {
namespace joints_test {

struct TwoBodies {
  btBoxShape box{btVector3(0.5, 0.4, 0.3)};
  btRigidBody a{btRigidBody::btRigidBodyConstructionInfo(1, nullptr, &box, btVector3(1, 2, 3))};
  btRigidBody b{btRigidBody::btRigidBodyConstructionInfo(2, nullptr, &box, btVector3(2, 1, 2))};
  btTransform frame_a, frame_b;

  TwoBodies() {
    frame_a =
        btTransform(btQuaternion(btVector3(1, 2, -1).normalized(), 0.4), btVector3(0.5, 0.1, -0.2));
    frame_b =
        btTransform(btQuaternion(btVector3(-1, 1, 1).normalized(), 0.9), btVector3(-0.4, 0.3, 0.1));
    a.setCenterOfMassTransform(
        btTransform(btQuaternion(btVector3(0, 1, 1).normalized(), 0.7), btVector3(1, 2, 3)));
    // b where the two frames nearly agree: a general small disagreement of all six coordinates.
    const btTransform apart(btQuaternion(btVector3(1, -2, 0.5).normalized(), 0.3),
                            btVector3(0.05, -0.02, 0.07));
    b.setCenterOfMassTransform(a.getCenterOfMassTransform() * frame_a * apart * frame_b.inverse());
  }
};

void move(btRigidBody& body, const Vector3d& shift, const Vector3d& turn) {
  btTransform pose = body.getCenterOfMassTransform();
  pose.setOrigin(pose.getOrigin() + to_bullet(shift));
  const btQuaternion q = pose.getRotation();
  const Eigen::Quaterniond turned =
      exponential(turn) * Eigen::Quaterniond(q.w(), q.x(), q.y(), q.z());
  pose.setRotation(btQuaternion(turned.x(), turned.y(), turned.z(), turned.w()));
  body.setCenterOfMassTransform(pose);
}

// Of bodies at rest.
void expect_violations_alone(btTypedConstraint& joint, const std::vector<JointRow>& rows) {
  std::vector<JointRow> alone;
  joint_violations(joint, 0.01, alone);
  ASSERT_EQ(alone.size(), rows.size());
  for (std::size_t r = 0; r < rows.size(); ++r) {
    EXPECT_EQ(alone[r].violation, rows[r].violation);
    EXPECT_EQ(alone[r].key, rows[r].key);
    EXPECT_EQ(alone[r].lower, rows[r].lower);
    EXPECT_EQ(alone[r].upper, rows[r].upper);
    EXPECT_EQ(alone[r].position, rows[r].position);
  }
}

// Central differences with step 1e-5 have an error of about 1e-10.
void expect_derivatives(TwoBodies& two, btTypedConstraint& joint) {
  std::vector<JointRow> rows;
  joint_rows(joint, 0.01, rows);
  ASSERT_FALSE(rows.empty());
  expect_violations_alone(joint, rows);
  constexpr double kStep = 1e-5;
  for (int column = 0; column < 12; ++column) {
    btRigidBody& body = column < 6 ? two.a : two.b;
    const btTransform before = body.getCenterOfMassTransform();
    const Vector3d unit = kStep * Vector3d::Unit(column % 3), zero = Vector3d::Zero();
    const bool turn = column % 6 >= 3;
    std::vector<JointRow> ahead, behind;
    move(body, turn ? zero : unit, turn ? unit : zero);
    joint_rows(joint, 0.01, ahead);
    body.setCenterOfMassTransform(before);
    move(body, turn ? zero : Vector3d(-unit), turn ? Vector3d(-unit) : zero);
    joint_rows(joint, 0.01, behind);
    body.setCenterOfMassTransform(before);
    ASSERT_EQ(ahead.size(), rows.size());
    ASSERT_EQ(behind.size(), rows.size());
    for (std::size_t r = 0; r < rows.size(); ++r) {
      if (!rows[r].position) continue;
      EXPECT_NEAR((ahead[r].violation - behind[r].violation) / (2 * kStep),
                  rows[r].jacobian[column], 1e-8)
          << "row " << r << ", column " << column;
    }
  }
}

TEST(JointRows, OfAHingeAreTheDerivativesOfItsViolations) {
  for (bool reference : {false, true}) {
    TwoBodies two;
    btHingeConstraint joint(two.a, two.b, two.frame_a, two.frame_b, reference);
    joint.setLimit(-0.3, 0.3);
    expect_derivatives(two, joint);
  }
}

TEST(JointRows, OfAPointJointAreTheDerivativesOfItsViolations) {
  TwoBodies two;
  btPoint2PointConstraint joint(two.a, two.b, two.frame_a.getOrigin(), two.frame_b.getOrigin());
  expect_derivatives(two, joint);
}

TEST(JointRows, OfASliderAreTheDerivativesOfItsViolations) {
  for (bool reference : {false, true}) {
    TwoBodies two;
    btSliderConstraint joint(two.a, two.b, two.frame_a, two.frame_b, reference);
    joint.setLowerLinLimit(-0.1);
    joint.setUpperLinLimit(0.1);
    joint.setLowerAngLimit(-0.2);
    joint.setUpperAngLimit(0.2);
    expect_derivatives(two, joint);
  }
}

TEST(JointRows, OfAGenericJointAreTheDerivativesOfItsViolations) {
  TwoBodies two;
  btGeneric6DofConstraint joint(two.a, two.b, two.frame_a, two.frame_b, true);
  for (int k = 0; k < 6; ++k) joint.setLimit(k, -0.25, 0.25);
  joint.setLimit(1, 0, 0);
  joint.setLimit(4, 0, 0);
  expect_derivatives(two, joint);
}

TEST(JointRows, OfAFixedJointAreTheDerivativesOfItsViolations) {
  TwoBodies two;
  btFixedConstraint joint(two.a, two.b, two.frame_a, two.frame_b);
  expect_derivatives(two, joint);
}

TEST(JointRows, FollowBulletsAngles) {
  TwoBodies two;
  btHingeConstraint hinge(two.a, two.b, two.frame_a, two.frame_b, false);
  hinge.setLimit(-1.5, 1.5);
  std::vector<JointRow> rows;
  // Far limits take part when the joint turns fast: lower and upper, in this order.
  two.a.setAngularVelocity(btVector3(300, 300, 300));
  joint_rows(hinge, 0.01, rows);
  ASSERT_EQ(rows.size(), 7u);
  EXPECT_NEAR(rows[5].violation, hinge.getHingeAngle() + 1.5, 1e-12);
  EXPECT_NEAR(rows[6].violation, 1.5 - hinge.getHingeAngle(), 1e-12);

  btGeneric6DofConstraint six(two.a, two.b, two.frame_a, two.frame_b, true);
  for (int k = 0; k < 6; ++k) six.setLimit(k, -1, 1);
  rows.clear();
  two.a.setLinearVelocity(btVector3(500, 300, 400));
  joint_rows(six, 0.1, rows);
  ASSERT_EQ(rows.size(), 12u);
  six.calculateTransforms();
  for (int k = 0; k < 3; ++k) {
    const auto at = static_cast<std::size_t>(2 * k);
    EXPECT_NEAR(rows[at].violation, six.getRelativePivotPosition(k) + 1, 1e-12);
    EXPECT_NEAR(rows[at + 6].violation, six.getAngle(k) + 1, 1e-12);
  }

  btSliderConstraint slider(two.a, two.b, two.frame_a, two.frame_b, true);
  slider.setLowerLinLimit(-1);
  slider.setUpperLinLimit(1);
  rows.clear();
  joint_rows(slider, 0.1, rows);
  slider.calculateTransforms(two.a.getCenterOfMassTransform(), two.b.getCenterOfMassTransform());
  slider.testLinLimits();
  EXPECT_NEAR(rows[4].violation, slider.getLinearPos() + 1, 1e-12);
}

// Bullet's own motor row: J v = error. Ours: J v = -rate. With the frames in agreement the
// directions are the same up to sign, and the same sign relates the targets.
TEST(JointRows, MotorsDriveWhereBulletDrivesThem) {
  TwoBodies two;
  two.frame_a.setIdentity();
  two.frame_b.setIdentity();
  two.a.setCenterOfMassTransform(btTransform::getIdentity());
  two.b.setCenterOfMassTransform(btTransform::getIdentity());
  const auto bullets_row = [](btTypedConstraint& joint) {
    struct Row {
      btScalar jacobian[12] = {}, error = 0, cfm = 0, lower = 0, upper = 0;
    };
    btTypedConstraint::btConstraintInfo1 size;
    joint.buildJacobian();
    joint.getInfo1(&size);
    std::vector<Row> rows(static_cast<std::size_t>(size.m_numConstraintRows));
    btTypedConstraint::btConstraintInfo2 info;
    info.fps = 60;
    info.erp = 1;
    info.m_J1linearAxis = rows[0].jacobian;
    info.m_J1angularAxis = rows[0].jacobian + 3;
    info.m_J2linearAxis = rows[0].jacobian + 6;
    info.m_J2angularAxis = rows[0].jacobian + 9;
    info.rowskip = sizeof(Row) / sizeof(btScalar);
    info.m_constraintError = &rows[0].error;
    info.cfm = &rows[0].cfm;
    info.m_lowerLimit = &rows[0].lower;
    info.m_upperLimit = &rows[0].upper;
    info.m_numIterations = 10;
    info.m_damping = 1;
    joint.getInfo2(&info);
    for (const Row& row : rows)
      if (row.error != 0) return row;
    return Row{};
  };
  const auto expect_same = [&](btTypedConstraint& joint) {
    const auto theirs = bullets_row(joint);
    std::vector<JointRow> rows;
    joint_rows(joint, 1.0 / 60, rows);
    const auto motor =
        std::find_if(rows.begin(), rows.end(), [](const JointRow& row) { return !row.position; });
    ASSERT_NE(motor, rows.end());
    Eigen::Map<const Eigen::Matrix<double, 12, 1>> jacobian(theirs.jacobian);
    const double sign = jacobian.dot(motor->jacobian) / motor->jacobian.squaredNorm();
    EXPECT_NEAR(std::abs(sign), 1, 1e-12);
    EXPECT_NEAR(-motor->rate * sign, theirs.error, 1e-12);
    EXPECT_NEAR(motor->upper, theirs.upper, 1e-12);
    EXPECT_NEAR(motor->lower, theirs.lower, 1e-12);
  };
  for (bool reference : {false, true}) {
    btHingeConstraint hinge(two.a, two.b, two.frame_a, two.frame_b, reference);
    hinge.enableAngularMotor(true, 2, 7);
    expect_same(hinge);
    btSliderConstraint slider(two.a, two.b, two.frame_a, two.frame_b, reference);
    slider.setPoweredLinMotor(true);
    slider.setTargetLinMotorVelocity(3);
    slider.setMaxLinMotorForce(9);
    expect_same(slider);
    slider.setPoweredLinMotor(false);
    slider.setLowerAngLimit(1);
    slider.setUpperAngLimit(-1);
    slider.setPoweredAngMotor(true);
    slider.setTargetAngMotorVelocity(3);
    slider.setMaxAngMotorForce(9);
    expect_same(slider);
  }
  for (int k = 0; k < 6; ++k) {
    btGeneric6DofConstraint six(two.a, two.b, two.frame_a, two.frame_b, true);
    btGeneric6DofSpring2Constraint two_six(two.a, two.b, two.frame_a, two.frame_b);
    for (int free = 0; free < 6; ++free) {
      six.setLimit(free, 1, -1);
      two_six.setLimit(free, 1, -1);
    }
    two_six.enableMotor(k, true);
    two_six.setTargetVelocity(k, 2);
    two_six.setMaxMotorForce(k, 5);
    if (k < 3) {
      six.getTranslationalLimitMotor()->m_enableMotor[k] = true;
      six.getTranslationalLimitMotor()->m_targetVelocity[k] = 2;
      six.getTranslationalLimitMotor()->m_maxMotorForce[k] = 5;
    } else {
      six.getRotationalLimitMotor(k - 3)->m_enableMotor = true;
      six.getRotationalLimitMotor(k - 3)->m_targetVelocity = 2;
      six.getRotationalLimitMotor(k - 3)->m_maxMotorForce = 5;
    }
    expect_same(six);
    expect_same(two_six);
  }
}

TEST(JointRows, OfOtherJointsAreBulletsOwn) {
  TwoBodies two;
  btConeTwistConstraint joint(two.a, two.b, two.frame_a, two.frame_b);
  std::vector<JointRow> rows;
  joint_rows(joint, 0.01, rows);
  ASSERT_GE(rows.size(), 3u);
  // The first three hold the anchor points together.
  const Vector3d apart = from_bullet(two.b.getCenterOfMassTransform() * two.frame_b.getOrigin() -
                                     two.a.getCenterOfMassTransform() * two.frame_a.getOrigin());
  for (int k = 0; k < 3; ++k) {
    const JointRow& row = rows[static_cast<std::size_t>(k)];
    EXPECT_NEAR(row.violation, row.jacobian.segment<3>(6).dot(apart), 1e-12);
    EXPECT_TRUE(row.bilateral());
  }
}

}  // namespace joints_test
}  // namespace perpend::sim
