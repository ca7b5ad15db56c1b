#include "sim/contact_alternatives.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace perpend::sim {
namespace {

// Faces that look away from each other by more than this are no alternatives: past a thin plate a
// fast vertex would tunnel.
constexpr double kOpposite = -0.5;  // cosine
// Those that look almost the same way are no alternatives to two edges that do, too.
constexpr double kAlike = 0.9;  // cosine
// A vertex counts as the first to touch a plane when its neighbours are not farther behind it than
// this; a body that turns may yet turn so far.
constexpr double kLean = 0.02, kLeanMost = 0.3;  // sine

Vector3d nearest_on_segment(const Vector3d& x, const Vector3d& from, const Vector3d& to) {
  const Vector3d line = to - from;
  const double length = line.squaredNorm();
  const double t = length > 0 ? std::clamp(line.dot(x - from) / length, 0.0, 1.0) : 0;
  return from + t * line;
}

Vector3d nearest_on_outline(const Vector3d& x, const Outline& face) {
  const Vector3d inside = x - (face.normal.dot(x) - face.level) * face.normal;
  if (face.outside(inside) <= 0) return inside;
  Vector3d best = face.from[0];
  for (std::size_t k = 0; k < static_cast<std::size_t>(face.count); ++k) {
    const Vector3d y = nearest_on_segment(x, face.from[k], face.to(k));
    if ((y - x).squaredNorm() < (best - x).squaredNorm()) best = y;
  }
  return best;
}

}  // namespace

void faces_nearest_to(const Vector3d& x, const PlacedPolyhedron& p, Few<int>& faces) {
  const auto above = [&](int f, const Vector3d& y) {
    return p.normal(f).dot(y - p.vertex(p.corner(p.face(f), 0)));
  };
  int highest = 0;
  double height = above(0, x);
  for (int f = 1; f < p.face_count(); ++f)
    if (const double here = above(f, x); here > height) {
      highest = f;
      height = here;
    }
  // Inside, or straight above a face: the foot on its plane. Else on one of the faces x is above.
  Vector3d nearest = x - height * p.normal(highest);
  bool foot = true;
  for (int f = 0; f < p.face_count() && foot && height > 0; ++f)
    foot = f == highest || above(f, nearest) <= 0;
  if (!foot) {
    double distance = 1e300;
    for (int f = 0; f < p.face_count(); ++f) {
      if (above(f, x) <= 0) continue;
      const Vector3d y = nearest_on_outline(x, Outline(p, f, nullptr));
      if ((y - x).squaredNorm() >= distance) continue;
      distance = (y - x).squaredNorm();
      nearest = y;
    }
  }
  faces.clear();
  for (int f = 0; f < p.face_count(); ++f)
    if (std::abs(above(f, nearest)) <= kClip) faces.push_back(f);
}

Alternatives::Plane Alternatives::plane(bool a, int f) const {
  const PlacedPolyhedron& p = polyhedron(a);
  const Vector3d& n = p.normal(f);
  return {n, n.dot(p.vertex(p.corner(p.face(f), 0))), static_cast<std::uint64_t>(f)};
}

