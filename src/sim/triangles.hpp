// The triangles of meshes and height fields near a shape.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/polyhedron.hpp"

class btCollisionShape;

namespace perpend::sim {

struct Triangle {
  std::array<Vector3d, 3> corners;  // in the world, counter-clockwise seen from the front
  Vector3d normal;
  std::uint64_t id;
};

// Those whose boxes meet the piece's box grown by `reach`, sorted by id.
std::vector<Triangle> triangles_near(const btCollisionShape& mesh, const Placement&,
                                     const btCollisionShape& piece, const Placement& of_piece,
                                     double reach);
// Those whose boxes meet a line.
std::vector<Triangle> triangles_on_line(const btCollisionShape& mesh, const Placement&,
                                        const Vector3d& x, const Vector3d& direction);

// Height fields may have their triangles either way round; their upper side is the front.
Vector3d up_of_field(const btCollisionShape&);

}  // namespace perpend::sim
