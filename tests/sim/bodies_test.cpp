#include "sim/bodies.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "sim/hand_made.hpp"

namespace perpend::sim {
namespace bodies_test {

constexpr double kH = 0.01;

TEST(StepBodies, MoveFreelyWithTheForcesOfTheStep) {
  HandMade made;
  btRigidBody& cube = made.cube(2, 1, 2, 3);
  cube.setLinearVelocity(btVector3(3, 0, 0));
  cube.setAngularVelocity(btVector3(0, 0, 5));
  cube.applyCentralForce(btVector3(0, 0, -8));
  cube.applyTorque(btVector3(0, 0, 1));
  const StepBodies bodies = made.gathered(kH);
  ASSERT_EQ(bodies.count(), 1);
  const StepBody& m = bodies[0];
  const double inertia = 2.0 / 6;  // of a cube: m a^2 / 6
  EXPECT_TRUE(m.moves);
  EXPECT_EQ(m.id, 10);
  EXPECT_LT((m.velocity - Vector3d(3, 0, -kH * 4)).norm(), 1e-15);
  EXPECT_LT((m.spin - Vector3d(0, 0, 5 + kH / inertia)).norm(), 1e-14);
  // The way it comes with knows no forces.
  EXPECT_LT((m.way - Vector3d(3 * kH, 0, 0)).norm(), 1e-16);
  EXPECT_LT((m.angle - Vector3d(0, 0, 5 * kH)).norm(), 1e-16);
  const double radius = std::sqrt(3.0) / 2;
  EXPECT_NEAR(m.radius, radius, 1e-15);
  EXPECT_NEAR(m.reach, kH * std::hypot(3, 4 * kH) + kH * (5 + kH / inertia) * radius + kSkin,
              1e-15);
  EXPECT_FALSE(m.still());
}

TEST(StepBodies, ThatRestAreStill) {
  HandMade made;
  made.cube(0, 0, 0, 0);
  made.cube(1, 0, 0, 2).forceActivationState(ISLAND_SLEEPING);
  const StepBodies bodies = made.gathered(kH);
  for (Index i : {0, 1}) {
    EXPECT_FALSE(bodies[i].moves);
    EXPECT_FALSE(bodies.moves(i));
    EXPECT_TRUE(bodies[i].still());
  }
  EXPECT_FALSE(bodies.moves(2)) << "the row of the world";
}

TEST(StepBodies, WithASpeedThatDoNotMoveAreStill) {
  HandMade made;
  btRigidBody& conveyor = made.cube(0, 0, 0, 0);
  btRigidBody& asleep = made.cube(0, 0, 0, 2);
  btRigidBody& moved = made.cube(0, 0, 0, 4);
  for (btRigidBody* body : {&asleep, &moved})
    body->setCollisionFlags(btCollisionObject::CF_KINEMATIC_OBJECT);
  asleep.forceActivationState(ISLAND_SLEEPING);
  for (btRigidBody* body : {&conveyor, &asleep, &moved}) {
    body->setLinearVelocity(btVector3(3, 0, 0));
    body->setAngularVelocity(btVector3(0, 0, 5));
  }
  const StepBodies bodies = made.gathered(kH);
  for (Index i : {0, 1}) {
    EXPECT_TRUE(bodies[i].still());
    EXPECT_TRUE(bodies[i].way.isZero(0));
    EXPECT_TRUE(bodies[i].angle.isZero(0));
  }
  EXPECT_FALSE(bodies[2].still());
  EXPECT_LT((bodies[2].way - Vector3d(3 * kH, 0, 0)).norm(), 1e-16);
}

TEST(StepBodies, HaveAVelocityWhereTheyAreFixedOnlyIfTheirSurfaceMoves) {
  HandMade made;
  btRigidBody& conveyor = made.cube(0, 0, 0, 0);
  btRigidBody& floor = made.cube(0, 0, 0, 2);
  for (btRigidBody* body : {&conveyor, &floor}) {
    body->setLinearVelocity(btVector3(3, 0, 0));
    body->setAngularVelocity(btVector3(0, 0, 5));
  }
  const StepBodies bodies = made.gathered(kH, {&conveyor});
  const Bodies columns = body_columns(bodies);
  EXPECT_TRUE(bodies[0].still());
  EXPECT_EQ(columns.velocities(0, 0), 3);
  EXPECT_EQ(columns.velocities(0, 5), 5);
  EXPECT_TRUE(columns.velocities.row(1).isZero(0));
}

TEST(StepBodies, AreFoundByTheirObjects) {
  HandMade made, others;
  const btRigidBody& first = made.cube(1, 0, 0, 0);
  const btRigidBody& second = made.cube(1, 3, 0, 0);
  const btRigidBody& stranger = others.cube(1, 0, 0, 0);
  const StepBodies bodies = made.gathered(kH);
  EXPECT_EQ(bodies.row(first), 0);
  EXPECT_EQ(bodies.row(second), 1);
  EXPECT_EQ(bodies.row(stranger), -1) << "of another world, at the same index";
}

TEST(StepBodies, NoticeWhoWokeUp) {
  HandMade made;
  btRigidBody& cube = made.cube(1, 0, 0, 0);
  const StepBodies bodies = made.gathered(kH);
  EXPECT_FALSE(others_awake(bodies));
  cube.forceActivationState(ISLAND_SLEEPING);
  EXPECT_TRUE(others_awake(bodies));
}

TEST(StepBodies, AreRowsOfAFrame) {
  HandMade made;
  made.cube(0, 0, 0, -1);
  btRigidBody& cube = made.cube(3, 1, 2, 3);
  cube.setLinearVelocity(btVector3(0, 7, 0));
  cube.applyCentralForce(btVector3(0, 0, -6));
  const Bodies columns = body_columns(made.gathered(kH));
  ASSERT_EQ(columns.count(), 2);
  EXPECT_EQ(columns.ids, (Integers{10, 11}));
  EXPECT_TRUE(columns.fixed(0));
  EXPECT_NEAR(columns.masses[1], 3, 1e-15);
  EXPECT_NEAR(columns.inertia(1, 4), 0.5, 1e-15);
  EXPECT_EQ(columns.positions.row(1), Eigen::RowVector3d(1, 2, 3));
  EXPECT_EQ(columns.velocities(1, 1), 7);
  EXPECT_EQ(columns.forces(1, 2), -6);
}

}  // namespace bodies_test
}  // namespace perpend::sim
