// Convex polyhedra: vertices, faces, edges.
#pragma once

#include <Eigen/Geometry>
#include <array>
#include <cmath>
#include <vector>

#include "perpend/frame.hpp"

namespace perpend::sim {

struct Polyhedron {
  struct Face {
    int begin, count;  // vertices loop[begin, begin + count), counter-clockwise from outside
  };
  struct Edge {
    int from, to;     // vertices
    int left, right;  // faces: left has the edge in this direction, right in the other
  };
  std::vector<Vector3d> vertices;
  std::vector<Vector3d> normals;  // of the faces, unit, outwards
  std::vector<Face> faces;
  std::vector<int> loop;
  std::vector<Edge> edges;
};

// The cube of edge 2 about the origin; vertex k has the sign of bit i of k along axis i, face 2i
// looks along +i, face 2i + 1 along -i.
const Polyhedron& cube();

// The hull of points; coplanar triangles are one face. A flat or thinner set has two faces (seen
// from either side) or none.
Polyhedron hull(const std::vector<Vector3d>& points);

// A rigid displacement.
struct Placement {
  Matrix3d rotation = Matrix3d::Identity();
  Vector3d position = Vector3d::Zero();

  Vector3d operator()(const Vector3d& x) const { return rotation * x + position; }
  Placement operator*(const Placement& o) const {
    return {rotation * o.rotation, (*this)(o.position)};
  }
};

// A polyhedron in the world. Boxes need no heap.
class PlacedPolyhedron {
 public:
  PlacedPolyhedron() = default;
  PlacedPolyhedron(const PlacedPolyhedron&) = delete;
  PlacedPolyhedron& operator=(const PlacedPolyhedron&) = delete;

  void place(const Polyhedron&, const Placement&);
  void place_box(const Vector3d& half, const Placement&);
  void place_shifted(const PlacedPolyhedron&, const Vector3d& by);
  // One triangle, counter-clockwise seen from outside: faces 0 and (from behind) 1.
  void place_triangle(const std::array<Vector3d, 3>&);

  const Polyhedron& shape() const { return *shape_; }
  int vertex_count() const { return vertex_count_; }
  int face_count() const { return static_cast<int>(shape_->faces.size()); }
  bool flat() const { return face_count() == 2; }
  const Vector3d& vertex(int i) const { return vertices_[i]; }
  const Vector3d& normal(int i) const { return normals_[i]; }
  const Polyhedron::Face& face(int i) const { return shape_->faces[static_cast<std::size_t>(i)]; }
  int corner(const Polyhedron::Face& f, int i) const {
    return shape_->loop[static_cast<std::size_t>(f.begin + i)];
  }
  const std::vector<Polyhedron::Edge>& edges() const { return shape_->edges; }

  // Largest and smallest n . x over the vertices.
  double highest(const Vector3d& n) const;
  double lowest(const Vector3d& n) const;
  // Of a box only: its middle, from there to the middles of its three positive faces, and how far
  // that is.
  bool is_box() const { return box_; }
  const Vector3d& centre() const { return centre_; }
  const Vector3d& half_axis(int i) const { return half_axes_[static_cast<std::size_t>(i)]; }
  const Vector3d& half() const { return half_; }
  // n . x of its eight vertices.
  void heights(const Vector3d& n, double* of_vertex) const {
    const double at = n.dot(centre_), x = n.dot(half_axes_[0]), y = n.dot(half_axes_[1]),
                 z = n.dot(half_axes_[2]);
    for (unsigned k = 0; k < 8; ++k)
      of_vertex[k] = ((at + (k & 1 ? x : -x)) + (k & 2 ? y : -y)) + (k & 4 ? z : -z);
  }

 private:
  const Polyhedron* shape_ = nullptr;
  int vertex_count_ = 0;
  const Vector3d* vertices_ = nullptr;
  const Vector3d* normals_ = nullptr;
  bool box_ = false;
  Vector3d centre_, half_;
  std::array<Vector3d, 3> half_axes_;
  double spread(const Vector3d& n) const {
    return std::abs(n.dot(half_axes_[0])) + std::abs(n.dot(half_axes_[1])) +
           std::abs(n.dot(half_axes_[2]));
  }
  std::array<Vector3d, 8> few_vertices_;
  std::array<Vector3d, 6> few_normals_;
  std::vector<Vector3d> many_;
};

}  // namespace perpend::sim
