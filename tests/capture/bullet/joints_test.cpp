// Joint rows of stock Bullet: what the joint is apart by, limits, motors.
#include <gtest/gtest.h>

#include <cmath>

#include "capture/bullet/runs.hpp"
#include "capture/robots.hpp"
#include "perpend/capture.hpp"

namespace perpend::capture::from_bullet {
namespace joints_test {

constexpr double kStep = 0.01;

// A box of 1 kg that hangs at the world by one joint; one step.
class HangingBox {
 public:
  HangingBox()
      : recorder_([this](BulletStep& step) { made_ = step; }, false),
        solver_(recorder_),
        stock_(solver_),
        box_(btVector3(0.5, 0.5, 0.5)),
        body_(btRigidBody::btRigidBodyConstructionInfo(1, nullptr, &box_, btVector3(1, 1, 1))) {
    stock_.world.setGravity(btVector3(0, 0, 0));
    stock_.world.addRigidBody(&body_);
  }
  ~HangingBox() {
    if (joint_) stock_.world.removeConstraint(joint_.get());
    stock_.world.removeRigidBody(&body_);
  }
  btRigidBody& body() { return body_; }
  template <class Joint>
  Joint& hang(std::unique_ptr<Joint> joint) {
    Joint& made = *joint;
    joint_ = std::move(joint);
    stock_.world.addConstraint(joint_.get());
    return made;
  }
  const BulletStep& step() {
    stock_.world.stepSimulation(kStep, 0);
    return made_;
  }
  void turn(double angle) {
    body_.setWorldTransform(btTransform(btQuaternion(btVector3(0, 0, 1), angle),
                                        body_.getWorldTransform().getOrigin()));
  }

