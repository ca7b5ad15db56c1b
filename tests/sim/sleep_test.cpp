#include "sim/sleep.hpp"

#include <gtest/gtest.h>

#include "sim/hand_made.hpp"

namespace perpend::sim {
namespace sleep_test {

bool anything(const btCollisionObject*, const btCollisionObject*) { return true; }

// Three cubes in a row: the first awake, the others want to sleep; the first two overlap.
struct Three {
  HandMade made;
  btRigidBody &a = made.cube(1, 0, 0, 0), &b = made.cube(1, 1, 0, 0), &c = made.cube(1, 5, 0, 0);
  std::vector<NearPair> pairs = {{nullptr, 0, 1, true}, {nullptr, 1, 2, false}};
  std::vector<btTypedConstraint*> joints;

  Three() {
    b.setActivationState(WANTS_DEACTIVATION);
    c.setActivationState(WANTS_DEACTIVATION);
  }
  void settle() { fall_asleep_or_wake(made.gathered(0.01), pairs, joints, anything); }
};

TEST(Sleep, ComesToWholeIslands) {
  Three t;
  t.settle();
  EXPECT_EQ(t.b.getActivationState(), WANTS_DEACTIVATION) << "its neighbour is awake";
  EXPECT_EQ(t.c.getActivationState(), ISLAND_SLEEPING);
  t.a.setActivationState(WANTS_DEACTIVATION);
  t.settle();
  EXPECT_EQ(t.a.getActivationState(), ISLAND_SLEEPING);
  EXPECT_EQ(t.b.getActivationState(), ISLAND_SLEEPING);
}

TEST(Sleep, EndsWhenSomethingAwakeComesNear) {
  Three t;
  t.b.forceActivationState(ISLAND_SLEEPING);
  t.settle();
  EXPECT_EQ(t.b.getActivationState(), WANTS_DEACTIVATION);
  EXPECT_EQ(t.b.getDeactivationTime(), 0);
}

TEST(Sleep, IsSharedByWhatAJointLinks) {
  Three t;
  btPoint2PointConstraint joint(t.a, t.c, btVector3(5, 0, 0), btVector3(0, 0, 0));
  t.joints = {&joint};
  t.settle();
  EXPECT_EQ(t.c.getActivationState(), WANTS_DEACTIVATION);
  joint.setEnabled(false);
  t.settle();
  EXPECT_EQ(t.c.getActivationState(), ISLAND_SLEEPING);
}

TEST(Sleep, KeepsAwakeWhatAKinematicBodyMayTouch) {
  for (bool may : {true, false}) {
    HandMade made;
    btRigidBody& pusher = made.cube(0, 0, 0, 0);
    pusher.setCollisionFlags(btCollisionObject::CF_KINEMATIC_OBJECT);
    pusher.setActivationState(DISABLE_DEACTIVATION);
    btRigidBody& cube = made.cube(1, 1, 0, 0);
    cube.setActivationState(WANTS_DEACTIVATION);
    fall_asleep_or_wake(made.gathered(0.01), {{nullptr, 0, 1, true}}, {},
                        [may](const auto*, const auto*) { return may; });
    EXPECT_EQ(cube.getActivationState(), may ? ACTIVE_TAG : ISLAND_SLEEPING);
  }
}

}  // namespace sleep_test
}  // namespace perpend::sim
