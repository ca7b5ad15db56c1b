#include "sim/body_solids.hpp"

#include <BulletCollision/CollisionDispatch/btCollisionObject.h>
#include <BulletCollision/CollisionShapes/btCollisionShape.h>

#include "sim/contact_finder.hpp"

namespace perpend::sim {

void BodySolids::place(const std::vector<TouchPair>& pairs, const StepBodies& bodies) {
  const std::size_t count = bodies.list.size();
  if (room_ < count) {
    room_ = count + count / 4;
    placed_ = std::make_unique<Placed[]>(room_);
  }
  std::vector<char> wanted(count, 0);
  for (const TouchPair& pair : pairs)
    wanted[static_cast<std::size_t>(pair.first)] = wanted[static_cast<std::size_t>(pair.second)] =
        1;
  for (std::size_t i = 0; i < count; ++i) {
    if (!wanted[i]) continue;
    const StepBody& body = bodies.list[i];
    const btCollisionShape* shape = body.object->getCollisionShape();
    placed_[i].convex = shape->isConvex();
    if (!placed_[i].convex) continue;
    const Placement now = placement(body.object->getWorldTransform());
    placed_[i].piece.place({shape, now, swept(now, now.position, body.way, body.angle), 0}, true,
                           hulls_);
  }
}

Sweep sweep_of(const StepBody& a, const StepBody& b) {
  return {from_bullet(a.object->getWorldTransform().getOrigin()), a.way, a.angle,
          from_bullet(b.object->getWorldTransform().getOrigin()), b.way, b.angle};
}

}  // namespace perpend::sim
