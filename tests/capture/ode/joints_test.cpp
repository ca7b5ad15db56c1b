// Joint rows of ODE: what the joint is apart by, limits, motors, and the forces beside them. Every
// step must be what dWorldStep solved: its boxed problem by our method gives its velocities, which
// a wrong error, compliance or bound would not.
#include <gtest/gtest.h>

#include <cmath>

#include "capture/ode/runs.hpp"

namespace perpend::capture::from_ode {
namespace joints_test {

constexpr double kStep = 0.01;
constexpr double kErp = 0.2;  // ODE's default

// Two boxes of different mass and shape, free or joined; the first may be left out (the world).
class TwoBoxes {
 public:
  TwoBoxes()
      : recorder_(
            world_, space_, [this](OdeStep& step) { made_ = step; }, false) {
    first = make(2, Vector3d(0.4, 0.6, 1), Vector3d(-0.6, 0.1, 1));
    second = make(1, Vector3d(0.5, 0.3, 0.7), Vector3d(0.5, -0.2, 1.1));
    dWorldSetGravity(world_, 0, 0, -9.81);
  }
  ~TwoBoxes() {
    dSpaceDestroy(space_);
    dWorldDestroy(world_);
  }

  template <class Make>
  dJointID join(Make&& make_joint, dBodyID one, dBodyID other) {
    const dJointID joint = make_joint(world_, nullptr);
    dJointAttach(joint, one, other);
    return joint;
  }
  // So that nothing is zero by chance: both bodies spin, and are off where the joint was set.
  void disturb() {
    recorder_.before(OdeMethod::step, kStep);  // the joints are seen as they were set
    dWorldStep(world_, kStep);
    recorder_.after();
    move(first, Vector3d(0.01, -0.02, 0.015), Vector3d(0.05, 0.02, -0.03));
    move(second, Vector3d(-0.02, 0.01, 0.005), Vector3d(-0.02, 0.06, 0.04));
    dBodySetAngularVel(first, 0.5, -1, 0.7);
    dBodySetAngularVel(second, -0.3, 0.4, 1.2);
    dBodySetLinearVel(second, 0.2, -0.5, 0.1);
  }
  void move(dBodyID body, const Vector3d& way, const Vector3d& turn) {
    const dReal* p = dBodyGetPosition(body);
    dBodySetPosition(body, p[0] + way.x(), p[1] + way.y(), p[2] + way.z());
    const dReal* q = dBodyGetQuaternion(body);
    const Eigen::Quaterniond turned =
        Eigen::Quaterniond(Eigen::AngleAxisd(turn.norm(), turn.normalized())) *
        Eigen::Quaterniond(q[0], q[1], q[2], q[3]);
    const dQuaternion set{turned.w(), turned.x(), turned.y(), turned.z()};
    dBodySetQuaternion(body, set);
  }
  const OdeStep& step(OdeMethod method = OdeMethod::step) {
    method == OdeMethod::step ? recorder_.step(kStep) : recorder_.quick_step(kStep);
    return made_;
  }
  dWorldID world() { return world_; }
  OdeRecorder& recorder() { return recorder_; }

  dBodyID first, second;

 private:
  dBodyID make(double kg, const Vector3d& sides, const Vector3d& at) {
    const dBodyID body = dBodyCreate(world_);
    dMass mass;
    dMassSetBoxTotal(&mass, kg, sides.x(), sides.y(), sides.z());
    dBodySetMass(body, &mass);
    dBodySetPosition(body, at.x(), at.y(), at.z());
    dGeomSetBody(dCreateBox(space_, sides.x(), sides.y(), sides.z()), body);
    return body;
  }

