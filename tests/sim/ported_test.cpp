// Programs that use what Bullet has for picking, freezing, breaking and conveying: they run as in
// the stock world.
#include <gtest/gtest.h>

#include "support/bullet_world.hpp"

namespace perpend {
namespace ported_test {

using worlds::at;
using worlds::kGravity;
using worlds::kStep;
using worlds::Ours;
using worlds::Stock;

struct Picked {
  double fastest = 0;  // m/s
  btVector3 end;
};

// Bullet's examples pick a body like this: a point joint to the world, and the mouse moves its
// pivot. Here it drags a crate over the floor, up by 3 m and aside.
template <class World>
Picked pick(double mass, double erp) {
  World bullet;
  bullet.plane();
  btRigidBody& crate = bullet.cube(mass, 0, 0, 0.5);
  crate.setActivationState(DISABLE_DEACTIVATION);
  auto& joint =
      bullet.template joint<btPoint2PointConstraint>(false, crate, btVector3(0.3, 0.2, 0.5));
  joint.m_setting.m_impulseClamp = 30;
  joint.m_setting.m_tau = 0.001;
  if (erp > 0) joint.setParam(BT_CONSTRAINT_ERP, erp);
  Picked out;
  for (int k = 0; k < 180; ++k) {
    const double s = std::min(1.0, k / 20.0);  // the hand moves for a third of a second
    joint.setPivotB(btVector3(0.3 + 4 * s, 0.2, 1 + 3 * s));
    bullet.step();
    out.fastest = std::max(out.fastest, crate.getLinearVelocity().length());
  }
  out.end = crate.getWorldTransform().getOrigin();
  return out;
}

TEST(Ported, MousePickingMovesACrateAsInBullet) {
  for (const double mass : {1.0, 20.0})
    for (const double erp : {0.0, 0.5}) {
      const Picked ours = pick<Ours>(mass, erp), stock = pick<Stock>(mass, erp);
      // Bullet's ten iterations leave the joint soft by some percent.
      EXPECT_NEAR(ours.fastest, stock.fastest, 0.15 * stock.fastest) << mass << " kg, erp " << erp;
      EXPECT_LT(ours.end.distance(stock.end), 0.3) << mass << " kg, erp " << erp;
    }
}

TEST(Ported, APickedCrateThatIsHeldDownIsPulledWithTheClampOnly) {
  Ours bullet;
  btRigidBody& crate = bullet.cube(1, 0, 0, 0.5);
  auto& nail = bullet.joint<btPoint2PointConstraint>(false, crate, btVector3(0, 0, 0));
  auto& hand = bullet.joint<btPoint2PointConstraint>(false, crate, btVector3(0, 0, 0));
  hand.m_setting.m_impulseClamp = 2;
  hand.setPivotB(btVector3(0, 0, 50));
  bullet.step(30);
  EXPECT_NEAR(hand.getAppliedImpulse(), 2, 1e-9);
  EXPECT_NEAR(nail.getAppliedImpulse(), 2 - kGravity * kStep, 1e-6);
  EXPECT_LT((crate.getWorldTransform().getOrigin() - btVector3(0, 0, 0.5)).length(), 1e-9);
  EXPECT_LT(bullet.world.joint_violation(), 1e-9) << "a hand keeps no position";
}

TEST(Ported, AFixedBodyWithAVelocityCarriesNothing) {
  for (const bool conveyor : {false, true}) {
    Ours bullet;
    btRigidBody& floor = bullet.plane();
    btRigidBody& crate = bullet.cube(1, 0, 0, 0.5);
    if (conveyor)
      bullet.world.set_surface_velocity(&floor, btVector3(0.5, 0, 0));
    else
      floor.setLinearVelocity(btVector3(0.5, 0, 0));
    bullet.step(60);
    EXPECT_NEAR(crate.getLinearVelocity().x(), conveyor ? 0.5 : 0, 1e-9);
    EXPECT_EQ(floor.getWorldTransform().getOrigin().x(), 0);
    bullet.world.set_surface_velocity(&floor, btVector3(0, 0, 0));
    bullet.step(60);
    EXPECT_NEAR(crate.getLinearVelocity().x(), 0, 1e-9);
  }
}

TEST(Ported, ABodyFrozenInFlightStaysAndCarriesNothing) {
  const auto fly = [](auto& bullet) {
    btRigidBody& lift = bullet.cube(2, 0, 0, 3);
    btRigidBody& crate = bullet.cube(1, 0, 0, 4);
    lift.setLinearVelocity(btVector3(2, 0, 1));
    lift.setAngularVelocity(btVector3(0, 0, 1));
    bullet.step(5);
    const btTransform there = lift.getWorldTransform();
    lift.setMassProps(0, btVector3(0, 0, 0));
    const double x = crate.getWorldTransform().getOrigin().x();
    crate.setLinearVelocity(btVector3(0, 0, 0));
    bullet.step(60);
    EXPECT_EQ(lift.getWorldTransform().getOrigin(), there.getOrigin());
    EXPECT_NEAR(crate.getWorldTransform().getOrigin().x(), x, 0.01);
    lift.setMassProps(2, btVector3(1, 1, 1));  // and flies on as it was frozen
    lift.activate(true);
    bullet.step();
    return lift.getLinearVelocity();
  };
  Ours ours;
  Stock stock;
  EXPECT_LT((fly(ours) - fly(stock)).length(), 0.3);
}

// A ball of 10 kg falls on a board that a weak joint holds: the joint breaks in the step in which
// it does in Bullet, and takes no more than its threshold from the ball.
TEST(Ported, ABreakingJointGivesItsThresholdAndNoMore) {
  constexpr double kThreshold = 1.5;  // N s
  const auto hit = [](auto& bullet) {
    btRigidBody& bob = bullet.cube(1, 0, 0, -2);
    auto& joint = bullet.template joint<btPoint2PointConstraint>(true, bob, btVector3(0, 0, 2));
    joint.setBreakingImpulseThreshold(kThreshold);
    bullet.step(3);
    EXPECT_TRUE(joint.isEnabled());
    bob.setLinearVelocity(btVector3(0, 0, -10));
    bullet.step();
    EXPECT_FALSE(joint.isEnabled());
    EXPECT_NEAR(joint.getAppliedImpulse(), kThreshold, 1e-9);
    const double speed = bob.getLinearVelocity().z();
    EXPECT_NEAR(speed, -10 - kGravity * kStep + kThreshold, 1e-9);
    bullet.step();
    EXPECT_EQ(joint.getAppliedImpulse(), 0);
    EXPECT_NEAR(bob.getLinearVelocity().z(), speed - kGravity * kStep, 1e-9);
  };
  Ours ours;
  Stock stock;
  hit(ours);
  hit(stock);
}

// A joint that may break keeps a swinging body as well as one that may not.
TEST(Ported, AJointThatDoesNotBreakStaysClosed) {
  Ours bullet;
  btRigidBody& bob = bullet.cube(1, 2, 0, 0);
  auto& joint = bullet.joint<btPoint2PointConstraint>(true, bob, btVector3(-2, 0, 0));
  joint.setBreakingImpulseThreshold(100);
  for (int k = 0; k < 120; ++k) {
    bullet.step();
    EXPECT_LT(bullet.world.joint_violation(), 1e-8);
  }
  EXPECT_TRUE(joint.isEnabled());
}

TEST(Ported, FeedbackOfAHangingBodyIsThatOfBullet) {
  const auto hang = [](auto& bullet) {
    btRigidBody& bob = bullet.cube(3, 1, 0, 0);
    btTransform in_a = at(-1, 0, 0), in_b = at(0, 0, 0);
    auto& joint = bullet.template joint<btGeneric6DofConstraint>(
        true, btTypedConstraint::getFixedBody(), bob, in_b, in_a, true);
    for (int k = 0; k < 6; ++k) joint.setLimit(k, 0, 0);
    btJointFeedback feedback{};
    joint.setJointFeedback(&feedback);
    bullet.step(200);
    joint.setJointFeedback(nullptr);
    return feedback;
  };
  Ours ours;
  Stock stock;
  const btJointFeedback a = hang(ours), b = hang(stock);
  const double weight = 3 * kGravity;
  EXPECT_LT((a.m_appliedForceBodyB - btVector3(0, 0, weight)).length(), 1e-6);
  EXPECT_LT((a.m_appliedForceBodyA - b.m_appliedForceBodyA).length(), 0.02 * weight);
  EXPECT_LT((a.m_appliedForceBodyB - b.m_appliedForceBodyB).length(), 0.02 * weight);
  EXPECT_LT((a.m_appliedTorqueBodyB - b.m_appliedTorqueBodyB).length(), 0.05 * weight);
}

TEST(Ported, DisabledJointsGiveNothing) {
  Ours bullet;
  btRigidBody& bob = bullet.cube(3, 0, 0, -2);
  auto& joint = bullet.joint<btPoint2PointConstraint>(true, bob, btVector3(0, 0, 2));
  btJointFeedback feedback{};
  joint.setJointFeedback(&feedback);
  bullet.step(2);
  EXPECT_GT(feedback.m_appliedForceBodyA.length(), 1);
  joint.setEnabled(false);
  bullet.step();
  EXPECT_EQ(joint.getAppliedImpulse(), 0);
  EXPECT_EQ(feedback.m_appliedForceBodyA.length(), 0);
}

TEST(Ported, PositionsThatASliderTellsAreThoseOfTheStep) {
  const auto slide = [](auto& bullet) {
    btRigidBody& body = bullet.cube(1, 0, 0, 0);
    btTransform turned(btQuaternion(btVector3(0, 1, 0), 1.5707963267948966));  // slides along z
    auto& joint = bullet.template joint<btSliderConstraint>(true, body, turned, true);
    joint.setLowerLinLimit(1);
    joint.setUpperLinLimit(-1);
    bullet.step(30);
    return joint.getLinearPos();
  };
  Ours ours;
  Stock stock;
  const double here = slide(ours);
  EXPECT_GT(std::abs(here), 1);
  EXPECT_NEAR(here, slide(stock), 0.01);
}

}  // namespace ported_test
}  // namespace perpend
