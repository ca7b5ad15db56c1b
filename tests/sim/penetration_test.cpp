// The ruler against closed forms.
#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <BulletCollision/CollisionShapes/btCapsuleShape.h>
#include <BulletCollision/CollisionShapes/btCompoundShape.h>
#include <BulletCollision/CollisionShapes/btConeShape.h>
#include <BulletCollision/CollisionShapes/btConvexHullShape.h>
#include <BulletCollision/CollisionShapes/btCylinderShape.h>
#include <BulletCollision/CollisionShapes/btSphereShape.h>
#include <BulletCollision/CollisionShapes/btStaticPlaneShape.h>
#include <gtest/gtest.h>

#include <cmath>

#include "perpend/bullet.hpp"
#include "sim/contact_things.hpp"

namespace perpend::sim {
namespace penetration_test {

double depth(const Thing& a, const Thing& b) {
  const double one = penetration(a.object, b.object), other = penetration(b.object, a.object);
  EXPECT_NEAR(one, other, 1e-9);
  return one;
}

TEST(Penetration, OfBoxesIsTheShortestWayOut) {
  btBoxShape cube(btVector3(0.5, 0.5, 0.5));
  const Thing a(cube, {0, 0, 0});
  EXPECT_NEAR(depth(a, Thing(cube, {0.1, 0.2, 0.97})), 0.03, 1e-15);
  EXPECT_EQ(depth(a, Thing(cube, {0.1, 0.2, 1.0})), 0);
  EXPECT_EQ(depth(a, Thing(cube, {0.1, 0.2, 1.5})), 0);
  EXPECT_EQ(depth(a, Thing(cube, {0.99, 0.99, 1.001})), 0);
  // A corner down to 0.02 below the face: half the space diagonal less the height.
  const Eigen::Quaterniond corner =
      Eigen::Quaterniond::FromTwoVectors(Vector3d(1, 1, 1).normalized(), Vector3d(0, 0, -1));
  EXPECT_NEAR(depth(a, Thing(cube, {0, 0, 0.5 + std::sqrt(0.75) - 0.02}, corner)), 0.02, 1e-14);
  // Two edges crossed.
  EXPECT_NEAR(depth(Thing(cube, {0, 0, 0}, turned(kPi / 4, {1, 0, 0})),
                    Thing(cube, {0, 0, std::sqrt(2.0) - 0.01}, turned(kPi / 4, {0, 1, 0}))),
              0.01, 1e-14);
}

TEST(Penetration, IntoAPlaneIsTheLowestPoint) {
  btStaticPlaneShape plane(btVector3(0, 0, 1), 0.5);
  const Thing ground(plane, {0, 0, 0});
  btBoxShape cube(btVector3(0.5, 0.5, 0.5));
  btSphereShape ball(0.25);
  btCylinderShapeZ can(btVector3(0.25, 0.25, 0.5));
  btConeShapeZ cone(0.3, 0.4);
  btCapsuleShapeZ capsule(0.25, 1);
  EXPECT_NEAR(depth(ground, Thing(cube, {3, 2, 0.9})), 0.1, 1e-15);
  EXPECT_NEAR(depth(ground, Thing(ball, {3, 2, 0.7})), 0.05, 1e-15);
  EXPECT_NEAR(depth(ground, Thing(can, {3, 2, 0.7})), 0.3, 1e-15);
  EXPECT_NEAR(depth(ground, Thing(can, {3, 2, 0.7}, turned(kPi / 2, {1, 0, 0}))), 0.05, 1e-15);
  EXPECT_NEAR(depth(ground, Thing(cone, {3, 2, 0.6})), 0.1, 1e-15);
  EXPECT_NEAR(depth(ground, Thing(capsule, {3, 2, 1.2})), 0.05, 1e-15);
  EXPECT_EQ(depth(ground, Thing(cube, {3, 2, 1.1})), 0);
}

// A cylinder that stands has no lowest point but for rounding, and the rounding must not be taken
// for a direction: it is 0.25 m wide and overlaps by no more than its tilt times its radius.
TEST(Penetration, OfAStandingCylinderIsNoneHoweverItIsTiltedByRounding) {
  btStaticPlaneShape plane(btVector3(0, 0, 1), 0);
  btCylinderShapeZ cylinder(btVector3(0.25, 0.25, 0.25));
  const Thing ground(plane, {0, 0, 0});
  for (int k = 0; k < 400; ++k) {
    const double tilt = std::pow(10, -17 + 0.02 * k), turn = 0.1 * k;
    const Vector3d axis(std::cos(turn), std::sin(turn), 0);
    const Thing standing(cylinder, {0, 0, 0.25}, turned(tilt, axis) * turned(3.0 * k, {0, 0, 1}));
    EXPECT_LE(depth(ground, standing), 0.25 * tilt + 1e-15) << "tilt " << tilt;
  }
}

TEST(Penetration, OfSpheresAndCapsulesIsRadiiLessDistance) {
  btSphereShape a(0.25), b(0.5);
  btCapsuleShapeX capsule(0.25, 1);
  btBoxShape cube(btVector3(0.5, 0.5, 0.5));
  const Vector3d n = Vector3d(1, 2, 3).normalized();
  EXPECT_NEAR(depth(Thing(a, {0, 0, 0}), Thing(b, 0.7 * n)), 0.05, 1e-14);
  EXPECT_NEAR(depth(Thing(capsule, {0, 0, 0}), Thing(a, {0.2, 0, 0.45})), 0.05, 1e-14);
  EXPECT_NEAR(depth(Thing(capsule, {0, 0, 0}), Thing(capsule, {0.1, 0, 0.45})), 0.05, 1e-14);
  EXPECT_NEAR(depth(Thing(cube, {0, 0, 0}), Thing(a, {0.1, 0.1, 0.7})), 0.05, 1e-14);
  EXPECT_NEAR(depth(Thing(cube, {0, 0, 0}),
                    Thing(a, Vector3d(0.5, 0.5, 0.5) + 0.2 * Vector3d(1, 1, 1).normalized())),
              0.05, 1e-14);
  // The middle of the ball inside of the box: 0.1 to the face and its radius.
  EXPECT_NEAR(depth(Thing(cube, {0, 0, 0}), Thing(a, {0.1, 0.1, 0.4})), 0.35, 1e-8);
}

TEST(Penetration, OfCylindersAndConesIsFoundOnFlatAndCurvedSides) {
  btCylinderShapeX log(btVector3(1, 0.25, 0.25));
  btConeShapeZ cone(0.3, 0.4);
  btBoxShape cube(btVector3(0.5, 0.5, 0.5));
  const Thing lower(log, {0, 0, 0});
  EXPECT_NEAR(depth(lower, Thing(log, {0.3, 0, 0.49})), 0.01, 1e-9);
  EXPECT_NEAR(depth(lower, Thing(log, {0.3, 0, 0.49}, turned(kPi / 2, {0, 0, 1}))), 0.01, 1e-9);
  EXPECT_EQ(depth(lower, Thing(log, {0.3, 0, 0.51}, turned(1, {0, 0, 1}))), 0);
  EXPECT_NEAR(depth(Thing(cube, {0, 0, 0}), Thing(log, {0.1, 0, 0.74})), 0.01, 1e-14);
  EXPECT_NEAR(depth(Thing(cube, {0, 0, 0}), Thing(cone, {0.1, 0, 0.69})), 0.01, 1e-14);
  // A rim on a face: tilted by 0.3 rad, 0.01 too low.
  btCylinderShapeZ can(btVector3(0.25, 0.25, 0.5));
  const double z = 0.5 + 0.5 * std::cos(0.3) + 0.25 * std::sin(0.3) - 0.01;
  EXPECT_NEAR(depth(Thing(cube, {0, 0, 0}), Thing(can, {0, 0, z}, turned(0.3, {0, 1, 0}))), 0.01,
              1e-14);
}

TEST(Penetration, IntoAMeshOrFieldIsDepthBelowTheSurface) {
  Shape mesh;
  mesh.type = Shape::Type::mesh;
  mesh.points = {{-2, -2, 0}, {2, -2, 0}, {2, 2, 0}, {-2, 2, 0}};
  mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
  Shape field;
  field.type = Shape::Type::height_field;
  field.rows = field.columns = 5;
  field.heights.assign(25, 0.0);
  bullet::Shapes shapes;
  btBoxShape cube(btVector3(0.5, 0.5, 0.5));
  btSphereShape ball(0.25);
  for (const Shape& shape : {mesh, field}) {
    const Thing ground(*shapes.make(shape), {0, 0, 0});
    EXPECT_EQ(depth(ground, Thing(cube, {0.1, 0.2, 0.5})), 0);
    EXPECT_EQ(depth(ground, Thing(cube, {0.1, 0.2, 0.7})), 0);
    EXPECT_NEAR(depth(ground, Thing(cube, {0.1, 0.2, 0.5 - 1e-7})), 1e-7, 1e-15);
    EXPECT_NEAR(depth(ground, Thing(cube, {0.1, 0.2, 0.4})), 0.1, 1e-15);
    EXPECT_NEAR(depth(ground, Thing(ball, {0.1, 0.2, 0.2})), 0.05, 1e-14);
    EXPECT_EQ(depth(ground, Thing(ball, {0.1, 0.2, 0.3})), 0);
  }
  // Wholly below the surface of a field.
  EXPECT_NEAR(depth(Thing(*shapes.make(field), {0, 0, 0}), Thing(cube, {0.1, 0.2, -3})), 3, 1e-12);
}

TEST(Penetration, OfCompoundsIsThatOfTheirDeepestParts) {
  btBoxShape cube(btVector3(0.5, 0.5, 0.5));
  btCompoundShape table;
  for (double x : {-1.0, 1.0})
    table.addChildShape(btTransform(btQuaternion::getIdentity(), btVector3(x, 0, 0)), &cube);
  EXPECT_EQ(depth(Thing(table, {0, 0, 0}), Thing(cube, {0, 0, 0})), 0);
  EXPECT_NEAR(depth(Thing(table, {0, 0, 0}), Thing(cube, {0.03, 0, 0})), 0.03, 1e-15);
}

// Nothing that finds contacts is allowed to call a touching pair apart, or the other way round.
TEST(Penetration, AgreesWithTheGapsOfContacts) {
  btBoxShape box(btVector3(0.5, 0.3, 0.2));
  RoundShapes round;
  btConvexHullShape hull;
  for (int i = 0; i < 20; ++i)  // 20 points on an ellipsoid
    hull.addPoint(btVector3(0.5 * std::cos(2.4 * i) * std::sqrt(1 - std::pow(i / 9.5 - 1, 2)),
                            0.4 * std::sin(2.4 * i) * std::sqrt(1 - std::pow(i / 9.5 - 1, 2)),
                            0.3 * (i / 9.5 - 1)));
  const std::vector<btCollisionShape*> shapes{&box,       &round.ball, &round.capsule,
                                              &round.can, &round.cone, &hull};
  unsigned state = 7;
  const auto random = [&] {
    state = state * 1664525u + 1013904223u;
    return state / 2147483648.0 - 1;
  };
  int overlapping = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    btCollisionShape *first = shapes[static_cast<std::size_t>(trial) % 6],
                     *second = shapes[static_cast<std::size_t>(trial / 6) % 6];
    const Thing a(*first, {0, 0, 0}, Eigen::Quaterniond(random(), random(), random(), random()));
    const Thing b(*second, 0.7 * Vector3d(random(), random(), random()),
                  Eigen::Quaterniond(random(), random(), random(), random()));
    double deepest = 0;
    for (const ContactPoint& c : contacts(a, b, 0)) deepest = std::max(deepest, -c.gap);
    const double ruler = penetration(a.object, b.object);
    overlapping += ruler > 0;
    if (ruler < 1e-6) {
      EXPECT_LT(deepest, 2e-6) << trial;
      continue;
    }
    // Both search: the ruler from more places, so that only where round solids are deep in each
    // other contacts may push a longer way. Over a face the deepest point may lie beside it.
    const bool shallow = ruler < 0.05;
    EXPECT_GT(deepest, ruler * 0.5) << trial << ' ' << first->getName() << ' ' << second->getName();
    EXPECT_LT(deepest, ruler * (shallow ? 1.01 : 2) + 1e-4)
        << trial << ' ' << first->getName() << ' ' << second->getName();
  }
  EXPECT_GT(overlapping, 500);
}

}  // namespace penetration_test
}  // namespace perpend::sim
