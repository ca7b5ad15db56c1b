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

TEST(BodySolids, LeaveCompoundsAndPlanesToTheirPairs) {
  btCompoundShape compound;
  btStaticPlaneShape plane(btVector3(0, 0, 1), 0);
  btCollisionObject a, b;
  a.setCollisionShape(&compound);
  b.setCollisionShape(&plane);
  StepBodies bodies;
  bodies.list = {body(a, Vector3d::Zero(), Vector3d::Zero()),
                 body(b, Vector3d::Zero(), Vector3d::Zero())};
  BodySolids solids;
  solids.place({{nullptr, 0, 1}}, bodies);
  EXPECT_FALSE(solids[0].convex);
  EXPECT_FALSE(solids[1].convex);
}

}  // namespace body_solids_test
}  // namespace perpend::sim
