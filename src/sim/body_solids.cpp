#include "sim/body_solids.hpp"

#include <BulletCollision/CollisionDispatch/btCollisionObject.h>
#include <BulletCollision/CollisionShapes/btCollisionShape.h>
#include <BulletCollision/CollisionShapes/btStaticPlaneShape.h>

#include "sim/contact_finder.hpp"

namespace perpend::sim {

void BodySolids::place(const std::vector<TouchPair>& pairs, const StepBodies& bodies) {
  const std::size_t count = bodies.list.size();
  if (room_ < count) {
    room_ = count + count / 4;
    placed_ = std::make_unique<Placed[]>(room_);
  }
  wanted_.assign(count, 0);
  for (const TouchPair& pair : pairs)
    wanted_[static_cast<std::size_t>(pair.first)] = wanted_[static_cast<std::size_t>(pair.second)] =
        1;
  for (std::size_t i = 0; i < count; ++i) {
    if (!wanted_[i]) continue;
    const StepBody& body = bodies.list[i];
    Placed& placed = placed_[i];
    if (placed.version >= first_ && placed.reach == body.reach && placed.way == body.way &&
        placed.angle == body.angle)
      continue;
    placed.version = ++last_;
    placed.way = body.way;
    placed.angle = body.angle;
    placed.reach = body.reach;
    const btCollisionShape* shape = body.object->getCollisionShape();
    placed.convex = shape->isConvex();
    placed.plane = shape->getShapeType() == STATIC_PLANE_PROXYTYPE;
    const Placement now = placement(body.object->getWorldTransform());
    if (placed.plane)
      placed.below = half_space(*static_cast<const btStaticPlaneShape*>(shape), now);
    if (!placed.convex) continue;
    // A sphere looks the same from all sides.
    const bool turns = shape->getShapeType() != SPHERE_SHAPE_PROXYTYPE;
    const Placement next = turns ? swept(now, now.position, body.way, body.angle)
                                 : Placement{now.rotation, now.position + body.way};
    placed.piece.place({shape, now, next, 0}, true, hulls_);
  }
}

Sweep sweep_of(const StepBody& a, const StepBody& b) {
  return {from_bullet(a.object->getWorldTransform().getOrigin()), a.way, a.angle,
          from_bullet(b.object->getWorldTransform().getOrigin()), b.way, b.angle};
}

}  // namespace perpend::sim
