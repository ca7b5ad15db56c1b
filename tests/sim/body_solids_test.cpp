#include "sim/body_solids.hpp"

#include <btBulletDynamicsCommon.h>
#include <gtest/gtest.h>

#include "sim/bullet_types.hpp"
#include "sim/hand_made.hpp"
#include "sim/pair_contacts.hpp"

namespace perpend::sim {
namespace body_solids_test {

struct Shapes {
  btBoxShape box{btVector3(0.5, 0.4, 0.3)};
  btSphereShape sphere{0.5};
  btCapsuleShape capsule{0.3, 0.6};
  btCylinderShape cylinder{btVector3(0.4, 0.5, 0.4)};
  btConeShape cone{0.4, 0.9};
  btConvexHullShape hull;
  Shapes() {
    for (const btVector3& x : {btVector3(0.5, 0, -0.4), btVector3(-0.3, 0.4, -0.4),
                               btVector3(-0.3, -0.4, -0.4), btVector3(0, 0.1, 0.5)})
      hull.addPoint(x);
    hull.initializePolyhedralFeatures();
  }
  std::vector<btCollisionShape*> all() {
    return {&box, &sphere, &capsule, &cylinder, &cone, &hull};
  }
};

StepBody body(btCollisionObject& object, const Vector3d& way, const Vector3d& angle) {
  StepBody m;
  m.object = &object;
  m.moves = true;
  m.way = way;
  m.angle = angle;
  return m;
}

// Whatever two bodies are and however they move, with each other or apart, a pair that is placed
// beforehand has the contacts, to the last bit, that it has alone.
TEST(BodySolids, HaveTheContactsThatPairsFindAlone) {
  Shapes shapes;
  const Vector3d still = Vector3d::Zero(), down(0.01, 0, -0.1), turn(0.02, -0.05, 0.03);
  int with_contacts = 0;
  BodySolids solids;  // kept, as from step to step
  for (btCollisionShape* one : shapes.all())
    for (btCollisionShape* other : shapes.all())
      for (const auto& [way, angle] :
           {std::pair(still, still), std::pair(down, still), std::pair(down, turn)})
        for (bool together : {false, true}) {
          btCollisionObject a, b;
          a.setCollisionShape(one);
          b.setCollisionShape(other);
          btTransform place(btQuaternion(btVector3(1, 2, 3).normalized(), 0.3),
                            btVector3(0.1, 0.05, 0.8));
          b.setWorldTransform(place);
          StepBodies bodies;
          // Bodies that go the same way without turning move with each other.
          bodies.list = {body(a, together ? way : still, still), body(b, way, angle)};
          solids.begin();
          solids.place({{nullptr, 0, 1}}, bodies);
          const Sweep sweep = sweep_of(bodies[0], bodies[1]);
          std::vector<ContactPoint> alone, placed;
          find_contacts(a, b, 0.2, sweep, alone);
          ASSERT_TRUE(solids[0].convex && solids[1].convex);
          find_contacts(solids[0].piece, solids[1].piece, 0.2, sweep, placed,
                        ContactModel::one_direction);
          ASSERT_EQ(alone.size(), placed.size());
          for (std::size_t i = 0; i < alone.size(); ++i) {
            EXPECT_EQ(alone[i].first, placed[i].first);
            EXPECT_EQ(alone[i].second, placed[i].second);
            EXPECT_EQ(alone[i].normal, placed[i].normal);
            EXPECT_EQ(alone[i].gap, placed[i].gap);
            EXPECT_EQ(alone[i].feature, placed[i].feature);
          }
          with_contacts += !alone.empty();
        }
  EXPECT_GT(with_contacts, 100);
}

TEST(BodySolids, ArePlacedAgainWithinAStepOnlyWhereTheyGoAnotherWay) {
  btBoxShape box(btVector3(0.5, 0.4, 0.3));
  btCollisionObject a, b;
  a.setCollisionShape(&box);
  b.setCollisionShape(&box);
  StepBodies bodies;
  bodies.list = {body(a, Vector3d::Zero(), Vector3d::Zero()),
                 body(b, Vector3d(0, 0, -0.1), Vector3d::Zero())};
  const std::vector<TouchPair> pairs = {{nullptr, 0, 1}};
  BodySolids solids;
  solids.begin();
  solids.place(pairs, bodies);
  const std::uint64_t first = solids[0].version, second = solids[1].version;
  EXPECT_NE(first, 0u);
  EXPECT_NE(first, second);
  solids.place(pairs, bodies);
  EXPECT_EQ(solids[0].version, first);
  EXPECT_EQ(solids[1].version, second);
  bodies[1].way.z() = -0.2;
  solids.place(pairs, bodies);
  EXPECT_EQ(solids[0].version, first);
  EXPECT_NE(solids[1].version, second);
  EXPECT_EQ(solids[1].piece.solid.next.place.position.z(), -0.2);
  bodies[0].reach = 0.3;
  solids.place(pairs, bodies);
  EXPECT_NE(solids[0].version, first);
  a.getWorldTransform().setOrigin(btVector3(1, 0, 0));
  solids.begin();
  solids.place(pairs, bodies);
  EXPECT_EQ(solids[0].piece.solid.now.place.position.x(), 1);
}

TEST(BodySolids, OnAPlaneHaveTheContactsThatPairsFindAlone) {
  Shapes shapes;
  btStaticPlaneShape plane(btVector3(0.1, 0.2, 1).normalized(), 0.1);
  const Vector3d zero = Vector3d::Zero();
  BodySolids solids;
  for (btCollisionShape* one : shapes.all())
    for (bool plane_first : {true, false}) {
      btCollisionObject a, b;
      a.setCollisionShape(plane_first ? &plane : one);
      b.setCollisionShape(plane_first ? one : &plane);
      (plane_first ? b : a)
          .setWorldTransform(btTransform(btQuaternion(btVector3(1, 2, 3).normalized(), 0.3),
                                         btVector3(0.1, 0.05, 0.7)));
      StepBodies bodies;
      bodies.list = {body(a, zero, zero), body(b, zero, zero)};
      solids.begin();
      solids.place({{nullptr, 0, 1}}, bodies);
      const BodySolids::Placed &p = solids[plane_first ? 0 : 1], &s = solids[plane_first ? 1 : 0];
      ASSERT_TRUE(p.plane && !p.convex && s.convex && !s.plane);
      std::vector<ContactPoint> alone, placed;
      find_contacts(a, b, 0.5, sweep_of(bodies[0], bodies[1]), alone);
      find_contacts_on_plane(p.below, s.piece.solid.now, plane_first, 0.5, placed);
      ASSERT_FALSE(alone.empty());
      ASSERT_EQ(alone.size(), placed.size());
      for (std::size_t i = 0; i < alone.size(); ++i) {
        EXPECT_EQ(alone[i].first, placed[i].first);
        EXPECT_EQ(alone[i].second, placed[i].second);
        EXPECT_EQ(alone[i].normal, placed[i].normal);
        EXPECT_EQ(alone[i].gap, placed[i].gap);
        EXPECT_EQ(alone[i].feature, placed[i].feature);
      }
    }
}

TEST(BodySolids, LeaveCompoundsToTheirPairs) {
  btCompoundShape compound;
  btCollisionObject a;
  a.setCollisionShape(&compound);
  StepBodies bodies;
  bodies.list = {body(a, Vector3d::Zero(), Vector3d::Zero()),
                 body(a, Vector3d::Zero(), Vector3d::Zero())};
  BodySolids solids;
  solids.place({{nullptr, 0, 1}}, bodies);
  EXPECT_FALSE(solids[0].convex || solids[0].plane);
}

}  // namespace body_solids_test
}  // namespace perpend::sim
