// A box along the axes of the world, around a shape.
#pragma once

#include <BulletCollision/CollisionShapes/btCollisionShape.h>
#include <LinearMath/btTransform.h>

#include "sim/bullet_types.hpp"

namespace perpend::sim {

struct Box {
  Vector3d low, high;
  bool meets(const Box& o, double reach = 0) const {
    return (low.array() <= o.high.array() + reach).all() &&
           (o.low.array() <= high.array() + reach).all();
  }
};

inline Box box_around(const btCollisionShape& shape, const btTransform& place) {
  btVector3 low, high;
  shape.getAabb(place, low, high);
  return {from_bullet(low), from_bullet(high)};
}

}  // namespace perpend::sim
