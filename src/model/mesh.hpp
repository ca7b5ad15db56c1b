// Meshes: OBJ and STL as triangles, and what hulls are made of.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "perpend/model.hpp"

namespace perpend::model {

struct Mesh {
  std::vector<Vector3d> points;
  std::vector<std::array<Index, 3>> triangles;
};

// Text of a file; `where` is its name in complaints, which throw io::InputError.
Mesh read_obj(const std::string& text, const std::string& where);
Mesh read_stl(const std::string& bytes, const std::string& where);  // text or binary

// Equal points as one; triangles with two equal corners are dropped.
Mesh joined(const Mesh&);
// Edges that do not belong to two triangles that turn the same way. 0: the surface is closed.
Index open_edges(const Mesh& joined);

// The corners of the convex hull; at most `most` of them, and then `off` is how far those left out
// are from one that is kept, at most, in m. Empty if all points lie in one plane.
std::vector<Vector3d> hull_corners(const std::vector<Vector3d>& points, Index most, double& off);

// Convex pieces by HACD (Mamou and Ghorbel 2009). Empty: it failed, or it is not in this program.
std::vector<std::vector<Vector3d>> convex_pieces(const Mesh& joined);

// 200 points on a spiral from pole to pole.
std::vector<Vector3d> ellipsoid(const Vector3d& half);

}  // namespace perpend::model
