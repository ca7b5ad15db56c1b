#include <BulletCollision/CollisionShapes/btSphereShape.h>

#include "sim/contact_pair.hpp"

namespace perpend::sim {

void contacts_of_round(const Piece& a, const Piece& b, HullCache&, const Sink& sink) {
  if (a.shape->getShapeType() != SPHERE_SHAPE_PROXYTYPE ||
      b.shape->getShapeType() != SPHERE_SHAPE_PROXYTYPE)
    return;
  const double ra = static_cast<const btSphereShape*>(a.shape)->getRadius();
  const double rb = static_cast<const btSphereShape*>(b.shape)->getRadius();
  const Vector3d n = (b.now.position - a.now.position).normalized();
  const Vector3d x = a.now.position + ra * n, y = b.now.position - rb * n;
  const double gap = n.dot(y - x);
  if (gap <= sink.reach) sink.add(x, y, n, gap, 9, 0);
}

}  // namespace perpend::sim