  OdeLibrary library_;
  dWorldID world_ = dWorldCreate();
  dSpaceID space_ = dSimpleSpaceCreate(nullptr);
  OdeStep made_;
  OdeRecorder recorder_;
};

// Momentum closes, and the recorded problem has ODE's velocities as its solution.
void expect_exact(const OdeStep& step, Index rows) {
  ASSERT_EQ(invalid(step.record.frame), "");
  EXPECT_EQ(step.opaque, 0);
  EXPECT_EQ(step.record.frame.joints.row_count(), rows);
  EXPECT_LT(momentum_gap(step.record), 1e-13);
  EXPECT_LT(reproduction_gap(step.record, boxed), 1e-10);
}

dJointID ball(TwoBoxes& boxes, dBodyID one, dBodyID other) {
  const dJointID joint = boxes.join(dJointCreateBall, one, other);
  dJointSetBallAnchor(joint, 0.1, 0, 1.2);
  return joint;
}
dJointID hinge(TwoBoxes& boxes, dBodyID one, dBodyID other) {
  const dJointID joint = boxes.join(dJointCreateHinge, one, other);
  dJointSetHingeAnchor(joint, 0.1, 0, 1.2);
  dJointSetHingeAxis(joint, 0.6, 0, 0.8);
  return joint;
}
dJointID slider(TwoBoxes& boxes, dBodyID one, dBodyID other) {
  const dJointID joint = boxes.join(dJointCreateSlider, one, other);
  dJointSetSliderAxis(joint, 0.6, 0, 0.8);
  return joint;
}
dJointID universal(TwoBoxes& boxes, dBodyID one, dBodyID other) {
  const dJointID joint = boxes.join(dJointCreateUniversal, one, other);
  dJointSetUniversalAnchor(joint, 0.1, 0, 1.2);
  dJointSetUniversalAxis1(joint, 0.6, 0, 0.8);
  dJointSetUniversalAxis2(joint, 0, 1, 0);
  return joint;
}
dJointID fixed(TwoBoxes& boxes, dBodyID one, dBodyID other) {
  const dJointID joint = boxes.join(dJointCreateFixed, one, other);
  dJointSetFixed(joint);
  return joint;
}
dJointID motor(TwoBoxes& boxes, dBodyID one, dBodyID other) {
  const dJointID joint = boxes.join(dJointCreateAMotor, one, other);
  dJointSetAMotorMode(joint, dAMotorEuler);
  dJointSetAMotorAxis(joint, 0, 1, 1, 0, 0);
  dJointSetAMotorAxis(joint, 2, other ? 2 : 0, 0, 0, 1);
  dJointSetAMotorParam(joint, dParamLoStop1, 0);
  dJointSetAMotorParam(joint, dParamHiStop1, 0);
  dJointSetAMotorParam(joint, dParamVel2, 1.5);
  dJointSetAMotorParam(joint, dParamFMax2, 2);
  dJointSetAMotorParam(joint, dParamLoStop3, -3);
  dJointSetAMotorParam(joint, dParamHiStop3, -0.5);
  return joint;
}

struct Kind {
  const char* name;
  dJointID (*make)(TwoBoxes&, dBodyID, dBodyID);
  Index rows;
};
std::ostream& operator<<(std::ostream& out, const Kind& kind) { return out << kind.name; }

class OdeJointKinds : public testing::TestWithParam<Kind> {};

TEST_P(OdeJointKinds, BetweenTwoBodiesHasItsWholeErrorAndGivesOdesVelocities) {
  TwoBoxes boxes;
  GetParam().make(boxes, boxes.first, boxes.second);
  boxes.disturb();
  const OdeStep& step = boxes.step();
  expect_exact(step, GetParam().rows);
  const Joints& j = step.record.frame.joints;
  for (Index r = 0; r < j.row_count(); ++r) {
    if (j.rate[r] != 0) continue;
    EXPECT_NEAR(j.bias[r], kErp / kStep * j.violation[r], 1e-12);
  }
  EXPECT_GT(VectorXd(j.violation).norm(), 0.01);
}

TEST_P(OdeJointKinds, ToTheWorldIsTheSame) {
  TwoBoxes boxes;
  GetParam().make(boxes, boxes.first, nullptr);
  boxes.disturb();
  expect_exact(boxes.step(), GetParam().rows);
}

// All but the angular motor, whose first axis turns with a first body.
class OdeJointsOfTheWorld : public OdeJointKinds {};

// ODE swaps the two then.
TEST_P(OdeJointsOfTheWorld, FromTheWorldIsTheSame) {
  TwoBoxes boxes;
  GetParam().make(boxes, nullptr, boxes.first);
  boxes.disturb();
  expect_exact(boxes.step(), GetParam().rows);
}

TEST_P(OdeJointKinds, ClosesWithQuickStepToo) {
  TwoBoxes boxes;
  GetParam().make(boxes, boxes.first, boxes.second);
  boxes.disturb();
  const OdeStep& step = boxes.step(OdeMethod::quick_step);
  EXPECT_EQ(step.record.frame.joints.row_count(), GetParam().rows);
  EXPECT_LT(momentum_gap(step.record), 1e-13);
}

std::string name_of(const testing::TestParamInfo<Kind>& one) { return one.param.name; }

const auto kJoined =
    testing::Values(Kind{"ball", ball, 3}, Kind{"hinge", hinge, 5}, Kind{"slider", slider, 5},
                    Kind{"universal", universal, 4}, Kind{"fixed", fixed, 6});
INSTANTIATE_TEST_SUITE_P(Joined, OdeJointKinds, kJoined, name_of);
INSTANTIATE_TEST_SUITE_P(Joined, OdeJointsOfTheWorld, kJoined, name_of);
INSTANTIATE_TEST_SUITE_P(Driven, OdeJointKinds, testing::Values(Kind{"angular_motor", motor, 3}),
                         name_of);

// y = J v+ + Phi/h = 0 is the velocity at which the whole error goes in one step.
TEST(OdeJoints, BallApartByAVectorHasThatVectorAsItsViolation) {
  TwoBoxes boxes;
  ball(boxes, boxes.first, nullptr);
  boxes.move(boxes.first, Vector3d(0.03, -0.02, 0.01), Vector3d(0, 0, 1e-300));
  const Joints& j = boxes.step().record.frame.joints;
  ASSERT_EQ(j.row_count(), 3);
  EXPECT_LT((Vector3d(j.violation) - Vector3d(0.03, -0.02, 0.01)).norm(), 1e-15);
  EXPECT_TRUE(std::isinf(j.bounds(0, 0)) && std::isinf(j.bounds(0, 1)));
}

TEST(OdeJoints, ErpAndCfmOfAJointAreItsOwn) {
  for (auto* const make : {ball, fixed}) {
    TwoBoxes boxes;
    const dJointID joint = make(boxes, boxes.first, boxes.second);
    const auto set = make == ball ? dJointSetBallParam : dJointSetFixedParam;
    set(joint, dParamERP, 0.7);
    set(joint, dParamCFM, 1e-3);
    boxes.disturb();
    const OdeStep& step = boxes.step();
    expect_exact(step, make == ball ? 3 : 6);
    EXPECT_NEAR(step.record.frame.joints.bias[0],
                0.7 / kStep * step.record.frame.joints.violation[0], 1e-12);
    EXPECT_NEAR(step.record.frame.joints.cfm[0], 1e-3 / kStep, 1e-12);
  }
}

// A limit is one-sided, and beyond it the distance to it is negative: y >= 0 turns it back.
TEST(OdeJoints, HingeBeyondALimitIsAOneSidedRow) {
  for (const bool low : {true, false}) {
    TwoBoxes boxes;
    const dJointID joint = hinge(boxes, boxes.first, boxes.second);
    boxes.disturb();
    const double angle = dJointGetHingeAngle(joint);
    dJointSetHingeParam(joint, dParamLoStop, low ? angle + 0.1 : -3);
    dJointSetHingeParam(joint, dParamHiStop, low ? 3 : angle - 0.1);
    dJointSetHingeParam(joint, dParamStopERP, 0.5);
    dJointSetHingeParam(joint, dParamStopCFM, 1e-4);
    const OdeStep& step = boxes.step();
    expect_exact(step, 6);
    const Joints& j = step.record.frame.joints;
    EXPECT_NEAR(j.violation[5], low ? -0.1 : 0.1, 1e-12);
    EXPECT_NEAR(j.bias[5], 0.5 / kStep * j.violation[5], 1e-9);
    EXPECT_EQ(j.bounds(5, low ? 0 : 1), 0);
    EXPECT_TRUE(std::isinf(j.bounds(5, low ? 1 : 0)));
    EXPECT_GT((low ? 1 : -1) * step.record.answer.z_joints[5], 0);
  }
}

// Attached as (world, body), ODE swaps the bodies, and the signs of coordinates with them.
TEST(OdeJoints, LimitsAndMotorsFromTheWorldAreTheSame) {
  for (const bool low : {true, false})
    for (const bool driven : {false, true}) {
      const auto stops = [&](double where, int parameter) {
        return parameter == dParamLoStop ? (low ? where + 0.05 : -3) : (low ? 3 : where - 0.05);
      };
      TwoBoxes one;
      const dJointID turning = hinge(one, nullptr, one.first);
      TwoBoxes other;
      const dJointID sliding = slider(other, nullptr, other.first);
      TwoBoxes third;
      const dJointID cross = universal(third, nullptr, third.first);
      one.disturb();
      other.disturb();
      third.disturb();
      for (const int parameter : {dParamLoStop, dParamHiStop}) {
        dJointSetHingeParam(turning, parameter, stops(dJointGetHingeAngle(turning), parameter));
        dJointSetSliderParam(sliding, parameter,
                             stops(dJointGetSliderPosition(sliding), parameter));
        dJointSetUniversalParam(cross, parameter,
                                stops(dJointGetUniversalAngle1(cross), parameter));
      }
      if (driven) {
        const auto drive = [](auto set, dJointID joint, int speed, int force) {
          set(joint, speed, 1);
          set(joint, force, 3);
        };
        drive(dJointSetHingeParam, turning, dParamVel, dParamFMax);
        drive(dJointSetSliderParam, sliding, dParamVel, dParamFMax);
        drive(dJointSetUniversalParam, cross, dParamVel2, dParamFMax2);
      }
      for (TwoBoxes* boxes : {&one, &other, &third}) {
        const OdeStep& step = boxes->step();
        EXPECT_LT(momentum_gap(step.record), 1e-13);
        EXPECT_LT(reproduction_gap(step.record, boxed), 1e-10);
      }
    }
}

TEST(OdeJoints, LimitBouncesWithItsRestitution) {
  TwoBoxes boxes;
  const dJointID joint = hinge(boxes, boxes.first, nullptr);
  dJointSetHingeParam(joint, dParamLoStop, 0.001);
  dJointSetHingeParam(joint, dParamHiStop, 3);
  dJointSetHingeParam(joint, dParamBounce, 0.5);
  dBodySetAngularVel(boxes.first, -1.2, 0, -1.6);  // 2 rad/s about the axis, towards the limit
  const OdeStep& step = boxes.step();
  expect_exact(step, 6);
  EXPECT_NEAR(step.record.frame.joints.bias[5], -1, 1e-12);
}

TEST(OdeJoints, MotorHasASpeedAndBoundsAndNoPosition) {
  TwoBoxes boxes;
  const dJointID joint = hinge(boxes, boxes.first, nullptr);
  dJointSetHingeParam(joint, dParamVel, 20);
  dJointSetHingeParam(joint, dParamFMax, 0.5);
  const OdeStep& step = boxes.step();
  expect_exact(step, 6);
  const Joints& j = step.record.frame.joints;
  EXPECT_NEAR(j.bounds(5, 1), 0.5 * kStep, 1e-16);
  EXPECT_NEAR(j.bounds(5, 0), -0.5 * kStep, 1e-16);
  EXPECT_EQ(j.violation[5], 0);
  EXPECT_EQ(j.rate[5], -20);
  EXPECT_NEAR(step.record.answer.z_joints[5], 0.5 * kStep, 1e-12);  // at its bound
}

TEST(OdeJoints, SliderMotorAndLimitActBetweenTheBodies) {
  for (const bool at_limit : {false, true}) {
    TwoBoxes boxes;
    const dJointID joint = slider(boxes, boxes.first, boxes.second);
    boxes.disturb();
    dJointSetSliderParam(joint, dParamVel, 1);
    dJointSetSliderParam(joint, dParamFMax, 3);
    if (at_limit) {
      dJointSetSliderParam(joint, dParamLoStop, dJointGetSliderPosition(joint) + 0.02);
      dJointSetSliderParam(joint, dParamHiStop, 5);
    }
    expect_exact(boxes.step(), 6);
  }
}

// A motor at a stop becomes a force beside the row of the stop, less where it drives away from it.
TEST(OdeJoints, MotorAtItsStopIsAnExternalForce) {
  for (const double speed : {1.0, -1.0, 0.0}) {
    TwoBoxes boxes;
    const dJointID joint = hinge(boxes, boxes.first, boxes.second);
    boxes.disturb();
    dJointSetHingeParam(joint, dParamLoStop, dJointGetHingeAngle(joint) + 0.05);
    dJointSetHingeParam(joint, dParamHiStop, 3);
    dJointSetHingeParam(joint, dParamVel, speed);
    dJointSetHingeParam(joint, dParamFMax, 4);
    dJointSetHingeParam(joint, dParamFudgeFactor, 0.25);
    expect_exact(boxes.step(), 6);
  }
}

TEST(OdeJoints, UniversalHasLimitsAndMotorsOfBothAxes) {
  TwoBoxes boxes;
  const dJointID joint = universal(boxes, boxes.first, boxes.second);
  boxes.disturb();
  dJointSetUniversalParam(joint, dParamLoStop1, dJointGetUniversalAngle1(joint) + 0.05);
  dJointSetUniversalParam(joint, dParamHiStop1, 3);
  dJointSetUniversalParam(joint, dParamVel2, 2);
  dJointSetUniversalParam(joint, dParamFMax2, 0.7);
  expect_exact(boxes.step(), 6);
}

// A joint that is made and set when the bodies stand elsewhere than at its first step.
TEST(OdeJoints, PoseInWhichAJointWasSetCanBeTold) {
  const auto gap = [](bool told) {
    TwoBoxes boxes;
    const dJointID joint = fixed(boxes, boxes.first, boxes.second);
    if (told) boxes.recorder().set(joint);
    boxes.move(boxes.first, Vector3d(0.1, 0, 0), Vector3d(0, 0.1, 0));
    return reproduction_gap(boxes.step().record, boxed);
  };
  EXPECT_LT(gap(true), 1e-10);
  EXPECT_GT(gap(false), 0.1);
}

// ODE has joints whose rows it does not tell; what they do is a force, and momentum closes.
TEST(OdeJoints, RowsThatAreNotToldAreExternalForces) {
  TwoBoxes boxes;
  const dJointID joint = boxes.join(dJointCreateHinge2, boxes.first, boxes.second);
  dJointSetHinge2Anchor(joint, 0.1, 0, 1.2);
  const dVector3 up{0, 0, 1}, across{0, 1, 0};
  dJointSetHinge2Axes(joint, up, across);
  boxes.disturb();
  const OdeStep& step = boxes.step();
  EXPECT_EQ(step.opaque, 1);
  EXPECT_EQ(step.record.frame.joints.row_count(), 0);
  EXPECT_LT(momentum_gap(step.record), 1e-13);
  EXPECT_GT(step.record.frame.bodies.forces.row(0).head<3>().norm(), 1);
}

// Feedback that a program asked for itself stays its own.
TEST(OdeJoints, FeedbackOfTheUserIsRead) {
  TwoBoxes boxes;
  const dJointID joint = ball(boxes, boxes.first, nullptr);
  dJointFeedback mine{};
  dJointSetFeedback(joint, &mine);
  expect_exact(boxes.step(), 3);
  EXPECT_EQ(dJointGetFeedback(joint), &mine);
  EXPECT_GT(std::abs(mine.f1[2]), 1);
}

}  // namespace joints_test
}  // namespace perpend::capture::from_ode
