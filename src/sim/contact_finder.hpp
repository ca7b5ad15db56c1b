// Small things that the parts of a ContactFinder share.
#pragma once

#include "sim/box.hpp"
#include "sim/contacts.hpp"
#include "sim/polyhedron.hpp"
#include "sim/solid.hpp"

namespace perpend::sim {

inline Placement placement(const btTransform& t) {
  return {from_bullet(t.getBasis()), from_bullet(t.getOrigin())};
}
inline btTransform to_bullet(const Placement& p) {
  const Matrix3d& r = p.rotation;
  return btTransform(
      btMatrix3x3(r(0, 0), r(0, 1), r(0, 2), r(1, 0), r(1, 1), r(1, 2), r(2, 0), r(2, 1), r(2, 2)),
      to_bullet(p.position));
}

inline Box box_around(const btCollisionShape& shape, const Placement& place) {
  return box_around(shape, to_bullet(place));
}

}  // namespace perpend::sim
