// Contact sets on triangle meshes and height fields: flat ones are like a plane.
#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <BulletCollision/CollisionShapes/btCapsuleShape.h>
#include <BulletCollision/CollisionShapes/btCylinderShape.h>
#include <BulletCollision/CollisionShapes/btSphereShape.h>
#include <gtest/gtest.h>

#include <cmath>

#include "perpend/bullet.hpp"
#include "sim/contact_things.hpp"

namespace perpend::sim {
namespace contacts_mesh_test {

// (n + 1)^2 points 1/2 m apart about the origin, heights from a function.
template <class Height>
Shape mesh(int n, Height height) {
  Shape s;
  s.type = Shape::Type::mesh;
  for (int j = 0; j <= n; ++j)
    for (int i = 0; i <= n; ++i) {
      const double x = 0.5 * (i - 0.5 * n), y = 0.5 * (j - 0.5 * n);
      s.points.emplace_back(x, y, height(x, y));
    }
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) {
      const Index a = j * (n + 1) + i, b = a + 1, c = a + n + 1, d = c + 1;
      s.triangles.push_back({a, b, d});
      s.triangles.push_back({a, d, c});
    }
  return s;
}
template <class Height>
Shape field(int n, Height height) {
  Shape s;
  s.type = Shape::Type::height_field;
  s.rows = s.columns = n + 1;
  s.spacing = 0.5;
  for (int j = 0; j <= n; ++j)
    for (int i = 0; i <= n; ++i)
      s.heights.push_back(height(0.5 * (i - 0.5 * n), 0.5 * (j - 0.5 * n)));
  return s;
}
double flat(double, double) { return 0; }

class Terrain : public testing::TestWithParam<bool> {
 protected:
  template <class Height>
  btCollisionShape& terrain(Height height) {
    return *shapes_.make(GetParam() ? field(8, height) : mesh(8, height));
  }
  bullet::Shapes shapes_;
};
INSTANTIATE_TEST_SUITE_P(MeshAndField, Terrain, testing::Bool(),
                         [](const auto& p) { return p.param ? "HeightField" : "Mesh"; });

TEST_P(Terrain, ABoxOnFlatTrianglesHasItsFourCorners) {
  const Thing ground(terrain(flat), {0, 0, 0});
  btBoxShape cube(btVector3(0.5, 0.5, 0.5));
  for (const Vector3d& at : {Vector3d(0, 0, 0.5), Vector3d(0.25, 0.25, 0.5),
                             Vector3d(0.1, -0.3, 0.5), Vector3d(0.5, 0.5, 0.5)})
    expect_set(contacts(ground, Thing(cube, at), 0.01),
               {at + Vector3d(0.5, 0.5, -0.5), at + Vector3d(-0.5, 0.5, -0.5),
                at + Vector3d(-0.5, -0.5, -0.5), at + Vector3d(0.5, -0.5, -0.5)},
               {0, 0, 1}, 0, 1e-14);
}

TEST_P(Terrain, NothingStumblesOverFlatTriangles) {
  const Thing ground(terrain(flat), {0, 0, 0});
  Shape shape;
  for (const auto type : {Shape::Type::box, Shape::Type::sphere, Shape::Type::cylinder,
                          Shape::Type::cone, Shape::Type::capsule}) {
    shape.type = type;
    shape.radius = 0.3;
    shape.height = 0.8;
    shape.half_extents = {0.3, 0.2, 0.4};
    btCollisionShape& slider = *shapes_.make(shape);
    const double z = type == Shape::Type::sphere ? 0.3 : (type == Shape::Type::capsule ? 0.7 : 0.4);
    for (double x = -0.5; x < 0.5; x += 0.013) {
      const Thing thing(slider, {x, 0.3 * x, z - 1e-12}, turned(3 * x, {0, 0, 1}));
      const Vector3d by(0.03, -0.01, 0);
      const auto found = contacts(ground, thing, 0.05, second_moves(thing, by));
      EXPECT_FALSE(found.empty());
      // 1e-9: the search for the closest points of a curved solid stops there; a stumble would be
      // of the order of 1.
      for (const ContactPoint& c : found)
        EXPECT_LT((c.normal - Vector3d(0, 0, 1)).norm(), 1e-9) << name(type) << ' ' << x;
    }
  }
}

// It falls onto them: both ends of its lowest line touch, straight below themselves.
TEST_P(Terrain, ALogOverFlatTrianglesTouchesAtBothEnds) {
  const Thing ground(terrain(flat), {0, 0, 0});
  btCapsuleShapeX capsule(0.2, 0.5);
  btCylinderShapeX can(btVector3(0.25, 0.2, 0.2));
  const Vector3d by(0, 0, -0.06);
  for (btCollisionShape* shape :
       {static_cast<btCollisionShape*>(&capsule), static_cast<btCollisionShape*>(&can)})
    for (int k = 0; k < 100; ++k) {
      const Eigen::Quaterniond q = turned(1.1 * k, {0, 0, 1});
      const Vector3d at(0.013 * k - 0.6, 0.4 - 0.007 * k, 0.21), half = q * Vector3d(0.25, 0, 0);
      const Thing log(*shape, at, q);
      int ends = 0;
      for (const ContactPoint& c : contacts(ground, log, 0.06, second_moves(log, by))) {
        EXPECT_LT((c.second - c.first - c.gap * c.normal).norm(), 1e-12) << k;
        for (int sign : {1, -1})
          ends += (c.second - (at + sign * half - Vector3d(0, 0, 0.2))).norm() < 1e-9;
      }
      EXPECT_EQ(ends, 2) << k;
    }
}

// However gentle: between the two faces, where neither is below the ball, the ridge holds it.
TEST_P(Terrain, ABallOnARidgeIsHeld) {
  btSphereShape ball(0.25);
  const Vector3d by(0, 0, -0.05);
  for (double slope = 1e-9; slope < 0.2; slope *= 10) {
    const Thing roof(terrain([&](double x, double) { return -slope * std::abs(x); }), {0, 0, 0});
    for (double part = -1.5; part < 1.6; part += 0.25) {
      const double x = part * 0.25 * slope, edge = 0.25 * slope / std::hypot(1, slope);
      const double gap = std::abs(x) < edge
                             ? std::hypot(x, 0.25) - 0.25
                             : (0.25 + slope * std::abs(x)) / std::hypot(1, slope) - 0.25;
      const Thing thing(ball, {x, 0.1, 0.25});
      const double down = 0.05 * allowed(contacts(roof, thing, 0.06, second_moves(thing, by)), by);
      EXPECT_LT(down, 1.02 * gap + 1e-6) << slope << ' ' << part;
    }
  }
}

TEST_P(Terrain, ABoxAcrossARidgeTouchesTheRidge) {
  // A roof with its ridge along y.
  const Thing roof(terrain([](double x, double) { return -0.5 * std::abs(x); }), {0, 0, 0});
  btBoxShape cube(btVector3(0.5, 0.55, 0.5));
  for (const ContactPoint& c : contacts(roof, Thing(cube, {0.1, 0, 0.5}), 1e-3)) {
    EXPECT_NEAR(c.second.x(), 0, 1e-12);
    EXPECT_NEAR(c.gap, 0, 1e-12);
    EXPECT_LT((c.normal - Vector3d(0, 0, 1)).norm(), 1e-12);
  }
  // Held at least at both ends of the ridge under it.
  double low = 1, high = -1;
  for (const ContactPoint& c : contacts(roof, Thing(cube, {0.1, 0, 0.5}), 1e-3)) {
    low = std::min(low, c.second.y());
    high = std::max(high, c.second.y());
  }
  EXPECT_NEAR(low, -0.55, 1e-12);
  EXPECT_NEAR(high, 0.55, 1e-12);
}

TEST_P(Terrain, ABallInAValleyTouchesBothSides) {
  const Thing valley(terrain([](double x, double) { return 0.5 * std::abs(x); }), {0, 0, 0});
  btSphereShape ball(0.25);
  const Vector3d left = Vector3d(0.5, 0, 1).normalized(), right = Vector3d(-0.5, 0, 1).normalized();
  const Vector3d centre(0, 0.1, 0.25 / left.z());
  auto found = contacts(valley, Thing(ball, centre), 1e-3);
  ASSERT_EQ(found.size(), 2u);
  if (found[0].normal.x() < 0) std::swap(found[0], found[1]);
  EXPECT_LT((found[0].normal - left).norm(), 1e-12);
  EXPECT_LT((found[1].normal - right).norm(), 1e-12);
  EXPECT_NEAR(found[0].gap, 0, 1e-14);
  EXPECT_NEAR(found[1].gap, 0, 1e-14);
}

TEST(MeshOfACube, IsLikeTheCube) {
  Shape s;
  s.type = Shape::Type::mesh;
  for (int k = 0; k < 8; ++k) s.points.emplace_back(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1);
  for (const std::array<Index, 4>& f : std::vector<std::array<Index, 4>>{
           {1, 3, 7, 5}, {0, 4, 6, 2}, {2, 6, 7, 3}, {0, 1, 5, 4}, {4, 5, 7, 6}, {0, 2, 3, 1}}) {
    s.triangles.push_back({f[0], f[1], f[2]});
    s.triangles.push_back({f[0], f[2], f[3]});
  }
  bullet::Shapes shapes;
  const Thing block(*shapes.make(s), {0, 0, 0});
  btBoxShape cube(btVector3(0.5, 0.5, 0.5)), slab(btVector3(3, 3, 0.5));
  expect_set(contacts(block, Thing(cube, {0.75, 0, 1.5}), 1e-3),
             {{1, 0.5, 1}, {0.25, 0.5, 1}, {0.25, -0.5, 1}, {1, -0.5, 1}}, {0, 0, 1}, 0, 1e-14);
  expect_set(contacts(block, Thing(slab, {0, 0, 1.5}), 1e-3),
             {{1, 1, 1}, {-1, 1, 1}, {-1, -1, 1}, {1, -1, 1}}, {0, 0, 1}, 0, 1e-14);
  // Past its side.
  const Thing falls(cube, {1.51, 0, 1.6});
  const Vector3d by(0, 0, -0.3);
  EXPECT_EQ(allowed(contacts(block, falls, 0.4, second_moves(falls, by)), by), 1);
}

}  // namespace contacts_mesh_test
}  // namespace perpend::sim
