// The convex hull of a set of points, as triangles.
#pragma once

#include <array>
#include <vector>

#include "perpend/frame.hpp"

namespace perpend::scene {

// +1 when d lies on the positive side of the plane through a, b, c (the side from which they run
// counter-clockwise), -1 on the other side, 0 in the plane: exact for all doubles whose products
// neither overflow nor underflow.
int side(const Vector3d& a, const Vector3d& b, const Vector3d& c, const Vector3d& d);

using Triangle = std::array<std::size_t, 3>;

// Triangles with indices into `points`, counter-clockwise seen from outside. Empty when all points
// lie in one plane.
std::vector<Triangle> convex_hull(const std::vector<Vector3d>& points);

}  // namespace perpend::scene
