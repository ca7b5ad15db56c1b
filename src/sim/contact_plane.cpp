// Contacts of a convex piece with a half-space.
#include <BulletCollision/CollisionShapes/btSphereShape.h>

#include "sim/bullet_types.hpp"
#include "sim/contact_pair.hpp"

namespace perpend::sim {

void contacts_on_plane(const Vector3d& n, double level, const Piece& piece, HullCache& hulls,
                       const Sink& sink) {
  const auto add = [&](const Vector3d& x, std::uint64_t i) {
    const double gap = n.dot(x) - level;
    if (gap <= sink.reach) sink.add(x - gap * n, x, n, gap, 8, i);
  };
  MovingPolyhedron p;
  if (place_polyhedron(piece, false, hulls, p)) {
    for (int i = 0; i < p.now.vertex_count(); ++i)
      add(p.now.vertex(i), static_cast<std::uint64_t>(i));
    return;
  }
  if (piece.shape->getShapeType() == SPHERE_SHAPE_PROXYTYPE)
    add(piece.now.position - static_cast<const btSphereShape*>(piece.shape)->getRadius() * n, 0);
}

}  // namespace perpend::sim