void Alternatives::planes_near(bool a, const Vector3d& x, Few<Plane>& out) const {
  out.clear();
  if (const TriangleRim* rim = this->rim(a)) {
    // Neighbours beyond the edge or about the corner that is nearest, where the mesh is convex.
    out.push_back(plane(a, 0));
    const PlacedPolyhedron& p = polyhedron(a);
    const Vector3d y = nearest_on_outline(x, Outline(p, 0, nullptr));
    const auto& corner = rim->corners;
    const auto at = [&](std::size_t k) { return (y - corner[k]).norm() <= kClip; };
    for (std::size_t k = 0; k < 3; ++k) {
      if (!at(k)) continue;
      for (const TriangleRim::Neighbour& face : rim->faces[k])
        for (const Vector3d& other : rim->around[k])
          if (face.normal.dot(other - corner[k]) > kClip) return;
      std::uint64_t id = 16 * (k + 1);
      for (const TriangleRim::Neighbour& face : rim->faces[k])
        out.push_back({face.normal, face.normal.dot(corner[k]), id++});
      return;
    }
    for (std::size_t k = 0; k < 3; ++k) {
      const Vector3d on_edge = nearest_on_segment(y, corner[k], corner[(k + 1) % 3]);
      if (rim->edge[k] && (on_edge - y).norm() <= kClip)
        for (const TriangleRim::Neighbour& face : rim->faces[k])
          if (face.at_edge[k]) out.push_back({face.normal, face.normal.dot(corner[k]), k + 2});
    }
    return;
  }
  Few<int> faces;
  faces_nearest_to(x, polyhedron(a), faces);
  for (int f : faces) out.push_back(plane(a, f));
}

void Alternatives::planes_at_edge(bool a, int e, Few<Plane>& out) const {
  out.clear();
  const Polyhedron::Edge& edge = polyhedron(a).edges()[static_cast<std::size_t>(e)];
  if (const TriangleRim* rim = this->rim(a)) {
    const auto k = static_cast<std::size_t>(edge.left == 0 ? edge.from : edge.to);
    out.push_back(plane(a, 0));
    for (const TriangleRim::Neighbour& face : rim->faces[k])
      if (rim->edge[k] && face.at_edge[k])
        out.push_back({face.normal, face.normal.dot(rim->corners[k]), k + 2});
    return;
  }
  out.push_back(plane(a, edge.left));
  out.push_back(plane(a, edge.right));
}

// Is no point of the body near its vertex v farther against n than the vertex, or nearly so?
bool Alternatives::touches_first(bool a, int v, const Vector3d& n) const {
  const double lean = std::min(kLean + sink_.turn, kLeanMost);
  const PlacedPolyhedron& p = polyhedron(a);
  const Vector3d& x = p.vertex(v);
  const auto behind = [&](const Vector3d& y) { return n.dot(y - x) < -lean * (y - x).norm(); };
  for (const Polyhedron::Edge& e : p.edges())
    if ((e.from == v && behind(p.vertex(e.to))) || (e.to == v && behind(p.vertex(e.from))))
      return false;
  if (const TriangleRim* rim = this->rim(a))
    for (const Vector3d& y : rim->around[static_cast<std::size_t>(v)])
      if (behind(y)) return false;
  return true;
}

// Adds vertex v against a plane of the other polyhedron, unless it is no alternative to those that
// are there from `base` on.
void Alternatives::offer(std::size_t base, bool with_a, int v, const Plane& plane, Kind kind,
                         std::uint64_t mix) const {
  if (!touches_first(!with_a, v, plane.normal)) return;
  const Sink sink = with_a ? sink_ : sink_.turned();
  const Vector3d outwards = sink.swapped ? Vector3d(-plane.normal) : plane.normal;
  for (std::size_t i = base; i < sink_.out.size(); ++i) {
    const double cosine = sink_.out[i].normal.dot(outwards);
    if (cosine < kOpposite || cosine > 1 - kClip) return;
  }
  const Vector3d& x = polyhedron(!with_a).vertex(v);
  const double gap = plane.normal.dot(x) - plane.level;
  sink.add(x - gap * plane.normal, x, plane.normal, gap, kind, static_cast<std::uint64_t>(v),
           mix ^ plane.id);
}

void Alternatives::close(std::size_t base) const {
  if (sink_.out.size() <= base + 1) return;
  const std::uint64_t group = mixed(sink_.out[base].feature, 1) | 1;
  for (std::size_t i = base; i < sink_.out.size(); ++i) sink_.out[i].group = group;
}