 private:
  BulletStep made_;
  BulletRecorder recorder_;
  Recording<btSequentialImpulseConstraintSolver> solver_;
  StockWorld stock_;
  btBoxShape box_;
  btRigidBody body_;
  std::unique_ptr<btTypedConstraint> joint_;
};

// y = J v+ + Phi/h = 0 is the velocity at which the whole error goes in one step: the box must move
// by minus its displacement. Bullet asks for a fifth of it.
TEST(BulletJoints, PointApartByAVectorHasThatVectorAsItsViolation) {
  HangingBox box;
  box.hang(std::make_unique<btPoint2PointConstraint>(box.body(), btVector3(0, 0, 0)));
  box.body().setWorldTransform(
      btTransform(btQuaternion::getIdentity(), btVector3(0.03, -0.02, 0.01)));
  const BulletStep& step = box.step();
  const Joints& j = step.record.frame.joints;
  ASSERT_EQ(j.row_count(), 3);
  const Matrix3d on_box = j.jacobian.leftCols<3>();
  const Vector3d asked = -on_box.inverse() * Vector3d(j.violation);
  EXPECT_LT((asked - Vector3d(-0.03, 0.02, -0.01)).norm(), 1e-15);
  EXPECT_LT((Vector3d(j.bias) - 0.2 / kStep * Vector3d(j.violation)).norm(), 1e-12);
  EXPECT_EQ(j.rate, Vector3d(0, 0, 0));
  EXPECT_TRUE(std::isinf(j.bounds(0, 0)) && std::isinf(j.bounds(0, 1)));
  EXPECT_LT(momentum_gap(step.record), 1e-14);
}

TEST(BulletJoints, EveryBilateralTypeTellsItsWholeError) {
  const btTransform here = btTransform::getIdentity();
  const btVector3 shift(0.03, -0.02, 0.01);
  const auto violations = [&](HangingBox& box) {
    box.body().setWorldTransform(btTransform(btQuaternion::getIdentity(), shift));
    const Joints j = box.step().record.frame.joints;
    return VectorXd(j.violation).norm();
  };
  HangingBox hinged, sliding, generic, fixed;
  hinged.hang(std::make_unique<btHingeConstraint>(hinged.body(), here));
  auto& slider = sliding.hang(std::make_unique<btSliderConstraint>(sliding.body(), here, true));
  slider.setLowerLinLimit(1);  // free along x
  slider.setUpperLinLimit(-1);
  generic.hang(std::make_unique<btGeneric6DofConstraint>(generic.body(), here, true));
  fixed.hang(std::make_unique<btFixedConstraint>(btTypedConstraint::getFixedBody(), fixed.body(),
                                                 here, here));
  const double apart = std::sqrt(0.03 * 0.03 + 0.02 * 0.02 + 0.01 * 0.01);
  EXPECT_NEAR(violations(hinged), apart, 1e-12);
  EXPECT_NEAR(violations(sliding), std::hypot(0.02, 0.01), 1e-12);
  EXPECT_NEAR(violations(generic), apart, 1e-12);
  EXPECT_NEAR(violations(fixed), apart, 1e-12);
}

// A limit is one-sided, and beyond it the distance to it is negative: y >= 0 turns it back.
TEST(BulletJoints, HingeBeyondItsLimitIsAOneSidedRow) {
  HangingBox box;
  auto& hinge = box.hang(std::make_unique<btHingeConstraint>(box.body(), btVector3(0, 0, 0),
                                                             btVector3(0, 0, 1), true));
  hinge.setLimit(-0.2, 0.2);
  box.turn(0.3);
  const BulletStep& step = box.step();
  const Joints& j = step.record.frame.joints;
  ASSERT_EQ(j.row_count(), 6);
  const double lower = j.bounds(5, 0), upper = j.bounds(5, 1);
  ASSERT_TRUE((lower == 0 && std::isinf(upper)) || (upper == 0 && std::isinf(lower)));
  EXPECT_NEAR(std::abs(j.violation[5]), 0.1, 1e-9);
  EXPECT_LT(lower == 0 ? j.violation[5] : -j.violation[5], 0);
  EXPECT_LT(momentum_gap(step.record), 1e-14);
}

TEST(BulletJoints, MotorHasASpeedAndBoundsAndNoPosition) {
  HangingBox box;
  auto& hinge = box.hang(std::make_unique<btHingeConstraint>(box.body(), btVector3(0, 0, 0),
                                                             btVector3(0, 0, 1), true));
  hinge.enableAngularMotor(true, 2, 0.5);
  const BulletStep& step = box.step();
  const Joints& j = step.record.frame.joints;
  ASSERT_EQ(j.row_count(), 6);
  EXPECT_EQ(j.bounds(5, 0), -0.5);
  EXPECT_EQ(j.bounds(5, 1), 0.5);
  EXPECT_EQ(j.violation[5], 0);
  EXPECT_NEAR(std::abs(j.rate[5]), 2, 1e-12);
  // The box, inertia 1, gets the whole 0.5 N m s, and the motor pushes it towards its speed.
  EXPECT_NEAR(std::abs(step.record.answer.z_joints[5]), 0.5, 1e-12);
  EXPECT_LT(j.rate[5] * step.record.answer.z_joints[5], 0);
  EXPECT_LT(momentum_gap(step.record), 1e-14);
}

// Bounds of its motor are force times step, and the force is in newtons.
TEST(BulletJoints, SliderMotorIsBoundByItsForceTimesTheStep) {
  HangingBox box;
  auto& slider =
      box.hang(std::make_unique<btSliderConstraint>(box.body(), btTransform::getIdentity(), true));
  slider.setPoweredLinMotor(true);
  slider.setTargetLinMotorVelocity(1);
  slider.setMaxLinMotorForce(3);
  slider.setLowerLinLimit(-10);
  slider.setUpperLinLimit(10);
  const BulletStep& step = box.step();
  const Joints& j = step.record.frame.joints;
  Index motors = 0;
  for (Index r = 0; r < j.row_count(); ++r)
    if (std::isfinite(j.bounds(r, 0)) && std::isfinite(j.bounds(r, 1))) {
      ++motors;
      EXPECT_NEAR(j.bounds(r, 1), 3 * kStep, 1e-15);
      EXPECT_NEAR(std::abs(j.rate[r]), 1, 1e-12);
    }
  EXPECT_EQ(motors, 1);
}

TEST(BulletJoints, JointsOfASceneHaveItsIds) {
  for (const char* scene : {"snake", "ragdolls"}) expect_joint_ids(bullet_engine(), scene);
}

}  // namespace joints_test
}  // namespace perpend::capture::from_bullet
