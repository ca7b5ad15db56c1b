// Contacts of a convex piece with a half-space: every vertex within reach, and of round solids the
// points which the plane may touch first.
#include <BulletCollision/CollisionShapes/btConvexShape.h>

#include "sim/contact_pair.hpp"

namespace perpend::sim {

void contacts_on_plane(const Vector3d& n, double level, const Piece& piece, HullCache& hulls,
                       const Sink& sink) {
  enum : std::uint64_t { kVertex = 16 };
  const auto add = [&](const Vector3d& x, int i) {
    const double gap = n.dot(x) - level;
    if (gap <= sink.reach) sink.add(x - gap * n, x, n, gap, kVertex, static_cast<std::uint64_t>(i));
  };
  PlacedPolyhedron placed;
  const Solid solid =
      make_solid(*static_cast<const btConvexShape*>(piece.shape), piece.now, hulls, placed);
  if (solid.kind == Solid::Kind::polyhedron) {
    for (int i = 0; i < placed.vertex_count(); ++i) add(placed.vertex(i), i);
    return;
  }
  const TouchingPoints touching = touching_points(solid, -n);
  for (std::size_t i = 0; i < static_cast<std::size_t>(touching.count); ++i)
    add(touching.points[i], touching.ids[i]);
}

}  // namespace perpend::sim
