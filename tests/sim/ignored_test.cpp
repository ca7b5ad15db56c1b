#include "sim/ignored.hpp"

#include <BulletCollision/CollisionShapes/btSdfCollisionShape.h>
#include <BulletCollision/Gimpact/btGImpactShape.h>
#include <btBulletDynamicsCommon.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/hand_made.hpp"

namespace perpend::sim {
namespace ignored_test {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Ignored, IsToldOnceWithTheFirstBodyThatAsks) {
  HandMade made;
  made.cube(0, 0, 0, 0);
  btRigidBody& ball = made.cube(1, 0, 0, 2);
  btRigidBody& other = made.cube(1, 0, 0, 4);
  Ignored ignored;
  btContactSolverInfo info;
  EXPECT_THAT(ignored.news(made.gathered(0.01), {}, info), IsEmpty());
  ball.setRollingFriction(0.1);
  other.setRollingFriction(0.1);
  EXPECT_THAT(ignored.news(made.gathered(0.01), {}, info),
              ElementsAre("body 11 has rolling friction, which is not modelled"));
  EXPECT_THAT(ignored.news(made.gathered(0.01), {}, info), IsEmpty());
  other.setSpinningFriction(0.1);
  other.setAnisotropicFriction(btVector3(1, 0.5, 1));
  ball.setContactStiffnessAndDamping(1e4, 10);
  EXPECT_THAT(ignored.news(made.gathered(0.01), {}, info),
              ElementsAre("body 12 has spinning friction, which is not modelled",
                          "body 12 has anisotropic friction, which is not modelled",
                          "body 11 has contact stiffness and damping, which is not modelled"));
  EXPECT_THAT(ignored.news(made.gathered(0.01), {}, info), IsEmpty());
}

TEST(Ignored, IsToldOfJointsAndOfTheWorld) {
  HandMade made;
  btRigidBody &first = made.cube(1, 0, 0, 0), &second = made.cube(1, 0, 0, 2);
  btPoint2PointConstraint plain(first, second, btVector3(0, 0, 1), btVector3(0, 0, -1));
  btPoint2PointConstraint damped(second, btVector3(0, 0, 1));
  btHingeConstraint bouncing(first, second, btTransform::getIdentity(), btTransform::getIdentity());
  damped.m_setting.m_damping = 0.5;
  bouncing.setLimit(-1, 1, 0.9, 0.3, 0.5);
  btContactSolverInfo info;
  info.m_globalCfm = 0.1;
  Ignored ignored;
  EXPECT_THAT(
      ignored.news(made.gathered(0.01), {&plain, &damped, &bouncing}, info),
      ElementsAre("the joint of body 11 and the world has a damping other than 1, which is not "
                  "modelled",
                  "the joint of body 10 and body 11 has a relaxation of its limits other than 1, "
                  "which is not modelled",
                  "the world has a global CFM, which is not modelled"));
}

TEST(Ignored, NamesShapesWhoseContactsAreNotModelled) {
  btTriangleMesh triangles;
  triangles.addTriangle(btVector3(0, 0, 0), btVector3(1, 0, 0), btVector3(0, 1, 0));
  btBvhTriangleMeshShape mesh(&triangles, true);
  btSdfCollisionShape field;
  btGImpactCompoundShape parts;
  btCompoundShape compound;
  compound.addChildShape(btTransform::getIdentity(), &mesh);
  btEmptyShape empty;
  const std::string moving = "body 11 has a moving triangle mesh, which is not modelled";
  const std::string other =
      "body 11 has a distance field, a GImpact compound or an unknown type as its shape, which is "
      "not modelled";
  struct {
    btCollisionShape* shape;
    double mass;
    std::vector<std::string> notes;
  } const cases[] = {{&mesh, 0, {}},     {&mesh, 1, {moving}}, {&compound, 1, {moving}},
                     {&compound, 0, {}}, {&field, 0, {other}}, {&parts, 0, {other}},
                     {&empty, 0, {}}};
  for (const auto& c : cases) {
    HandMade made;
    made.cube(0, 0, 0, 0);
    made.cube(c.mass, 0, 0, 2).setCollisionShape(c.shape);
    EXPECT_EQ(Ignored().news(made.gathered(0.01), {}, btContactSolverInfo()), c.notes);
  }
}

}  // namespace ignored_test
}  // namespace perpend::sim
