// Alternatives to a contact of two convex polyhedra (Nguyen and Trinkle 2010, section 4;
// docs/nonconvex.md).
//
// A vertex that is beside an edge or a corner of a convex piece may pass on the outer side of any
// of the faces that meet there: of their gaps only the largest must stay >= 0 (Nguyen and Trinkle
// 2010, eq. 14). The paper draws this in the plane. In space one more thing decides: a face is an
// alternative for a vertex only where the vertex is the first point of its body to touch the face's
// plane. Without it, a cube that stands flush on another one could sink into it, each of its
// corners just outside of a side. Where two edges meet near the end of one of them, the
// alternatives are those of that end and the faces at the other edge.
#pragma once

#include "sim/contact_pair.hpp"

namespace perpend::sim {

// Which features meet: told apart in the number of a contact.
enum Kind : std::uint64_t { kVertexOfSecond = 1, kVertexOfFirst, kCrossing, kEdges, kOther };
inline constexpr int kEdgesAtMost = 4096;  // of a polyhedron, where two numbers share an int

// A short list without heap; what does not fit is left out.
template <class T>
class Few {
 public:
  void clear() { count_ = 0; }
  void push_back(const T& value) {
    if (count_ < items_.size()) items_[count_++] = value;
  }
  std::size_t size() const { return count_; }
  const T* begin() const { return items_.data(); }
  const T* end() const { return items_.data() + count_; }

 private:
  std::array<T, 32> items_;
  std::size_t count_ = 0;
};

// The faces that meet at the point of p nearest to x: of a convex polyhedron.
void faces_nearest_to(const Vector3d& x, const PlacedPolyhedron& p, Few<int>& faces);

class Alternatives {
 public:
  // With a rim `a` is a triangle of a mesh, and its neighbours are alternatives too.
  Alternatives(const PlacedPolyhedron& a, const PlacedPolyhedron& b, const TriangleRim* of_a,
               const Sink& sink)
      : a_(a), b_(b), of_a_(of_a), sink_(sink) {}

  // The contact that was added last is that of vertex v with the other polyhedron, which is a when
  // `with_a`. Adds its alternatives, and makes them a group.
  void of_vertex(bool with_a, int v) const;
  // It is that of two edges.
  void of_edges(int edge_of_a, int edge_of_b) const;
  // The same; one of them is that of face f which leaves `corner`, the other one of the other
  // polyhedron. The face's is a when `with_a`.
  void of_edges(bool with_a, int f, int corner, int edge) const;
  // Groups of the vertices within reach that have no contact among those from `begin` on: beside
  // an edge or corner, and first to touch every one of the faces there.
  void of_other_vertices(std::size_t begin) const;

 private:
  struct Plane {
    Vector3d normal;
    double level;
    std::uint64_t id;
  };
  const PlacedPolyhedron& polyhedron(bool a) const { return a ? a_ : b_; }
  const TriangleRim* rim(bool a) const { return a ? of_a_ : nullptr; }
  Plane plane(bool a, int f) const;
  void planes_near(bool a, const Vector3d& x, Few<Plane>&) const;
  void planes_at_edge(bool a, int e, Few<Plane>&) const;
  bool touches_first(bool a, int v, const Vector3d& n) const;
  void offer(std::size_t base, bool with_a, int v, const Plane&, Kind, std::uint64_t mix) const;
  bool out_of_reach(bool a, const Vector3d& x) const;
  bool touches_already(std::size_t begin, bool with_a, const Vector3d& x) const;
  void close(std::size_t base) const;

  const PlacedPolyhedron &a_, &b_;
  const TriangleRim* of_a_;
  const Sink& sink_;
};

}  // namespace perpend::sim
