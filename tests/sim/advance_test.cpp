#include "sim/advance.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "sim/hand_made.hpp"

namespace perpend::sim {
namespace advance_test {

constexpr double kH = 0.01;

TEST(Advance, MovesWithTheVelocityAtTheEndOfTheStep) {
  HandMade made;
  btRigidBody& floor = made.cube(0, 0, 0, 0);
  btRigidBody& cube = made.cube(1, 1, 2, 3);
  Rows6 plus(2, 6);
  plus << 9, 9, 9, 9, 9, 9,  // of the floor: not read
      10, 0, -20, 0, 0, 50;
  advance(made.gathered(kH), plus, kH);
  EXPECT_EQ(floor.getCenterOfMassPosition(), btVector3(0, 0, 0));
  EXPECT_EQ(cube.getLinearVelocity(), btVector3(10, 0, -20));
  EXPECT_EQ(cube.getAngularVelocity(), btVector3(0, 0, 50));
  EXPECT_LT((cube.getCenterOfMassPosition() - btVector3(1.1, 2, 2.8)).length(), 1e-15);
  // It has turned by 0.5 rad about z.
  const btVector3 axis = cube.getCenterOfMassTransform().getBasis().getColumn(0);
  EXPECT_LT((axis - btVector3(std::cos(0.5), std::sin(0.5), 0)).length(), 1e-15);
}

TEST(Advance, JointsFeelTheirRowsAndTheNextStepStartsFromThem) {
  HandMade made;
  btRigidBody& cube = made.cube(1, 0, 0, 0);
  btPoint2PointConstraint joint(cube, btVector3(0, 0, 1));
  joint.enableFeedback(true);
  btJointFeedback feedback;
  joint.setJointFeedback(&feedback);
  const HeldJoints held = held_joints({&joint}, made.gathered(kH), kH);
  ASSERT_EQ(held.rows.size(), 3u);
  Memory memory;
  memory.joints[&joint] = {{1000, 1}};  // of a row that is gone
  VectorXd impulses(3);
  impulses << 0, 0, 0.25;
  write_joints(held, impulses, kH, memory);
  const auto& kept = memory.joints.at(&joint);
  ASSERT_EQ(kept.size(), 3u);
  for (std::size_t r = 0; r < 3; ++r) {
    EXPECT_EQ(kept[r].key, held.rows[r].key);
    EXPECT_EQ(kept[r].impulse, impulses[static_cast<Index>(r)]);
  }
  EXPECT_NEAR(feedback.m_appliedForceBodyA.length(), 0.25 / kH, 1e-12);
}

TEST(Advance, PairsThatTheBroadPhaseHasDroppedKeepNothing) {
  Touches touches;
  touches.list.resize(1);
  touches.pairs = {{nullptr, 0, 1, 0, 1}};
  const std::vector<Vector3d> impulses = {Vector3d(1, 2, 3)};
  write_contacts(touches, impulses);  // and nothing is written through a null pointer
}

}  // namespace advance_test
}  // namespace perpend::sim
