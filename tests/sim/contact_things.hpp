// Collision objects with poses, and what a test asks of a contact set.
#pragma once

#include <BulletCollision/CollisionDispatch/btCollisionObject.h>
#include <BulletCollision/CollisionShapes/btCapsuleShape.h>
#include <BulletCollision/CollisionShapes/btConeShape.h>
#include <BulletCollision/CollisionShapes/btCylinderShape.h>
#include <BulletCollision/CollisionShapes/btSphereShape.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "sim/bullet_types.hpp"
#include "sim/contacts.hpp"

namespace perpend::sim {

inline constexpr double kPi = 3.14159265358979323846;

struct Thing {
  btCollisionObject object;
  Thing(btCollisionShape& shape, const Vector3d& position,
        const Eigen::Quaterniond& q = Eigen::Quaterniond::Identity()) {
    object.setCollisionShape(&shape);
    move(position, q);
  }
  void move(const Vector3d& position,
            const Eigen::Quaterniond& q = Eigen::Quaterniond::Identity()) {
    object.setWorldTransform(to_bullet(Pose{position, q}));
  }
};

struct RoundShapes {
  btSphereShape ball{0.25};
  btCapsuleShapeZ capsule{0.25, 1};
  btCylinderShapeZ can{btVector3(0.25, 0.25, 0.5)};
  btConeShapeZ cone{0.3, 0.4};
};

inline Sweep no_sweep() {
  const Vector3d zero = Vector3d::Zero();
  return {zero, zero, zero, zero, zero, zero};
}
inline Sweep second_moves(const Thing& second, const Vector3d& by) {
  Sweep s = no_sweep();
  s.centre2 = from_bullet(second.object.getWorldTransform().getOrigin());
  s.linear2 = by;
  return s;
}

inline std::vector<ContactPoint> contacts(const Thing& a, const Thing& b, double reach,
                                          const Sweep& sweep = no_sweep()) {
  std::vector<ContactPoint> found;
  find_contacts(a.object, b.object, reach, sweep, found);
  std::set<std::uint64_t> features;
  for (const ContactPoint& c : found) {
    EXPECT_NEAR(c.normal.norm(), 1, 1e-14);
    EXPECT_NEAR((c.second - c.first).dot(c.normal), c.gap, 1e-14);
    EXPECT_LE(c.gap, reach);
    EXPECT_TRUE(features.insert(c.feature).second) << "a feature twice";
  }
  return found;
}

// Every expected point is the second point of exactly one contact with this normal and gap.
inline void expect_set(const std::vector<ContactPoint>& found, const std::vector<Vector3d>& points,
                       const Vector3d& normal, double gap, double tolerance = 1e-14) {
  ASSERT_EQ(found.size(), points.size());
  for (const Vector3d& x : points) {
    const auto at = std::find_if(found.begin(), found.end(), [&](const ContactPoint& c) {
      return (c.second - x).norm() < tolerance;
    });
    ASSERT_NE(at, found.end()) << x.transpose();
    EXPECT_LT((at->normal - normal).norm(), tolerance);
    EXPECT_NEAR(at->gap, gap, tolerance);
  }
}

inline Eigen::Quaterniond turned(double angle, const Vector3d& axis) {
  return Eigen::Quaterniond(Eigen::AngleAxisd(angle, axis.normalized()));
}

// How fast the second thing may go on: the largest part of `by` no contact forbids.
inline double allowed(const std::vector<ContactPoint>& found, const Vector3d& by) {
  double part = 1;
  for (const ContactPoint& c : found)
    if (c.normal.dot(by) < 0) part = std::min(part, -std::max(c.gap, 0.0) / c.normal.dot(by));
  return part;
}

}  // namespace perpend::sim
