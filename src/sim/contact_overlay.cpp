#include "sim/contact_overlay.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace perpend::sim {
namespace {

constexpr double kSteep = 0.1;    // sine: edges whose crossing has a normal worth having
constexpr double kAway = 1e-9;    // cosine: a face that looks away from another
constexpr double kLevel = 1e-12;  // m: an edge whose ends are as far from a line crosses it nowhere

// Heights of q's vertices over the face, and how far they lie outside of its edges. Those of boxes,
// and of whatever else there is room for, are computed once.
class Distances {
 public:
  Distances(const Outline& face, const PlacedPolyhedron& q)
      : face_(face), q_(q), edges_(face.count), known_(q.is_box() && face.count <= kEdges) {
    if (!known_) return;
    q.heights(face.normal, height_.data());
    for (double& h : height_) h -= face.level;
    for (std::size_t k = 0; k < static_cast<std::size_t>(edges_); ++k) {
      q.heights(face.out[k], outside_[k].data());
      for (double& d : outside_[k]) d -= face.offset[k];
    }
  }

  double height(int v) const {
    return known_ ? height_[static_cast<std::size_t>(v)]
                  : face_.normal.dot(q_.vertex(v)) - face_.level;
  }
  double outside(int v, std::size_t k) const {
    return known_ ? outside_[k][static_cast<std::size_t>(v)]
                  : face_.out[k].dot(q_.vertex(v)) - face_.offset[k];
  }
  // Of all edges.
  double outside(int v) const {
    if (!known_) return face_.outside(q_.vertex(v));
    double most = outside(v, 0);
    for (std::size_t k = 1; k < static_cast<std::size_t>(edges_); ++k)
      most = std::max(most, outside(v, k));
    return most;
  }
  // Seen along the normal they only touch, or not even that.
  bool beside() const {
    for (std::size_t k = 0; k < static_cast<std::size_t>(edges_); ++k) {
      const double least = known_ ? *std::min_element(outside_[k].begin(), outside_[k].end())
                                  : q_.lowest(face_.out[k]) - face_.offset[k];
      if (least >= -kClip) return true;
    }
    return false;
  }

 private:
  static constexpr int kEdges = 8;
  const Outline& face_;
  const PlacedPolyhedron& q_;
  int edges_;
  bool known_;
  std::array<double, 8> height_;
  std::array<std::array<double, 8>, kEdges> outside_;
};

// The normal of two edges that cross, where it lies between those of the faces at either edge (a
// face of the Minkowski difference); the face's otherwise.
Vector3d crossing_normal(const Outline& face, std::size_t k, const PlacedPolyhedron& q,
                         const Polyhedron::Edge& e, const Vector3d& line) {
  const Vector3d edge = face.to(k) - face.from[k];
  Vector3d m = edge.cross(line);
  const double length = m.norm();
  if (length < kSteep * edge.norm() * line.norm()) return face.normal;
  m *= (m.dot(face.normal) < 0 ? -1 : 1) / length;
  // -m is a positive sum of q's two normals when it turns the same way from both.
  const Vector3d &left = q.normal(e.left), &right = q.normal(e.right);
  const bool between = left.cross(m).dot(line) * right.cross(m).dot(line) <= 0;
  return m.dot(face.normal) > kSameWay && m.dot(face.out[k]) >= 0 && between ? m : face.normal;
}

}  // namespace

bool Overlay::has(const OverlayPoint& p) const {
  for (int i = 0; i < count; ++i)
    if ((*this)[i].kind == p.kind && (*this)[i].i == p.i && (*this)[i].j == p.j) return true;
  return false;
}

