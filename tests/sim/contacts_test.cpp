// Contact sets of boxes and hulls: complete, minimal, and the same under rounding.
#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <BulletCollision/CollisionShapes/btCompoundShape.h>
#include <BulletCollision/CollisionShapes/btConvexHullShape.h>
#include <gtest/gtest.h>

#include <cmath>

#include "sim/contact_things.hpp"
#include "sim/polyhedron.hpp"

namespace perpend::sim {
namespace contacts_test {

TEST(BoxOnBox, AlignedHasTheFourCorners) {
  btBoxShape cube(btVector3(0.5, 0.5, 0.5));
  const Thing lower(cube, {0, 0, 0}), upper(cube, {0, 0, 1.01});
  expect_set(contacts(lower, upper, 0.02),
             {{0.5, 0.5, 0.51}, {-0.5, 0.5, 0.51}, {-0.5, -0.5, 0.51}, {0.5, -0.5, 0.51}},
             {0, 0, 1}, 0.01);
  EXPECT_TRUE(contacts(lower, upper, 0.0099).empty());
}

TEST(BoxOnBox, TurnedByAnEighthHasTheOctagon) {
  btBoxShape cube(btVector3(0.5, 0.5, 0.5));
  const Thing lower(cube, {0, 0, 0}), upper(cube, {0, 0, 1}, turned(kPi / 4, {0, 0, 1}));
  const double c = std::sqrt(0.5) - 0.5;
  expect_set(contacts(lower, upper, 0.01),
             {{0.5, c, 0.5},
              {c, 0.5, 0.5},
              {-c, 0.5, 0.5},
              {-0.5, c, 0.5},
              {-0.5, -c, 0.5},
              {-c, -0.5, 0.5},
              {c, -0.5, 0.5},
              {0.5, -c, 0.5}},
             {0, 0, 1}, 0);
}

TEST(BoxOnBox, ShiftedHasTheCommonRectangle) {
  btBoxShape cube(btVector3(0.5, 0.5, 0.5));
  const Thing lower(cube, {0, 0, 0}), upper(cube, {0.25, -0.125, 1});
  expect_set(contacts(lower, upper, 0.01),
             {{0.5, 0.375, 0.5}, {-0.25, 0.375, 0.5}, {-0.25, -0.5, 0.5}, {0.5, -0.5, 0.5}},
             {0, 0, 1}, 0);
  // One side flush, as in a running bond.
  const Thing bond(cube, {0.25, 0, 1});
  expect_set(contacts(lower, bond, 0.01),
             {{0.5, 0.5, 0.5}, {-0.25, 0.5, 0.5}, {-0.25, -0.5, 0.5}, {0.5, -0.5, 0.5}}, {0, 0, 1},
             0);
}

TEST(BoxOnBox, TheLargerOneBelowOrAboveHasTheCornersOfTheSmaller) {
  btBoxShape large(btVector3(2, 2, 0.5)), small(btVector3(0.5, 0.25, 0.5));
  const std::vector<Vector3d> corners{
      {0.5, 0.25, 0.5}, {-0.5, 0.25, 0.5}, {-0.5, -0.25, 0.5}, {0.5, -0.25, 0.5}};
  expect_set(contacts(Thing(large, {0, 0, 0}), Thing(small, {0, 0, 1}), 0.01), corners, {0, 0, 1},
             0);
  expect_set(contacts(Thing(small, {0, 0, 0}), Thing(large, {0, 0, 1}), 0.01), corners, {0, 0, 1},
             0);
}

TEST(BoxOnBox, EdgesThatCrossTouchInOnePoint) {
  btBoxShape cube(btVector3(0.5, 0.5, 0.5));
  const double half = std::sqrt(0.5);
  const Thing lower(cube, {0, 0, 0}, turned(kPi / 4, {1, 0, 0}));
  const Thing upper(cube, {0.1, 0.2, 2 * half + 0.01}, turned(kPi / 4, {0, 1, 0}));
  expect_set(contacts(lower, upper, 0.02), {{0.1, 0, half + 0.01}}, {0, 0, 1}, 0.01);
}

TEST(BoxOnBox, AVertexOnAFaceTouchesInOnePoint) {
  btBoxShape cube(btVector3(0.5, 0.5, 0.5));
  const Thing lower(cube, {0, 0, 0});
  const Eigen::Quaterniond q =
      Eigen::Quaterniond::FromTwoVectors(Vector3d(1, 1, 1).normalized(), Vector3d(0, 0, -1));
  const Thing upper(cube, {0.1, 0.2, 0.5 + std::sqrt(0.75) + 0.01}, q);
  expect_set(contacts(lower, upper, 0.02), {{0.1, 0.2, 0.51}}, {0, 0, 1}, 0.01, 1e-14);
}

TEST(BoxOnBox, RoundingChangesNeitherPointsNorFeatures) {
  btBoxShape cube(btVector3(0.5, 0.5, 0.5)), brick(btVector3(0.5, 0.25, 0.25));
  struct Case {
    btBoxShape* shape;
    Vector3d position;
  };
  for (const Case& c : {Case{&cube, {0, 0, 1}}, Case{&cube, {0.25, 0, 1}}, Case{&cube, {1, 0, 1}},
                        Case{&brick, {0.5, 0.25, 0.75}}, Case{&brick, {0, 0, 0.75}}}) {
    const auto calm = contacts(Thing(cube, {0, 0, 0}), Thing(*c.shape, c.position), 1e-3);
    unsigned state = 1;
    const auto noise = [&] {
      state = state * 1664525u + 1013904223u;
      return 2e-12 * (state / 4294967296.0 - 0.5);
    };
    for (int trial = 0; trial < 200; ++trial) {
      const Eigen::Quaterniond q(1, noise(), noise(), noise()), r(1, noise(), noise(), noise());
      const Thing lower(cube, {noise(), noise(), noise()}, q);
      const Thing upper(*c.shape, c.position + Vector3d(noise(), noise(), noise()), r);
      const auto found = contacts(lower, upper, 1e-3);
      ASSERT_EQ(found.size(), calm.size());
      for (std::size_t i = 0; i < found.size(); ++i) {
        EXPECT_EQ(found[i].feature, calm[i].feature);
        EXPECT_LT((found[i].second - calm[i].second).norm(), 1e-10);
        EXPECT_LT((found[i].normal - calm[i].normal).norm(), 1e-10);
      }
    }
  }
}

TEST(BoxOnBox, SwappedArgumentsGiveTheMirroredContacts) {
  btBoxShape cube(btVector3(0.5, 0.5, 0.5));
  const Thing lower(cube, {0, 0, 0});
  for (const Thing& upper :
       {Thing(cube, {0.3, 0.1, 1.001}), Thing(cube, {0, 0, 1.001}, turned(0.3, {0, 0, 1})),
        Thing(cube, {0.3, 0.1, 1.3}, turned(0.7, {1, 2, 0.3}))}) {
    const auto one = contacts(lower, upper, 0.05), other = contacts(upper, lower, 0.05);
    ASSERT_EQ(one.size(), other.size());
    for (const ContactPoint& c : one) {
      const auto at = std::find_if(other.begin(), other.end(), [&](const ContactPoint& o) {
        return (c.first - o.second).norm() + (c.second - o.first).norm() +
                   (c.normal + o.normal).norm() <
               1e-12;
      });
      EXPECT_NE(at, other.end());
    }
  }
}

TEST(BoxOnBox, OverlapIsPushedOutTheShortWay) {
  btBoxShape cube(btVector3(0.5, 0.5, 0.5));
  expect_set(contacts(Thing(cube, {0, 0, 0}), Thing(cube, {0, 0, 0.9}), 0.01),
             {{0.5, 0.5, 0.4}, {-0.5, 0.5, 0.4}, {-0.5, -0.5, 0.4}, {0.5, -0.5, 0.4}}, {0, 0, 1},
             -0.1);
}

TEST(Hulls, AHullOfACubeHasTheContactsOfTheCube) {
  btBoxShape cube(btVector3(0.5, 0.5, 0.5));
  btConvexHullShape hull;
  for (int k = 0; k < 8; ++k)
    hull.addPoint(btVector3(k & 1 ? 0.5 : -0.5, k & 2 ? 0.5 : -0.5, k & 4 ? 0.5 : -0.5));
  for (const auto& [at, q] : std::vector<std::pair<Vector3d, Eigen::Quaterniond>>{
           {{0, 0, 1}, turned(0, {0, 0, 1})},
           {{0.25, 0, 1}, turned(0, {0, 0, 1})},
           {{0.1, 0.2, 1}, turned(0.5, {0, 0, 1})},
           {{0.3, 0.1, 1.2}, turned(0.7, {1, 2, 0.3})}}) {
    const auto one = contacts(Thing(cube, {0, 0, 0}), Thing(cube, at, q), 0.05);
    const auto other = contacts(Thing(hull, {0, 0, 0}), Thing(hull, at, q), 0.05);
    ASSERT_EQ(one.size(), other.size());
    for (const ContactPoint& c : one)
      EXPECT_TRUE(std::any_of(other.begin(), other.end(), [&](const ContactPoint& o) {
        return (c.second - o.second).norm() + (c.normal - o.normal).norm() < 1e-12;
      }));
  }
}

// The three directions of a box's edges stand for its twelve edges, whichever way it is turned.
TEST(Hulls, OfBoxesHaveTheContactsOfTheBoxesFromAllSides) {
  btBoxShape box(btVector3(0.5, 0.4, 0.3));
  btConvexHullShape hull;
  for (int i = 0; i < 8; ++i)
    hull.addPoint(btVector3(i & 1 ? 0.5 : -0.5, i & 2 ? 0.4 : -0.4, i & 4 ? 0.3 : -0.3));
  hull.setMargin(0);
  int by_edges = 0;
  for (int i = 0; i < 7; ++i)
    for (int j = 0; j < 7; ++j)
      for (int k = 0; k < 7; ++k) {
        const Eigen::Quaterniond q = turned(0.11 + 0.37 * i, {1, 0.2, 0.1}) *
                                     turned(0.13 + 0.41 * j, {0.1, 1, 0.3}) *
                                     turned(0.17 + 0.43 * k, {0.2, 0.1, 1});
        const Vector3d x = q * Vector3d(0.95, 0.3, 0.2);
        const Thing a(box, {0, 0, 0}), b(box, x, q), c(hull, {0, 0, 0}), d(hull, x, q);
        for (const Vector3d& way : {Vector3d(0, 0, 0), Vector3d(-0.1 * x)}) {
          const auto boxes = contacts(a, b, 0.15, second_moves(b, way));
          const auto hulls = contacts(c, d, 0.15, second_moves(d, way));
          ASSERT_EQ(boxes.size(), hulls.size());
          for (const ContactPoint& one : boxes) {
            by_edges += std::abs(one.normal.cwiseAbs().maxCoeff() - 1) > 1e-9;
            EXPECT_TRUE(std::any_of(hulls.begin(), hulls.end(),
                                    [&](const ContactPoint& other) {
                                      return (one.first - other.first).norm() < 1e-12 &&
                                             (one.second - other.second).norm() < 1e-12 &&
                                             (one.normal - other.normal).norm() < 1e-12 &&
                                             std::abs(one.gap - other.gap) < 1e-12;
                                    }))
                << i << j << k;
          }
        }
      }
  EXPECT_GT(by_edges, 1000);
}

TEST(Hulls, AWheelOfManyPointsHasTwoFlatSidesAndItsTread) {
  std::vector<Vector3d> points;
  for (int i = 0; i < 24; ++i)
    for (double z : {-0.2, 0.2})
      points.emplace_back(std::cos(kPi / 12 * i), std::sin(kPi / 12 * i), z);
  points.emplace_back(0, 0, 0.2);  // in a side
  points.emplace_back(0, 0, 0);    // inside
  points.push_back(points[0]);     // twice
  const Polyhedron wheel = hull(points);
  EXPECT_EQ(wheel.vertices.size(), 48u);
  EXPECT_EQ(wheel.faces.size(), 26u);
  EXPECT_EQ(wheel.edges.size(), 72u);  // Euler: 48 - 72 + 26 = 2
  for (const Polyhedron::Edge& e : wheel.edges) {
    EXPECT_GE(e.right, 0);
    // Normals turn outwards at every edge.
    const Vector3d line = wheel.vertices[static_cast<std::size_t>(e.to)] -
                          wheel.vertices[static_cast<std::size_t>(e.from)];
    EXPECT_GT(wheel.normals[static_cast<std::size_t>(e.left)]
                  .cross(wheel.normals[static_cast<std::size_t>(e.right)])
                  .dot(line),
              0);
  }
}

TEST(Hulls, PointsOnASphereAreAllInFrontOfNoFace) {
  std::vector<Vector3d> points;
  for (int i = 0; i < 200; ++i) {
    const double z = 1 - 2 * (i + 0.5) / 200, r = std::sqrt(1 - z * z);
    points.emplace_back(r * std::cos(2.4 * i), r * std::sin(2.4 * i), z);
  }
  const Polyhedron ball = hull(points);
  ASSERT_EQ(ball.vertices.size(), 200u);
  EXPECT_EQ(ball.vertices.size() + ball.faces.size(), ball.edges.size() + 2);
  for (std::size_t f = 0; f < ball.faces.size(); ++f) {
    const Vector3d& on = ball.vertices[static_cast<std::size_t>(
        ball.loop[static_cast<std::size_t>(ball.faces[f].begin)])];
    for (const Vector3d& x : points) EXPECT_LT(ball.normals[f].dot(x - on), 1e-8);
  }
}

TEST(Compounds, HaveTheContactsOfTheirChildrenWithFeaturesOfTheirOwn) {
  btBoxShape leg(btVector3(0.1, 0.1, 0.5)), floor(btVector3(5, 5, 0.5));
  btCompoundShape table;
  for (double x : {-1.0, 1.0})
    for (double y : {-1.0, 1.0})
      table.addChildShape(btTransform(btQuaternion::getIdentity(), btVector3(x, y, 0)), &leg);
  // 4 legs of 4 corners; `contacts` checks that no feature is there twice.
  EXPECT_EQ(contacts(Thing(floor, {0, 0, 0}), Thing(table, {0, 0, 1}), 0.01).size(), 16u);
  btCompoundShape tables;  // of tables
  tables.addChildShape(btTransform::getIdentity(), &table);
  tables.addChildShape(btTransform(btQuaternion::getIdentity(), btVector3(0.5, 0, 0)), &table);
  EXPECT_EQ(contacts(Thing(floor, {0, 0, 0}), Thing(tables, {0, 0, 1}), 0.01).size(), 32u);
  EXPECT_EQ(contacts(Thing(table, {0, 0, 0}), Thing(table, {0, 0, 1}), 0.01).size(), 16u);
}

TEST(Sweeps, ABoxFallsPastTheEdgeOfAShelf) {
  btBoxShape cube(btVector3(0.5, 0.5, 0.5)), shelf(btVector3(1, 1, 0.05));
  const Thing board(shelf, {0, 0, 0});
  const Vector3d by(0, 0, -0.3);  // 18 m/s at 1/60 s
  for (double z : {0.7, 0.56, 0.551, 0.55, 0.5, 0.3}) {
    const Thing box(cube, {1.51, 0, z});
    EXPECT_EQ(allowed(contacts(board, box, 0.4, second_moves(box, by)), by), 1) << z;
  }
}

TEST(Sweeps, ABoxThatWouldHitTheShelfIsStopped) {
  btBoxShape cube(btVector3(0.5, 0.5, 0.5)), shelf(btVector3(1, 1, 0.05));
  const Thing board(shelf, {0, 0, 0}), box(cube, {1.4, 0, 0.65});
  const Vector3d by(0, 0, -0.3);
  EXPECT_NEAR(allowed(contacts(board, box, 0.4, second_moves(box, by)), by), 0.1 / 0.3, 1e-12);
  // Also where it is not over the shelf yet.
  const Thing comes(cube, {1.52, 0, 0.65});
  const Vector3d aslant(-0.1, 0, -0.3);
  EXPECT_NEAR(allowed(contacts(board, comes, 0.4, second_moves(comes, aslant)), aslant), 0.1 / 0.3,
              1e-12);
}

TEST(Sweeps, ABoxSlidesFromOneTileToTheNext) {
  btBoxShape cube(btVector3(0.5, 0.5, 0.5)), tile(btVector3(1, 1, 0.5));
  const Thing next(tile, {2, 0, 0});
  const Vector3d by(0.02, 0, 0);
  for (double x : {0.4, 0.49, 0.4999, 0.5, 0.5001, 0.51, 0.7}) {
    const Thing box(cube, {x, 0, 1 - 1e-12});
    EXPECT_EQ(allowed(contacts(next, box, 0.05, second_moves(box, by)), by), 1) << x;
  }
}

TEST(Sweeps, ABoxSlidesOffATable) {
  btBoxShape cube(btVector3(0.5, 0.5, 0.5)), table(btVector3(2, 2, 0.5));
  const Thing top(table, {0, 0, 0});
  const Vector3d by(0.05, 0, 0);
  for (double x : {1.0, 1.49, 1.51, 2.3, 2.49, 2.499999, 2.5, 2.51}) {
    const Thing box(cube, {x, 0, 1});
    const auto found = contacts(top, box, 0.1, second_moves(box, by));
    EXPECT_EQ(allowed(found, by), 1) << x;
    if (x < 2.4) {
      EXPECT_GE(found.size(), 4u) << x;  // still held
    }
    // It may tip over the edge as soon as its middle is beyond it: turning about the edge, what is
    // beyond sinks.
    for (const ContactPoint& c : found) {
      EXPECT_LE(c.second.x(), 2 + 1e-6);
    }
  }
}

}  // namespace contacts_test
}  // namespace perpend::sim
