// What a ContactFinder keeps, and small things its parts share.
#pragma once

#include <BulletCollision/CollisionShapes/btCollisionShape.h>
#include <LinearMath/btTransform.h>

#include "sim/bullet_types.hpp"
#include "sim/contacts.hpp"
#include "sim/polyhedron.hpp"
#include "sim/solid.hpp"

namespace perpend::sim {

struct ContactFinder::Memory {
  HullCache hulls;
};

inline Placement placement(const btTransform& t) {
  return {from_bullet(t.getBasis()), from_bullet(t.getOrigin())};
}
inline btTransform to_bullet(const Placement& p) {
  const Matrix3d& r = p.rotation;
  return btTransform(
      btMatrix3x3(r(0, 0), r(0, 1), r(0, 2), r(1, 0), r(1, 1), r(1, 2), r(2, 0), r(2, 1), r(2, 2)),
      to_bullet(p.position));
}

struct Bounds {
  btVector3 low, high;
  bool meets(const Bounds& o, double reach) const {
    for (int i = 0; i < 3; ++i)
      if (low[i] > o.high[i] + reach || o.low[i] > high[i] + reach) return false;
    return true;
  }
};
inline Bounds bounds(const btCollisionShape& shape, const Placement& place) {
  Bounds b;
  shape.getAabb(to_bullet(place), b.low, b.high);
  return b;
}

}  // namespace perpend::sim
