#include "sim/held_joints.hpp"

#include <gtest/gtest.h>

#include "sim/hand_made.hpp"

namespace perpend::sim {
namespace held_joints_test {

constexpr double kH = 0.01;

TEST(HeldJoints, AreThoseThatHoldSomebodyWhoMoves) {
  HandMade made;
  btRigidBody& floor = made.cube(0, 0, 0, 0);
  btRigidBody& a = made.cube(1, 2, 0, 0);
  btRigidBody& b = made.cube(1, 4, 0, 0);
  const btVector3 left(-1, 0, 0), right(1, 0, 0);
  btPoint2PointConstraint to_floor(floor, a, right, left), together(a, b, right, left),
      broken(a, b, right, left), to_world(b, right);
  broken.setEnabled(false);
  const HeldJoints held = held_joints({&to_floor, &broken, &together}, made.gathered(kH), kH);
  ASSERT_EQ(held.list.size(), 2u);
  EXPECT_EQ(held.list[0].joint, &to_floor);
  EXPECT_EQ(held.list[1].joint, &together);
  EXPECT_EQ(held.list[1].first, 1);
  EXPECT_EQ(held.list[1].second, 2);
  EXPECT_EQ(held.list[1].start, 3);
  EXPECT_EQ(held.list[1].count, 3);
  EXPECT_FALSE(held.world);

  const HeldJoints with_world = held_joints({&to_world}, made.gathered(kH), kH);
  ASSERT_EQ(with_world.list.size(), 1u);
  EXPECT_TRUE(with_world.world);
  EXPECT_EQ(std::max(with_world.list[0].first, with_world.list[0].second), 3);

  a.forceActivationState(ISLAND_SLEEPING);
  EXPECT_TRUE(held_joints({&to_floor}, made.gathered(kH), kH).list.empty());
}

TEST(HeldJoints, ForbiddenDirectionsAreRowsToTheWorld) {
  HandMade made;
  btRigidBody& cube = made.cube(1, 0, 0, 0);
  cube.setLinearFactor(btVector3(1, 0, 1));
  cube.setAngularFactor(btVector3(0, 1, 1));
  const HeldJoints held = held_joints({}, made.gathered(kH), kH);
  EXPECT_TRUE(held.world);
  ASSERT_EQ(held.list.size(), 1u);
  EXPECT_EQ(held.list[0].joint, nullptr);
  EXPECT_EQ(held.list[0].first, 1);
  EXPECT_EQ(held.list[0].second, 0);
  ASSERT_EQ(held.rows.size(), 2u);
  EXPECT_EQ(held.rows[0].jacobian, VectorXd::Unit(12, 7)) << "along y";
  EXPECT_EQ(held.rows[1].jacobian, VectorXd::Unit(12, 9)) << "about x";
  for (const JointRow& row : held.rows) EXPECT_TRUE(row.bilateral());
}

TEST(HeldJoints, PositionsAreWithoutMotors) {
  HeldJoints all;
  all.rows.resize(5);
  for (int r = 0; r < 5; ++r) all.rows[static_cast<std::size_t>(r)].key = r;
  all.rows[1].position = all.rows[2].position = false;
  all.list = {{nullptr, 0, 1, 0, 2}, {nullptr, 1, 2, 2, 1}, {nullptr, 2, 3, 3, 2}};
  all.world = true;
  const HeldJoints held = positions_alone(all);
  EXPECT_TRUE(held.world);
  ASSERT_EQ(held.list.size(), 2u) << "one joint was a motor alone";
  EXPECT_EQ(held.list[1].first, 2);
  EXPECT_EQ(held.list[1].start, 1);
  EXPECT_EQ(held.list[1].count, 2);
  ASSERT_EQ(held.rows.size(), 3u);
  EXPECT_EQ(held.rows[0].key, 0);
  EXPECT_EQ(held.rows[1].key, 3);
  EXPECT_EQ(held.rows[2].key, 4);
}

}  // namespace held_joints_test
}  // namespace perpend::sim
