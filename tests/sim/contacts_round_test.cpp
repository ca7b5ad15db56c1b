// Contact sets of spheres, capsules, cylinders and cones on planes, boxes and each other.
#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <BulletCollision/CollisionShapes/btCapsuleShape.h>
#include <BulletCollision/CollisionShapes/btConeShape.h>
#include <BulletCollision/CollisionShapes/btConvexHullShape.h>
#include <BulletCollision/CollisionShapes/btCylinderShape.h>
#include <BulletCollision/CollisionShapes/btMultiSphereShape.h>
#include <BulletCollision/CollisionShapes/btSphereShape.h>
#include <BulletCollision/CollisionShapes/btStaticPlaneShape.h>
#include <gtest/gtest.h>

#include <cmath>

#include "sim/contact_things.hpp"

namespace perpend::sim {
namespace contacts_round_test {

// A plane and the top of a box, both at z = 0.
class Ground : public testing::TestWithParam<bool> {
 protected:
  const Thing& ground() const { return GetParam() ? slab_ : plane_; }

 private:
  btBoxShape slab_shape_{btVector3(5, 5, 1)};
  btStaticPlaneShape plane_shape_{btVector3(0, 0, 1), 0};
  Thing slab_{slab_shape_, {0, 0, -1}}, plane_{plane_shape_, {0, 0, 0}};
};
INSTANTIATE_TEST_SUITE_P(PlaneAndBox, Ground, testing::Bool(),
                         [](const auto& p) { return p.param ? "Box" : "Plane"; });

TEST_P(Ground, ASphereTouchesInOnePoint) {
  btSphereShape ball(0.25);
  expect_set(contacts(ground(), Thing(ball, {0.3, 0.2, 0.26}), 0.02), {{0.3, 0.2, 0.01}}, {0, 0, 1},
             0.01);
  expect_set(contacts(ground(), Thing(ball, {0.3, 0.2, 0.24}), 0.02), {{0.3, 0.2, -0.01}},
             {0, 0, 1}, -0.01);
}

TEST_P(Ground, ALyingCapsuleTouchesInTwoPointsAStandingOneInOne) {
  btCapsuleShapeX lying(0.25, 1);
  expect_set(contacts(ground(), Thing(lying, {0, 0, 0.25}), 0.01), {{0.5, 0, 0}, {-0.5, 0, 0}},
             {0, 0, 1}, 0);
  btCapsuleShapeZ standing(0.25, 1);
  expect_set(contacts(ground(), Thing(standing, {0, 0, 0.75}), 0.01), {{0, 0, 0}}, {0, 0, 1}, 0);
}

TEST_P(Ground, ARollingCylinderTouchesAtItsLowestGenerator) {
  btCylinderShapeZ log(btVector3(0.25, 0.25, 0.5));
  for (int step = 0; step < 100; ++step) {  // no corners, however far it has rolled
    const Eigen::Quaterniond q = turned(0.1 * step, {1, 0, 0}) * turned(kPi / 2, {0, 1, 0});
    // Rotations by quaternions are orthogonal to rounding: 1e-15.
    expect_set(contacts(ground(), Thing(log, {0, 0.1, 0.25}, q), 0.01),
               {{0.5, 0.1, 0}, {-0.5, 0.1, 0}}, {0, 0, 1}, 0, 2e-15);
  }
}

TEST_P(Ground, AStandingCylinderTouchesInFourPointsOfItsRimWhateverRoundingSays) {
  btCylinderShapeZ can(btVector3(0.25, 0.25, 0.5));
  const std::vector<Vector3d> rim{{0.25, 0, 0}, {0, 0.25, 0}, {-0.25, 0, 0}, {0, -0.25, 0}};
  const auto calm = contacts(ground(), Thing(can, {0, 0, 0.5}), 0.01);
  expect_set(calm, rim, {0, 0, 1}, 0);
  const auto tilted =
      contacts(ground(), Thing(can, {0, 0, 0.5}, turned(1e-12, {0.6, 0.8, 0})), 0.01);
  expect_set(tilted, rim, {0, 0, 1}, 0, 1e-11);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(calm[i].feature, tilted[i].feature);
}

TEST_P(Ground, ATiltedCylinderTouchesWithTheLowestPointOfItsRim) {
  btCylinderShapeZ can(btVector3(0.25, 0.25, 0.5));
  const double tilt = 0.3;
  const double z = 0.5 * std::cos(tilt) + 0.25 * std::sin(tilt);
  const double x = -0.5 * std::sin(tilt) + 0.25 * std::cos(tilt);
  expect_set(contacts(ground(), Thing(can, {0, 0, z}, turned(tilt, {0, 1, 0})), 0.01), {{x, 0, 0}},
             {0, 0, 1}, 0, 1e-14);
}

TEST_P(Ground, AConeStandsOnItsRimAndLiesOnAGenerator) {
  btConeShapeZ cone(0.3, 0.4);  // generator 0.5
  cone.setMargin(0.04);         // is not part of the solid
  expect_set(contacts(ground(), Thing(cone, {0, 0, 0.2}), 0.01),
             {{0.3, 0, 0}, {0, 0.3, 0}, {-0.3, 0, 0}, {0, -0.3, 0}}, {0, 0, 1}, 0);
  // Turned about y until the generator at -x lies on the ground: the apex then points to +x... the
  // base's normal is at the angle atan(r / h) above the ground.
  const double slope = std::atan2(0.3, 0.4);
  const Eigen::Quaterniond q = turned(kPi / 2 + slope, {0, 1, 0});
  const Vector3d apex = q * Vector3d(0, 0, 0.2), rim = q * Vector3d(0.3, 0, -0.2);
  ASSERT_NEAR(apex.z(), rim.z(), 1e-15);
  const Vector3d up(0, 0, -apex.z());
  expect_set(contacts(ground(), Thing(cone, up, q), 0.01), {apex + up, rim + up}, {0, 0, 1}, 0,
             1e-14);
  // On its apex.
  expect_set(contacts(ground(), Thing(cone, {0, 0, 0.2}, turned(kPi, {1, 0, 0})), 0.01),
             {{0, 0, 0}}, {0, 0, 1}, 0, 1e-15);
}

TEST_P(Ground, AHullTouchesWithTheVerticesOfItsFaceWhateverItsMargin) {
  btConvexHullShape prism;
  for (int i = 0; i < 6; ++i)
    for (double z : {0.0, 1.0})
      prism.addPoint(btVector3(std::cos(kPi / 3 * i), std::sin(kPi / 3 * i), z));
  prism.addPoint(btVector3(0.2, 0.1, 0));  // in the middle of a face: no corner of it
  ASSERT_GT(prism.getMargin(), 0.03);
  std::vector<Vector3d> corners;
  for (int i = 0; i < 6; ++i) corners.emplace_back(std::cos(kPi / 3 * i), std::sin(kPi / 3 * i), 0);
  expect_set(contacts(ground(), Thing(prism, {0, 0, 0}), 0.01), corners, {0, 0, 1}, 0, 1e-14);
}

TEST_P(Ground, AMultiSphereOfOneSphereIsASphere) {
  const btVector3 centre(0, 0, 0);
  const btScalar radius = 0.25;
  btMultiSphereShape shape(&centre, &radius, 1);
  expect_set(contacts(ground(), Thing(shape, {0.1, 0, 0.25}), 0.01), {{0.1, 0, 0}}, {0, 0, 1}, 0,
             1e-12);
}

TEST(RoundOnBox, ASphereTouchesFaceEdgeAndCorner) {
  btBoxShape box(btVector3(1, 1, 1));
  btSphereShape ball(0.5);
  const Thing block(box, {0, 0, 0});
  for (const Vector3d& towards : {Vector3d(0, 0, 1), Vector3d(0, 1, 1), Vector3d(1, 1, 1)}) {
    const Vector3d n = towards.normalized();
    const Vector3d on = towards;  // face's middle, edge's middle, corner
    expect_set(contacts(block, Thing(ball, on + 0.51 * n), 0.02), {on + 0.01 * n}, n, 0.01, 1e-14);
  }
}

TEST(RoundOnBox, ALogAcrossAnEdgeTouchesInOnePointAlongItInTwo) {
  btBoxShape box(btVector3(1, 1, 1));
  btCylinderShapeX log(btVector3(2, 0.25, 0.25));
  btCapsuleShapeX capsule(0.25, 4);
  const Thing ridge(box, {0, 0, 0}, turned(kPi / 4, {1, 0, 0}));  // an edge along x on top
  const double top = std::sqrt(2.0);
  for (btCollisionShape* shape :
       {static_cast<btCollisionShape*>(&log), static_cast<btCollisionShape*>(&capsule)}) {
    expect_set(contacts(ridge, Thing(*shape, {0, 0, top + 0.25}), 0.01),
               {{1, 0, top}, {-1, 0, top}}, {0, 0, 1}, 0, 1e-9);
    expect_set(
        contacts(ridge, Thing(*shape, {0.2, 0, top + 0.25}, turned(kPi / 2, {0, 0, 1})), 0.01),
        {{0.2, 0, top}}, {0, 0, 1}, 0, 1e-9);
  }
}

TEST(RoundOnBox, ALogThatSticksOutIsHeldByTheEdge) {
  btBoxShape box(btVector3(1, 1, 1));
  btCylinderShapeX log(btVector3(1, 0.25, 0.25));
  expect_set(contacts(Thing(box, {0, 0, 0}), Thing(log, {0.5, 0, 1.25}), 0.01),
             {{1, 0, 1}, {-0.5, 0, 1}}, {0, 0, 1}, 0, 1e-14);
}

TEST(RoundOnBox, ACanThatSticksOutIsHeldByRimAndEdge) {
  btBoxShape box(btVector3(1, 1, 1));
  btCylinderShapeZ can(btVector3(0.5, 0.5, 0.5));
  // Its middle is over the edge: half of the rim, and where the rim crosses the edge.
  expect_set(contacts(Thing(box, {0, 0, 0}), Thing(can, {1, 0, 1.5}), 0.01),
             {{1, 0.5, 1}, {0.5, 0, 1}, {1, -0.5, 1}}, {0, 0, 1}, 0, 1e-14);
}

TEST(RoundOnRound, SpheresTouchOnTheLineBetweenTheirCentres) {
  btSphereShape a(0.25), b(0.5);
  const Vector3d n = Vector3d(1, 2, 3).normalized();
  expect_set(contacts(Thing(a, {0, 0, 0}), Thing(b, 0.76 * n), 0.02), {0.26 * n}, n, 0.01, 1e-14);
}

TEST(RoundOnRound, ParallelLogsTouchAtBothEndsOfTheirCommonPartCrossedOnesInOnePoint) {
  btCylinderShapeX log(btVector3(1, 0.25, 0.25));
  btCapsuleShapeX capsule(0.25, 2);
  for (btCollisionShape* shape :
       {static_cast<btCollisionShape*>(&log), static_cast<btCollisionShape*>(&capsule)}) {
    const Thing lower(*shape, {0, 0, 0});
    expect_set(contacts(lower, Thing(*shape, {0.5, 0, 0.5}), 0.01), {{1, 0, 0.25}, {-0.5, 0, 0.25}},
               {0, 0, 1}, 0, 1e-14);
    expect_set(contacts(lower, Thing(*shape, {0.3, 0.2, 0.51}, turned(kPi / 2, {0, 0, 1})), 0.02),
               {{0.3, 0, 0.26}}, {0, 0, 1}, 0.01, 1e-14);
  }
}

TEST(RoundOnRound, ACanStandsOnACan) {
  btCylinderShapeZ can(btVector3(0.25, 0.25, 0.5)), wide(btVector3(1, 1, 0.5));
  const std::vector<Vector3d> rim{{0.25, 0, 0.5}, {0, 0.25, 0.5}, {-0.25, 0, 0.5}, {0, -0.25, 0.5}};
  expect_set(contacts(Thing(can, {0, 0, 0}), Thing(can, {0, 0, 1}), 0.01), rim, {0, 0, 1}, 0,
             1e-14);
  expect_set(contacts(Thing(wide, {0, 0, 0}), Thing(can, {0, 0, 1}), 0.01), rim, {0, 0, 1}, 0,
             1e-14);
  expect_set(contacts(Thing(can, {0, 0, 0}), Thing(wide, {0, 0, 1}), 0.01), rim, {0, 0, 1}, 0,
             1e-14);
}

TEST(RoundOnRound, SwappedArgumentsGiveTheMirroredContacts) {
  btBoxShape box(btVector3(0.5, 0.5, 0.5));
  RoundShapes round;
  const std::vector<btCollisionShape*> shapes{&box, &round.ball, &round.capsule, &round.can,
                                              &round.cone};
  for (btCollisionShape* first : shapes)
    for (btCollisionShape* second : shapes) {
      const Thing a(*first, {0, 0, 0}, turned(0.4, {1, 0.2, 0.1}));
      const Thing b(*second, {0.1, 0.2, 0.7}, turned(0.8, {0.3, -1, 0.4}));
      const auto one = contacts(a, b, 2), other = contacts(b, a, 2);
      EXPECT_FALSE(one.empty());
      ASSERT_EQ(one.size(), other.size());
      for (const ContactPoint& c : one)
        EXPECT_TRUE(std::any_of(other.begin(), other.end(),
                                [&](const ContactPoint& o) {
                                  return (c.first - o.second).norm() + (c.second - o.first).norm() <
                                         1e-6;
                                }))
            << first->getName() << ' ' << second->getName();
    }
}

TEST(RoundSweeps, ABallFliesPastACorner) {
  btBoxShape box(btVector3(1, 1, 1));
  btSphereShape ball(0.25);
  const Thing block(box, {0, 0, 0});
  const Vector3d by(0.6, 0, 0);
  const Thing passes(ball, {-1.3, 0, 1.26});
  EXPECT_EQ(allowed(contacts(block, passes, 0.7, second_moves(passes, by)), by), 1);
  const Thing hits(ball, {-1.3, 0, 0.9});
  EXPECT_NEAR(allowed(contacts(block, hits, 0.7, second_moves(hits, by)), by), 0.05 / 0.6, 1e-12);
  // Onto the top, which it is not over yet.
  const Vector3d down(0.6, 0, -0.3);
  const Thing lands(ball, {-1.3, 0, 1.4});
  EXPECT_NEAR(allowed(contacts(block, lands, 0.8, second_moves(lands, down)), down), 0.15 / 0.3,
              1e-12);
}

}  // namespace contacts_round_test
}  // namespace perpend::sim