bool Overlay::spans(const Vector3d& x, int known) const {
  for (int i = 0; i < known; ++i)
    if (((*this)[i].on_q - x).squaredNorm() < kMerge * kMerge) return true;
  for (int i = 0; i < known; ++i)
    for (int k = 0; k < i; ++k) {
      const Vector3d& from = (*this)[k].on_q;
      const Vector3d line = (*this)[i].on_q - from, way = x - from;
      const double along = line.dot(way), length = line.squaredNorm();
      if (!(along > 0 && along < length)) continue;
      // Most are so far off the line that no rounding could hide it.
      const double ways = way.squaredNorm();
      if (ways * length - along * along > (2 * kMerge * kMerge + 1e-12 * ways) * length) continue;
      if ((from + (along / length) * line - x).squaredNorm() < kMerge * kMerge) return true;
    }
  return false;
}

void overlay(const PlacedPolyhedron& p, int f, const PlacedPolyhedron& q, const TriangleRim* of_p,
             const TriangleRim* of_q, double reach, Overlay& found) {
  const Outline face(p, f, of_p);
  const Vector3d& n = face.normal;
  const Distances distances(face, q);
  if (distances.beside()) return;  // they may pass each other

  constexpr int kKnown = 64;
  std::array<signed char, kKnown> over;  // 1 over the face, 0 beside it, -1 out of reach
  const auto side = [&](int v) {
    if (distances.height(v) > reach) return -1;
    return distances.outside(v) <= kClip ? 1 : 0;
  };
  for (int v = 0; v < q.vertex_count(); ++v) {
    const int s = side(v);
    if (v < kKnown) over[static_cast<std::size_t>(v)] = static_cast<signed char>(s);
    if (s == 1 && (!of_q || of_q->corner[static_cast<std::size_t>(v)]))
      found.add({q.vertex(v), distances.height(v), kVertexOfSecond, v, f, n});
  }
  const int from_q = found.count;
  const Entrance entrance(q, n);
  for (int i = 0; i < face.count; ++i) {
    if (!face.has_corner(static_cast<std::size_t>(i))) continue;
    const int corner = face.corner[static_cast<std::size_t>(i)];
    const Vector3d& x = p.vertex(corner);
    double gap = 0;
    int entry = 0;
    if (!entrance.of(x, gap, entry) || gap > reach) continue;
    const Vector3d hit = x + gap * n;
    if (found.spans(hit, from_q)) continue;
    const Vector3d m = -q.normal(entry);
    found.add({hit, gap, kVertexOfFirst, corner, f, m.dot(n) > kSameWay ? m : n});
  }
  for (int j = 0; j < static_cast<int>(q.edges().size()); ++j) {
    if (of_q && !of_q->edge[static_cast<std::size_t>(j)]) continue;
    const Polyhedron::Edge& e = q.edges()[static_cast<std::size_t>(j)];
    const int from = e.from < kKnown ? over[static_cast<std::size_t>(e.from)] : side(e.from);
    const int to = e.to < kKnown ? over[static_cast<std::size_t>(e.to)] : side(e.to);
    if ((from < 0 && to < 0) || (from == 1 && to == 1)) continue;
    // An edge that cannot be seen from the face is hidden by one that can.
    if (entrance.slope(e.left) > kAway && entrance.slope(e.right) > kAway) continue;
    for (std::size_t k = 0; k < static_cast<std::size_t>(face.count); ++k) {
      if (!face.has_edge(k)) continue;
      const double start = distances.outside(e.from, k), end = distances.outside(e.to, k);
      if ((start > 0) == (end > 0) || std::abs(end - start) < kLevel) continue;
      const Vector3d& y = q.vertex(e.from);
      const Vector3d line = q.vertex(e.to) - y;
      const Vector3d x = y + (start / (start - end)) * line;
      const double gap = n.dot(x) - face.level;
      if (gap > reach || face.outside(x) > kClip) continue;
      if (!found.spans(x, found.count))
        found.add({x, gap, kCrossing, face.corner[k] * kEdgesAtMost + j, f,
                   crossing_normal(face, k, q, e, line)});
    }
  }
}

}  // namespace perpend::sim
