// The direction along which two convex polyhedra stay apart, or overlap least.
//
// The candidates are the normals of all faces and the cross products of two edges that meet on the
// Minkowski difference (the separating axis theorem); `Separation` in contact_pair.hpp says which
// of them is taken. Directions whose separations differ by less than kClip are equal, and the first
// of them is taken, faces before edges: rounding must not change a contact set at rest.
#pragma once

#include "sim/contact_pair.hpp"

namespace perpend::sim {

struct MovingPolyhedron {
  const PlacedPolyhedron &now, &next;
  const Placement &place_now, &place_next;

  MovingPolyhedron(const MovingSolid& s, bool moving)
      : now(*s.now.polyhedron),
        next(moving ? *s.next.polyhedron : now),
        place_now(s.now.place),
        place_next(moving ? s.next.place : place_now) {}
};

struct Axis : Separation {
  enum Type { none, face_of_a, face_of_b, edges } type = none;
  int i = 0, j = 0;                    // the face, or the edges of a and of b
  Vector3d normal = Vector3d::Zero();  // from a to b
};

// Do the arcs between the normals of the faces at two edges cross on the unit sphere? Only then do
// they make a face of the Minkowski difference, with normal n = sign e_a x e_b.
bool meet_on_difference(const PlacedPolyhedron& a, int i, const PlacedPolyhedron& b, int j,
                        Vector3d& n, double& sign);

// Calls item(i, j, n, sign) for each such pair of edges until it returns false; true: it never did.
template <class Item>
bool for_meeting_edges(const PlacedPolyhedron& a, const PlacedPolyhedron& b, const Item& item) {
  std::vector<double> slopes(static_cast<std::size_t>(b.face_count()));
  for (int i = 0; i < static_cast<int>(a.edges().size()); ++i) {
    const Polyhedron::Edge& e = a.edges()[static_cast<std::size_t>(i)];
    const Vector3d along = a.vertex(e.to) - a.vertex(e.from);
    for (int f = 0; f < b.face_count(); ++f)
      slopes[static_cast<std::size_t>(f)] = b.normal(f).dot(along);
    for (int j = 0; j < static_cast<int>(b.edges().size()); ++j) {
      const Polyhedron::Edge& g = b.edges()[static_cast<std::size_t>(j)];
      // Most fail here.
      if (slopes[static_cast<std::size_t>(g.left)] * slopes[static_cast<std::size_t>(g.right)] >= 0)
        continue;
      Vector3d n;
      double sign = 1;
      if (meet_on_difference(a, i, b, j, n, sign) && !item(i, j, n, sign)) return false;
    }
  }
  return true;
}

// The edge along axis i of a box that is farthest along n.
int box_edge(const PlacedPolyhedron& box, int i, const Vector3d& n);

class AxisSearch {
 public:
  // With a rim `a` is a triangle of a mesh.
  AxisSearch(const MovingPolyhedron& a, const MovingPolyhedron& b, const TriangleRim* rim,
             bool moving)
      : a_(a), b_(b), rim_(rim), moving_(moving) {}

  // False when the two cannot meet, or when the neighbours of a triangle are nearer.
  bool run(double reach);
  bool left_to_neighbours() const { return left_; }
  double forbidden() const { return forbidden_; }
  const Axis& best() const { return best_; }

 private:
  bool boxes(double reach);
  bool faces(const MovingPolyhedron& p, const MovingPolyhedron& q, Axis::Type type, double reach);
  bool edges(double reach);
  bool flat_edges(double reach);
  void offer_edges(int i, int j, const Vector3d& n, double sign, double now);
  bool forbids(const Vector3d& d, double now);

  // A direction that does not separate cannot replace one that does.
  bool worse(double now) const { return now < -kClip && (best_.now >= -kClip || now <= best_.now); }
  void offer(const Axis& axis) {
    if (best_.type == Axis::none || axis.better_than(best_)) best_ = axis;
  }

  const MovingPolyhedron &a_, &b_;
  const TriangleRim* rim_;
  bool moving_;
  Axis best_;
  double forbidden_ = -1e300;
  bool left_ = false;
};

}  // namespace perpend::sim
