#include "sim/kinematic.hpp"

#include <gtest/gtest.h>

#include "sim/hand_made.hpp"

namespace perpend::sim {
namespace kinematic_test {

// One that Bullet has moved from x = 1 m to x = 2 m, in 1 s.
struct Moved {
  HandMade made;
  btRigidBody& body = made.cube(0, 1, 0, 0);
  KinematicBodies kinematic;

  Moved() {
    body.setCollisionFlags(btCollisionObject::CF_KINEMATIC_OBJECT);
    body.setActivationState(DISABLE_DEACTIVATION);
    body.setInterpolationWorldTransform(body.getWorldTransform());
    kinematic.leaves(body);
    put(2);
    body.setLinearVelocity(btVector3(1, 0, 0));
    kinematic.arrive_in(1);
  }
  void put(double x) {
    body.setWorldTransform(btTransform(btQuaternion::getIdentity(), btVector3(x, 0, 0)));
  }
  double x() const { return body.getWorldTransform().getOrigin().x(); }
};

TEST(KinematicBodies, StartWhereTheyWereAndMoveWithTheSteps) {
  Moved m;
  m.kinematic.place();
  EXPECT_EQ(m.x(), 1);
  m.kinematic.advance(0.25);
  EXPECT_EQ(m.x(), 1.25);
  m.kinematic.advance(0.5);
  EXPECT_EQ(m.x(), 1.75);
}

TEST(KinematicBodies, ArriveAndAreTheUsersAgain) {
  Moved m;
  m.kinematic.advance(0.1);
  for (int k = 0; k < 9; ++k) m.kinematic.advance(0.1);
  EXPECT_EQ(m.x(), 2) << "the very pose, whatever tenths add up to";
  m.put(9);
  m.kinematic.place();
  EXPECT_EQ(m.x(), 9);
}

TEST(KinematicBodies, AreForgotten) {
  for (bool all : {false, true}) {
    Moved m;
    if (all)
      m.kinematic.clear();
    else
      m.kinematic.forget(&m.body);
    m.kinematic.place();
    EXPECT_EQ(m.x(), 2);
  }
}

TEST(KinematicBodies, AreNeitherAsleepNorMovedByForces) {
  HandMade made;
  btRigidBody& falls = made.cube(1, 3, 0, 0);
  falls.setInterpolationWorldTransform(btTransform::getIdentity());
  KinematicBodies kinematic;
  kinematic.leaves(falls);
  kinematic.arrive_in(1);
  kinematic.place();
  EXPECT_EQ(falls.getWorldTransform().getOrigin().x(), 3);
}

}  // namespace kinematic_test
}  // namespace perpend::sim
