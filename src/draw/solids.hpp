// Shapes as triangles with normals.
#pragma once

#include <vector>

#include "perpend/scene.hpp"

namespace perpend::draw {

// Triangles of one facet share a smooth surface; where two facets meet there is an edge to see.
struct Corner3 {
  std::array<Vector3d, 3> points;   // counter-clockwise seen from outside
  std::array<Vector3d, 3> normals;  // unit, at each point
  int facet = 0;
};

struct Solid {
  std::vector<Corner3> triangles;
  bool closed = true;  // seen from outside only
  Shape::Type type{};  // of the part
};

// The parts of a shape in its frame (a shape that is no compound is one part). Round surfaces are
// off by at most `chord` metres. A plane is a square of `plane_half` to each side of the point of
// it that is nearest to `plane_centre` (in the shape's frame).
std::vector<Solid> solids(const Shape&, double chord, const Vector3d& plane_centre,
                          double plane_half);

}  // namespace perpend::draw
