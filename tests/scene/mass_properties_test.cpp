// Volumes, centres and inertias: closed forms against polyhedra, sums and limits.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "perpend/scene.hpp"
#include "scene/build.hpp"
#include "scene/convex_hull.hpp"

namespace perpend {
namespace mass_properties_test {

using scene::Random;

std::vector<Vector3d> corners(const Vector3d& half) {
  std::vector<Vector3d> points;
  for (int i = 0; i < 8; ++i)
    points.push_back(half.cwiseProduct(
        Vector3d((i & 1) != 0 ? 1 : -1, (i & 2) != 0 ? 1 : -1, (i & 4) != 0 ? 1 : -1)));
  return points;
}

// A closed surface of triangles: every edge is there once in either direction.
bool closed(const std::vector<scene::Triangle>& hull) {
  for (const scene::Triangle& t : hull)
    for (std::size_t k = 0; k < 3; ++k) {
      int same = 0, opposite = 0;
      for (const scene::Triangle& u : hull)
        for (std::size_t l = 0; l < 3; ++l) {
          same += u[l] == t[k] && u[(l + 1) % 3] == t[(k + 1) % 3];
          opposite += u[l] == t[(k + 1) % 3] && u[(l + 1) % 3] == t[k];
        }
      if (same != 1 || opposite != 1) return false;
    }
  return !hull.empty();
}

TEST(ConvexHull, CubeHasTwelveTrianglesAndIsClosed) {
  const auto hull = scene::convex_hull(corners(Vector3d::Constant(0.5)));
  EXPECT_EQ(hull.size(), 12u);
  EXPECT_TRUE(closed(hull));
}

TEST(ConvexHull, GridOfCoplanarPointsIsStillACube) {
  std::vector<Vector3d> points;
  for (int x = 0; x <= 4; ++x)
    for (int y = 0; y <= 4; ++y)
      for (int z = 0; z <= 4; ++z) points.emplace_back(0.1 * x, 0.1 * y, 0.1 * z);
  const auto hull = scene::convex_hull(points);
  EXPECT_TRUE(closed(hull));
  for (const scene::Triangle& t : hull)
    for (const Vector3d& point : points)
      EXPECT_LE(scene::side(points[t[0]], points[t[1]], points[t[2]], point), 0);
  EXPECT_NEAR(mass_properties(scene::hull(points)).volume, 0.064, 1e-15);
}

TEST(ConvexHull, RandomPointsLieInsideAndTheSurfaceIsClosed) {
  Random random(7);
  std::vector<Vector3d> points;
  for (int i = 0; i < 120; ++i) points.push_back(random.in_box(Vector3d::Ones()));
  const auto hull = scene::convex_hull(points);
  EXPECT_TRUE(closed(hull));
  for (const scene::Triangle& t : hull)
    for (const Vector3d& point : points)
      EXPECT_LE(scene::side(points[t[0]], points[t[1]], points[t[2]], point), 0);
}

TEST(ConvexHull, SideIsExactWhereRoundingDecides) {
  // d lies 2^-60 above the plane z = 0 of three large points: the determinant is 2^-60 * 2^40.
  const double large = std::ldexp(1.0, 20);
  const Vector3d a(0, 0, 0), b(large, 0, 0), c(0, large, 0);
  EXPECT_EQ(scene::side(a, b, c, Vector3d(0.1, 0.1, std::ldexp(1.0, -60))), 1);
  EXPECT_EQ(scene::side(a, b, c, Vector3d(0.1, 0.1, -std::ldexp(1.0, -60))), -1);
  // Points of one plane x + y + z = 1 in numbers that are exact: 0, not a rounding error.
  EXPECT_EQ(scene::side({1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.5, 0.25, 0.25}), 0);
  // The last bit counts.
  EXPECT_EQ(scene::side({1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {std::nextafter(0.5, 1), 0.25, 0.25}), 1);
}

TEST(ConvexHull, FlatAndFewPointsHaveNone) {
  EXPECT_TRUE(scene::convex_hull({}).empty());
  EXPECT_TRUE(scene::convex_hull({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}}).empty());
  EXPECT_TRUE(scene::convex_hull({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}).empty());
  EXPECT_TRUE(scene::convex_hull({{1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}}).empty());
}

TEST(MassProperties, BoxFromItsCornersEqualsTheClosedForm) {
  const Vector3d half(0.5, 0.25, 1.5);
  std::vector<Vector3d> points = corners(half);
  for (Vector3d& point : points) point += Vector3d(3, -2, 1);
  const MassProperties a = mass_properties(scene::box(1, 0.5, 3));
  const MassProperties b = mass_properties(scene::hull(points));
  EXPECT_DOUBLE_EQ(a.volume, 1.5);
  // (1/12)(0.5^2 + 3^2), (1^2 + 3^2)/12, (1^2 + 0.5^2)/12
  EXPECT_NEAR((a.inertia.diagonal() - Vector3d(9.25, 10, 1.25) / 12).norm(), 0, 1e-15);
  EXPECT_NEAR(b.volume, a.volume, 1e-13);
  EXPECT_NEAR((b.centre - Vector3d(3, -2, 1)).norm(), 0, 1e-13);
  EXPECT_NEAR((b.inertia - a.inertia).norm(), 0, 1e-13);
}

// A prism of many sides inscribed in a round shape: the error of volume and inertia is that of a
// polygon in a circle, of order (2 pi/n)^2/6 per radius squared.
TEST(MassProperties, ConeAndCylinderAreTheLimitOfPolyhedra) {
  const int n = 256;
  const double r = 0.3, h = 0.8, bound = 4 * std::pow(2 * std::numbers::pi / n, 2) / 6;
  std::vector<Vector3d> cylinder, cone{{0, 0, h / 2}};
  for (int i = 0; i < n; ++i) {
    const double angle = 2 * std::numbers::pi * i / n;
    const Vector3d rim(r * std::cos(angle), r * std::sin(angle), -h / 2);
    cone.push_back(rim);
    cylinder.push_back(rim);
    cylinder.push_back(rim + Vector3d(0, 0, h));
  }
  for (const auto& [round, flat] : {std::pair(scene::cylinder(r, h), scene::hull(cylinder)),
                                    std::pair(scene::cone(r, h), scene::hull(cone))}) {
    const MassProperties a = mass_properties(round), b = mass_properties(flat);
    EXPECT_NEAR(b.volume / a.volume, 1, bound);
    EXPECT_NEAR((a.centre - b.centre).norm(), 0, 1e-12);
    EXPECT_NEAR((a.inertia - b.inertia).norm(), 0, bound * a.inertia.norm());
  }
}

TEST(MassProperties, CapsuleLiesBetweenASphereAndACylinder) {
  const MassProperties ball = mass_properties(scene::sphere(0.2));
  const MassProperties shortest = mass_properties(scene::capsule(0.2, 1e-12));
  EXPECT_NEAR(shortest.volume, ball.volume, 1e-12);
  EXPECT_NEAR((shortest.inertia - ball.inertia).norm(), 0, 1e-12);
  // Long: caps of two thirds of a radius each in volume; the inertia across of the whole is that of
  // two hemispheres, 83/320 m r^2 about their own centres 3/8 r outwards, and the barrel.
  const double r = 0.2, h = 3, pi = std::numbers::pi;
  const double barrel = pi * r * r * h, cap = pi * r * r * r * 2 / 3;
  const double across = barrel * (r * r / 4 + h * h / 12) +
                        2 * cap * (83.0 / 320 * r * r + std::pow(h / 2 + 0.375 * r, 2));
  const MassProperties capsule = mass_properties(scene::capsule(r, h));
  EXPECT_NEAR(capsule.inertia(0, 0), across / (barrel + 2 * cap), 1e-13);
}

TEST(MassProperties, CompoundOfTwoHalvesIsTheWhole) {
  const Part left{scene::box(1, 1, 0.5), {Vector3d(0, 0, -0.25), Eigen::Quaterniond::Identity()}};
  // The other half is given lying, and turned up.
  const Part right{scene::box(0.5, 1, 1),
                   {Vector3d(0, 0, 0.25), scene::about_y(90 * scene::kDegree)}};
  const MassProperties whole = mass_properties(scene::box(1, 1, 1));
  const MassProperties sum = mass_properties(scene::compound({left, right}));
  EXPECT_NEAR(sum.volume, 1, 1e-15);
  EXPECT_NEAR(sum.centre.norm(), 0, 1e-15);
  EXPECT_NEAR((sum.inertia - whole.inertia).norm(), 0, 1e-15);
}

TEST(MassProperties, GivenCentreMovesTheInertia) {
  Body body;
  body.shape = scene::sphere(0.5);
  body.mass = 3;
  body.centre_of_mass = Vector3d(0, 0, 0.2);
  // Steiner: 2/5 m r^2 + m d^2 across, 2/5 m r^2 along.
  EXPECT_NEAR(inertia(body)(0, 0), 3 * (0.1 + 0.04), 1e-15);
  EXPECT_NEAR(inertia(body)(2, 2), 0.3, 1e-15);
  EXPECT_NEAR(radius(body), 0.7, 1e-15);
  EXPECT_NEAR(centre_of_mass(body).z(), 0.2, 0);
}

TEST(MassProperties, RadiusReachesTheFarthestPoint) {
  Body body;
  body.mass = 1;
  body.shape = scene::box(2, 4, 4);
  EXPECT_DOUBLE_EQ(radius(body), 3);
  body.shape = scene::capsule(0.5, 2);
  EXPECT_DOUBLE_EQ(radius(body), 1.5);
  body.shape = scene::cone(3, 8);  // centre 2 m above the base
  EXPECT_DOUBLE_EQ(radius(body), 6);
  body.shape =
      scene::compound({{scene::sphere(1), {}},
                       {scene::sphere(1), {Vector3d(4, 0, 0), Eigen::Quaterniond::Identity()}}});
  EXPECT_DOUBLE_EQ(radius(body), 3);
}

}  // namespace mass_properties_test
}  // namespace perpend
