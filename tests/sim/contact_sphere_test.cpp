// Spheres meet spheres and boxes in closed form, as they meet any other solid.
#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <gtest/gtest.h>

#include <cmath>

#include "sim/contact_pair.hpp"
#include "sim/contact_things.hpp"

namespace perpend::sim {
namespace contact_sphere_test {

struct Found {
  std::vector<ContactPoint> closed, general;
};

// Both ways, with the pieces in this order.
Found find(btCollisionShape& one, const Placement& from, const Placement& to,
           btCollisionShape& other, const Placement& from2, const Placement& to2, bool moving) {
  HullCache hulls;
  MovingConvex a, b;
  a.place({&one, from, to, 1}, moving, hulls);
  b.place({&other, from2, to2, 2}, moving, hulls);
  Found found;
  const Sink closed{found.closed, 0.3, 0.1, moving, false, false, 7};
  const Sink general{found.general, 0.3, 0.1, moving, false, false, 7};
  EXPECT_TRUE(contacts_of_sphere(a.solid, b.solid, closed));
  contacts_of_solids(a.solid, b.solid, nullptr, general);
  return found;
}

void expect_same(const Found& found) {
  constexpr double kRounding = 1e-12;
  ASSERT_EQ(found.closed.size(), found.general.size());
  for (std::size_t i = 0; i < found.closed.size(); ++i) {
    const ContactPoint &x = found.closed[i], &y = found.general[i];
    EXPECT_EQ(x.feature, y.feature);
    EXPECT_LT((x.first - y.first).norm(), kRounding);
    EXPECT_LT((x.second - y.second).norm(), kRounding);
    EXPECT_LT((x.normal - y.normal).norm(), kRounding);
    EXPECT_NEAR(x.gap, y.gap, kRounding);
  }
}

Placement turned_to(const Vector3d& position, double angle) {
  return {turned(angle, {1, 2, 3}).toRotationMatrix(), position};
}

// All places of a grid around the middle, off it by something that leaves no ties.
template <class Item>
void on_grid(double spacing, Item item) {
  for (int i = -4; i <= 4; ++i)
    for (int j = -4; j <= 4; ++j)
      for (int k = -4; k <= 4; ++k)
        item(Vector3d(spacing * i + 0.011, spacing * j - 0.007, spacing * k + 0.003));
}

const std::vector<Vector3d>& ways() {
  static const std::vector<Vector3d> kWays = {
      {0, 0, 0}, {0.1, 0, 0}, {-0.05, 0.2, 0.1}, {0.3, -0.4, 0.2}};
  return kWays;
}

TEST(TwoSpheres, AreAsFarApartAsTheirMiddlesLessTheirRadii) {
  btSphereShape small(0.25), large(0.5);
  const Thing a(small, {0, 0, 0}), b(large, {0.6, 0, 0.8});
  expect_set(contacts(a, b, 0.3), {{0.3, 0, 0.4}}, {0.6, 0, 0.8}, 0.25);
  EXPECT_TRUE(contacts(a, b, 0.2499).empty());
  expect_set(contacts(b, a, 0.3), {{0.15, 0, 0.2}}, {-0.6, 0, -0.8}, 0.25);
}

TEST(TwoSpheres, MeetAsAnyTwoSolids) {
  btSphereShape small(0.25), large(0.5);
  int with_contacts = 0;
  on_grid(0.21, [&](const Vector3d& x) {
    for (const Vector3d& way : ways()) {
      const Found found = find(small, turned_to({0, 0, 0}, 0), turned_to(-0.5 * way, 0.1), large,
                               turned_to(x, 0.2), turned_to(x + way, 0.4), !way.isZero());
      expect_same(found);
      with_contacts += !found.closed.empty();
    }
  });
  EXPECT_GT(with_contacts, 1000);
}

TEST(TwoSpheres, WithOneMiddleAreLeftToTheGeneralWay) {
  btSphereShape ball(0.25);
  HullCache hulls;
  MovingConvex a;
  a.place({&ball, {}, {}, 1}, true, hulls);
  std::vector<ContactPoint> found;
  EXPECT_FALSE(contacts_of_sphere(a.solid, a.solid, {found, 0.3, 0, true, false}));
  EXPECT_TRUE(found.empty());
}

TEST(SphereAndBox, MeetOnAFaceAnEdgeACorner) {
  btSphereShape ball(0.25);
  btBoxShape cube(btVector3(0.5, 0.5, 0.5));
  const Thing box(cube, {0, 0, 0});
  const double r = std::sqrt(0.5), s = std::sqrt(1.0 / 3);
  expect_set(contacts(box, Thing(ball, {0.1, 0.2, 0.85}), 0.2), {{0.1, 0.2, 0.6}}, {0, 0, 1}, 0.1);
  const double d = 0.5 + 0.35 * r, e = 0.5 + 0.1 * r;
  expect_set(contacts(box, Thing(ball, {0.1, d, d}), 0.2), {{0.1, e, e}}, {0, r, r}, 0.1);
  const double f = 0.5 + 0.35 * s, g = 0.5 + 0.1 * s;
  expect_set(contacts(box, Thing(ball, {f, f, f}), 0.2), {{g, g, g}}, {s, s, s}, 0.1);
  // Its middle inside: out through the nearest face.
  expect_set(contacts(box, Thing(ball, {0.1, 0.2, 0.4}), 0.2), {{0.1, 0.2, 0.15}}, {0, 0, 1},
             -0.35);
}

TEST(SphereAndBox, MeetAsAnyTwoSolids) {
  btSphereShape ball(0.25);
  btBoxShape box(btVector3(0.5, 0.4, 0.3));
  int with_contacts = 0;
  on_grid(0.21, [&](const Vector3d& x) {
    for (const Vector3d& way : ways()) {
      const bool moving = !way.isZero();
      const Placement p = turned_to({0.2, 0.1, 0}, 0.7);
      const Placement q = turned_to({0.2 - 0.1 * way.x(), 0.1, 0}, moving ? 0.75 : 0.7);
      for (bool box_first : {true, false}) {
        const Found found =
            box_first ? find(box, p, q, ball, turned_to(x, 0.2), turned_to(x + way, 0.4), moving)
                      : find(ball, turned_to(x, 0.2), turned_to(x + way, 0.4), box, p, q, moving);
        expect_same(found);
        with_contacts += !found.closed.empty();
      }
    }
  });
  EXPECT_GT(with_contacts, 1000);
}

}  // namespace contact_sphere_test
}  // namespace perpend::sim
