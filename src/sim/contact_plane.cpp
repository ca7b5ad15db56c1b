// Contacts of a convex piece with a half-space: every vertex within reach, and of round solids the
// points which the plane may touch first.
#include <BulletCollision/CollisionShapes/btStaticPlaneShape.h>

#include "sim/bullet_types.hpp"
#include "sim/contact_pair.hpp"

namespace perpend::sim {

void contacts_on_plane(const Vector3d& n, double level, const Solid& solid, const Sink& sink) {
  enum : std::uint64_t { kVertex = 16 };
  const auto add = [&](const Vector3d& x, int i) {
    const double gap = n.dot(x) - level;
    if (gap <= sink.reach) sink.add(x - gap * n, x, n, gap, kVertex, static_cast<std::uint64_t>(i));
  };
  if (solid.kind == Solid::Kind::polyhedron) {
    for (int i = 0; i < solid.polyhedron->vertex_count(); ++i) add(solid.polyhedron->vertex(i), i);
    return;
  }
  const TouchingPoints touching = touching_points(solid, -n);
  for (std::size_t i = 0; i < static_cast<std::size_t>(touching.count); ++i)
    add(touching.points[i], touching.ids[i]);
}

HalfSpace half_space(const btStaticPlaneShape& shape, const Placement& place) {
  const Vector3d n = place.rotation * from_bullet(shape.getPlaneNormal()).normalized();
  return {n, shape.getPlaneConstant() + n.dot(place.position)};
}

void find_contacts_on_plane(const HalfSpace& below, const Solid& solid, bool plane_first,
                            double reach, std::vector<ContactPoint>& out) {
  Sink sink{out, reach, 0, false, false};
  sink.swapped = !plane_first;
  sink.seed = mixed(1, 2);
  contacts_on_plane(below.normal, below.level, solid, sink);
}

}  // namespace perpend::sim