void Alternatives::of_vertex(bool with_a, int v) const {
  const std::size_t base = sink_.out.size() - 1;
  Few<Plane> planes;
  planes_near(with_a, polyhedron(!with_a).vertex(v), planes);
  for (const Plane& plane : planes)
    offer(base, with_a, v, plane, rim(with_a) ? kOther : kVertexOfSecond, 0);
  close(base);
}

void Alternatives::of_edges(int edge_of_a, int edge_of_b) const {
  const std::size_t base = sink_.out.size() - 1;
  const ContactPoint contact = sink_.out[base];
  Few<Plane> planes;
  for (const bool with_a : {true, false}) {
    const int own = with_a ? edge_of_a : edge_of_b, other = with_a ? edge_of_b : edge_of_a;
    const PlacedPolyhedron& q = polyhedron(!with_a);
    const Polyhedron::Edge& edge = q.edges()[static_cast<std::size_t>(other)];
    planes_at_edge(with_a, own, planes);
    const bool outwards = with_a != sink_.swapped;  // does the contact's normal look away from it
    for (const int v : {edge.from, edge.to}) {
      const Vector3d& there = outwards ? contact.second : contact.first;
      if ((q.vertex(v) - there).norm() > sink_.reach) continue;
      // Behind a face the end of an edge is not where the two are apart.
      for (const Plane& plane : planes)
        if ((outwards ? 1 : -1) * plane.normal.dot(contact.normal) < kAlike &&
            plane.normal.dot(q.vertex(v)) - plane.level >= -kClip)
          offer(base, with_a, v, plane, kOther,
                static_cast<std::uint64_t>(edge_of_a * kEdgesAtMost + edge_of_b) << 5);
    }
  }
  close(base);
}

void Alternatives::of_edges(bool with_a, int f, int corner, int edge) const {
  const auto& edges = polyhedron(with_a).edges();
  for (int e = 0; e < static_cast<int>(edges.size()); ++e) {
    const Polyhedron::Edge& own = edges[static_cast<std::size_t>(e)];
    if ((own.left == f && own.from == corner) || (own.right == f && own.to == corner))
      return with_a ? of_edges(e, edge) : of_edges(edge, e);
  }
}

bool Alternatives::out_of_reach(bool a, const Vector3d& x) const {
  const PlacedPolyhedron& p = polyhedron(a);
  for (int f = 0; f < (rim(a) ? 1 : p.face_count()); ++f)
    if (p.normal(f).dot(x - p.vertex(p.corner(p.face(f), 0))) > sink_.reach) return true;
  return false;
}

// Has the point x of the other body, or one on it, a contact already?
bool Alternatives::touches_already(std::size_t begin, bool with_a, const Vector3d& x) const {
  const bool second = with_a != sink_.swapped;
  return std::any_of(sink_.out.begin() + static_cast<std::ptrdiff_t>(begin), sink_.out.end(),
                     [&](const ContactPoint& c) {
                       return ((second ? c.second : c.first) - x).squaredNorm() < kMerge * kMerge;
                     });
}

void Alternatives::of_other_vertices(std::size_t begin) const {
  Few<Plane> planes;
  for (const bool with_a : {true, false}) {
    const PlacedPolyhedron& q = polyhedron(!with_a);
    for (int v = 0; v < q.vertex_count(); ++v) {
      const Vector3d& x = q.vertex(v);
      if (out_of_reach(with_a, x) || touches_already(begin, with_a, x)) continue;
      planes_near(with_a, x, planes);
      if (planes.size() < 2) continue;
      const bool reached = std::all_of(planes.begin(), planes.end(), [&](const Plane& plane) {
        return plane.normal.dot(x) - plane.level <= sink_.reach &&
               touches_first(!with_a, v, plane.normal);
      });
      if (!reached) continue;
      const std::size_t base = sink_.out.size();
      for (const Plane& plane : planes)
        offer(base, with_a, v, plane, rim(with_a) ? kOther : kVertexOfSecond, 0);
      close(base);
    }
  }
}

}  // namespace perpend::sim
