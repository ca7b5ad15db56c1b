#include "sim/hull_cache.hpp"

#include <btBulletDynamicsCommon.h>
#include <gtest/gtest.h>

#include <cmath>

namespace perpend::sim {
namespace hull_cache_test {

// How far the surface is outside of the faces, at most.
double lacks(const Polyhedron& p, const Support& support) {
  double most = 0;
  for (std::size_t f = 0; f < p.faces.size(); ++f) {
    const Vector3d& on =
        p.vertices[static_cast<std::size_t>(p.loop[static_cast<std::size_t>(p.faces[f].begin)])];
    most = std::max(most, p.normals[f].dot(support(p.normals[f]) - on));
  }
  return most;
}

Support of_corners(const std::vector<Vector3d>& corners) {
  return [=](const Vector3d& d) {
    return *std::max_element(corners.begin(), corners.end(),
                             [&](const auto& a, const auto& b) { return a.dot(d) < b.dot(d); });
  };
}

Support of_spheres(const std::vector<Vector3d>& centres, double radius) {
  return [=](const Vector3d& d) { return Vector3d(of_corners(centres)(d) + radius * d); };
}

TEST(Sampled, PolytopesAreExact) {
  std::vector<Vector3d> corners;
  for (int i = 0; i < 60; ++i) {  // on a spiral around a ball
    const double z = (i + 0.5) / 30 - 1, r = std::sqrt(1 - z * z);
    corners.emplace_back(r * std::cos(2.4 * i), r * std::sin(2.4 * i), z);
  }
  const Polyhedron p = sampled(of_corners(corners));
  EXPECT_EQ(p.vertices.size(), corners.size());
  EXPECT_LT(lacks(p, of_corners(corners)), 1e-9);
}

TEST(Sampled, PointsLinesAndFlatShapesStayWhatTheyAre) {
  const Vector3d a(0.3, 0.1, 0), b(-0.3, 0.2, 0.1), c(0, -0.4, 0.2);
  EXPECT_EQ(sampled(of_corners({a})).vertices.size(), 1u);
  EXPECT_EQ(sampled(of_corners({a, b})).vertices.size(), 2u);
  const Polyhedron flat = sampled(of_corners({a, b, c}));
  EXPECT_EQ(flat.vertices.size(), 3u);
  EXPECT_EQ(flat.faces.size(), 2u);
}

TEST(Sampled, ABallLacksFivePercentOfItsRadius) {
  const Support ball = of_spheres({Vector3d(1, 2, 3)}, 2);
  const Polyhedron p = sampled(ball);
  EXPECT_LE(p.vertices.size(), kSamples);
  EXPECT_LT(lacks(p, ball), 0.05 * 2);
}

// Whichever way it looks: three balls lie on a plane.
TEST(Sampled, FlatSidesBetweenCurvedOnesAreExact) {
  const std::vector<Vector3d> centres{{0.3, 0.1, 0}, {-0.3, 0.2, 0.1}, {0, -0.4, 0.2}};
  const Vector3d n = (centres[1] - centres[0]).cross(centres[2] - centres[0]).normalized();
  const Polyhedron p = sampled(of_spheres(centres, 0.15));
  for (const double sign : {1.0, -1.0}) {
    double nearest = 1;
    for (const Vector3d& m : p.normals) nearest = std::min(nearest, (m - sign * n).norm());
    EXPECT_LT(nearest, 1e-8);
  }
}

TEST(HullCache, FollowsAShapeThatChanges) {
  HullCache hulls;
  const btVector3 centres[] = {{0.3, 0, 0}, {-0.3, 0, 0}, {0, 0.3, 0}};
  const btScalar radii[] = {0.1, 0.1, 0.1};
  btMultiSphereShape spheres(centres, radii, 3);
  const auto width = [&] {
    double most = 0;
    for (const Vector3d& x : hulls.of(spheres).vertices) most = std::max(most, x[0]);
    return most;
  };
  EXPECT_NEAR(width(), 0.4, 1e-12);
  spheres.setLocalScaling(btVector3(2, 2, 2));
  EXPECT_NEAR(width(), 0.8, 1e-12);
}

}  // namespace hull_cache_test
}  // namespace perpend::sim
