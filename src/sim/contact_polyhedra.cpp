// Contacts of two convex polyhedra.
//
// Two convex bodies stay apart if they stay apart along one direction. The candidates are the
// normals of all faces and the cross products of two edges that meet on the Minkowski difference
// (the separating axis theorem); `Sweep` in contacts.hpp says which of them is taken. Directions
// whose separations differ by less than kClip are equal, and the first of them is taken, faces
// before edges: rounding must not change a contact set at rest.
//
// A face of P as direction: everything of Q that lies over the face and within reach, seen along
// the normal. That is the overlay of the face's polygon with the underside of Q: vertices of Q over
// the face, vertices of the face under Q, crossings of the face's edges with edges of Q. Gaps are
// distances along the normal. Q must not slide over the face or off it unnoticed, so the overlay
// after the sweep is made too, and what is only in it is added with its present gap.
//
// Two edges as direction: their crossing; the overlay over the face that is nearly orthogonal to
// the same direction; other edges that cross, and vertices over faces (either way round) which are
// still over them, or above them, after the sweep.
#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "sim/contact_alternatives.hpp"
#include "sim/contact_pair.hpp"

namespace perpend::sim {
namespace {

constexpr double kParallel = 1e-6;  // sine of the angle below which two edges have no normal
constexpr double kNear = 0.7;       // cosine: normals of features that touch along one direction
constexpr double kSteep = 0.1;      // sine: edges whose crossing has a normal worth having
constexpr double kInfinity = std::numeric_limits<double>::infinity();

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
  int i = 0, j = 0;
  Vector3d normal = Vector3d::Zero();  // from a to b
};

// Do the arcs between the normals of the faces at two edges cross on the unit sphere? Only then do
// they make a face of the Minkowski difference, with normal n = sign e_a x e_b.
bool meet_on_difference(const PlacedPolyhedron& a, int i, const PlacedPolyhedron& b, int j,
                        Vector3d& n, double& sign) {
  const Polyhedron::Edge& e = a.edges()[static_cast<std::size_t>(i)];
  const Polyhedron::Edge& g = b.edges()[static_cast<std::size_t>(j)];
  const Vector3d da = a.vertex(e.to) - a.vertex(e.from);
  const double c = -b.normal(g.left).dot(da), d = -b.normal(g.right).dot(da);
  if (c * d >= 0) return false;
  const Vector3d db = b.vertex(g.to) - b.vertex(g.from);
  const Vector3d &a1 = a.normal(e.left), &a2 = a.normal(e.right);
  const double x = a1.dot(db), y = a2.dot(db);
  if (x * y >= 0 || c * y <= 0) return false;
  n = da.cross(db);
  const double length = n.norm();
  if (length < kParallel * da.norm() * db.norm()) return false;
  sign = n.dot(a1 + a2) < 0 ? -1 : 1;
  n *= sign / length;
  return true;
}

// The edge between two vertices of a cube.
int cube_edge(int one, int other) {
  static const std::array<std::array<signed char, 8>, 8> kEdges = [] {
    std::array<std::array<signed char, 8>, 8> table{};
    const auto& edges = cube().edges;
    for (std::size_t e = 0; e < edges.size(); ++e) {
      const auto from = static_cast<std::size_t>(edges[e].from);
      const auto to = static_cast<std::size_t>(edges[e].to);
      table[from][to] = table[to][from] = static_cast<signed char>(e);
    }
    return table;
  }();
  return kEdges[static_cast<std::size_t>(one)][static_cast<std::size_t>(other)];
}

// The edge along axis i of a box that is farthest along n.
int box_edge(const PlacedPolyhedron& box, int i, const Vector3d& n) {
  int corner = 0;
  for (int k = 0; k < 3; ++k)
    if (k != i && n.dot(box.half_axis(k)) > 0) corner |= 1 << k;
  return cube_edge(corner, corner | 1 << i);
}

class AxisSearch {
 public:
  AxisSearch(const MovingPolyhedron& a, const MovingPolyhedron& b, const TriangleRim* rim,
             bool moving)
      : a_(a), b_(b), rim_(rim), moving_(moving) {}

  // False when the two cannot meet, or when the neighbours of a triangle are nearer.
  bool run(double reach) {
    if (!faces(a_, b_, Axis::face_of_a, reach)) return false;
    if (!faces(b_, a_, Axis::face_of_b, reach)) return false;
    if (!(a_.now.flat() || b_.now.flat() ? flat_edges(reach) : edges(reach))) return false;
    left_ = rim_ && best_.rank() == 0 && best_.now < forbidden_ - kClip;
    return !left_;
  }
  bool left_to_neighbours() const { return left_; }
  double forbidden() const { return forbidden_; }
  const Axis& best() const { return best_; }

 private:
  bool faces(const MovingPolyhedron& p, const MovingPolyhedron& q, Axis::Type type, double reach) {
    const bool of_triangle = rim_ && type == Axis::face_of_a;
    for (int f = 0; f < p.now.face_count(); ++f) {
      if (of_triangle && f == 1) break;
      const Vector3d& n = p.now.normal(f);
      const int corner = p.now.corner(p.now.face(f), 0);
      const double now = q.now.lowest(n) - n.dot(p.now.vertex(corner));
      if (now > reach) return false;
      if (worse(now)) continue;
      if (rim_ && !of_triangle && forbids(-n, now)) continue;
      double next = now;
      if (moving_) {
        const Vector3d& m = p.next.normal(f);
        next = q.next.lowest(m) - m.dot(p.next.vertex(corner));
      }
      offer({{now, next}, type, f, 0, type == Axis::face_of_a ? n : Vector3d(-n)});
    }
    return true;
  }

  bool edges(double reach) {
    if (a_.now.is_box() && b_.now.is_box()) return box_edges(reach);
    for (int i = 0; i < static_cast<int>(a_.now.edges().size()); ++i)
      for (int j = 0; j < static_cast<int>(b_.now.edges().size()); ++j) {
        Vector3d n;
        double sign = 1;
        if (!meet_on_difference(a_.now, i, b_.now, j, n, sign)) continue;
        const double now = n.dot(b_.now.vertex(b_.now.edges()[static_cast<std::size_t>(j)].from) -
                                 a_.now.vertex(a_.now.edges()[static_cast<std::size_t>(i)].from));
        if (now > reach) return false;
        if (!worse(now)) offer_edges(i, j, n, sign, now);
      }
    return true;
  }

  // Boxes have three directions of edges; which of the four parallel ones it is, the signs of the
  // normal tell.
  bool box_edges(double reach) {
    const PlacedPolyhedron &a = a_.now, &b = b_.now;
    const Vector3d apart = b.centre() - a.centre();
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        const Vector3d &u = a.normal(2 * i), &w = b.normal(2 * j);
        Vector3d n = u.cross(w);
        const double length = n.norm();
        if (length < kParallel) continue;
        n *= (n.dot(apart) < 0 ? -1 : 1) / length;
        const double now = b.lowest(n) - a.highest(n);
        if (now > reach) return false;
        if (worse(now)) continue;
        const int e = box_edge(a, i, n), g = box_edge(b, j, -n);
        const Polyhedron::Edge& ea = a.edges()[static_cast<std::size_t>(e)];
        const Polyhedron::Edge& eb = b.edges()[static_cast<std::size_t>(g)];
        const Vector3d cross =
            (a.vertex(ea.to) - a.vertex(ea.from)).cross(b.vertex(eb.to) - b.vertex(eb.from));
        offer_edges(e, g, n, cross.dot(n) < 0 ? -1 : 1, now);
      }
    return true;
  }

  // The normals at an edge of a flat polyhedron are opposite: their arc is any half circle.
  bool flat_edges(double reach) {
    const auto& ea = a_.now.edges();
    const auto& eb = b_.now.edges();
    Vector3d middle = Vector3d::Zero();
    for (int v = 0; v < a_.now.vertex_count(); ++v) middle += a_.now.vertex(v);
    middle /= a_.now.vertex_count();
    for (int i = 0; i < static_cast<int>(ea.size()); ++i) {
      const Polyhedron::Edge& e = ea[static_cast<std::size_t>(i)];
      const Vector3d& pa = a_.now.vertex(e.from);
      const Vector3d da = a_.now.vertex(e.to) - pa;
      for (int j = 0; j < static_cast<int>(eb.size()); ++j) {
        const Polyhedron::Edge& g = eb[static_cast<std::size_t>(j)];
        const double c = b_.now.normal(g.left).dot(da), d = b_.now.normal(g.right).dot(da);
        if (c * d >= 0) continue;
        const Vector3d db = b_.now.vertex(g.to) - b_.now.vertex(g.from);
        Vector3d n = da.cross(db);
        const double length = n.norm();
        if (length < kParallel * da.norm() * db.norm()) continue;
        const double sign = n.dot(middle - pa) > 0 ? -1 : 1;
        n *= sign / length;
        const double now = b_.now.lowest(n) - a_.now.highest(n);
        if (now > reach) return false;
        if (!worse(now) && !(rim_ && forbids(n, now))) offer_edges(i, j, n, sign, now);
      }
    }
    return true;
  }

  void offer_edges(int i, int j, const Vector3d& n, double sign, double now) {
    double next = now;
    if (moving_) {
      const Polyhedron::Edge& e = a_.now.edges()[static_cast<std::size_t>(i)];
      const Polyhedron::Edge& g = b_.now.edges()[static_cast<std::size_t>(j)];
      Vector3d m = (a_.next.vertex(e.to) - a_.next.vertex(e.from))
                       .cross(b_.next.vertex(g.to) - b_.next.vertex(g.from));
      const double length = m.norm();
      if (length == 0) return;
      m *= sign / length;
      next = b_.next.lowest(m) - a_.next.highest(m);
    }
    offer({{now, next}, Axis::edges, i, j, n});
  }

  bool forbids(const Vector3d& d, double now) {
    if (d.dot(a_.now.normal(0)) > -kParallel && rim_->allows(d)) return false;
    forbidden_ = std::max(forbidden_, now);
    return true;
  }

  // A direction that does not separate cannot replace one that does.
  bool worse(double now) const { return now < -kClip && (best_.now >= -kClip || now <= best_.now); }
  void offer(const Axis& axis) {
    if (best_.type == Axis::none || axis.better_than(best_)) best_ = axis;
  }

  const MovingPolyhedron &a_, &b_;
  const TriangleRim* rim_;
  bool moving_;
  Axis best_;
  double forbidden_ = -kInfinity;
  bool left_ = false;
};

struct OverlayPoint {
  Vector3d on_q;
  double gap;  // along the face's normal
  Kind kind;
  int i, j;
  Vector3d normal;  // of the features that meet: the face's, or that of a face or edges near it
};

// Points are few; the capacity holds the overlay of two faces of 64 corners.
struct Overlay {
  static constexpr int kMost = 160;
  int count = 0;
  std::array<OverlayPoint, kMost> points;

  void add(const OverlayPoint& p) {
    if (count < kMost) points[static_cast<std::size_t>(count++)] = p;
  }
  const OverlayPoint& operator[](int i) const { return points[static_cast<std::size_t>(i)]; }
  bool has(const OverlayPoint& p) const {
    for (int i = 0; i < count; ++i)
      if ((*this)[i].kind == p.kind && (*this)[i].i == p.i && (*this)[i].j == p.j) return true;
    return false;
  }
  // Is the point one of the first `known` points, or on the line between two of them?
  bool spans(const Vector3d& x, int known) const {
    for (int i = 0; i < known; ++i)
      if (((*this)[i].on_q - x).squaredNorm() < kMerge * kMerge) return true;
    for (int i = 0; i < known; ++i)
      for (int k = 0; k < i; ++k) {
        const Vector3d& from = (*this)[k].on_q;
        const Vector3d line = (*this)[i].on_q - from;
        const double t = line.dot(x - from) / line.squaredNorm();
        if (t > 0 && t < 1 && (from + t * line - x).squaredNorm() < kMerge * kMerge) return true;
      }
    return false;
  }
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
  return m.dot(face.normal) > kNear && m.dot(face.out[k]) >= 0 && between ? m : face.normal;
}

// See the top of the file. `n` is the normal of face f of p.
void overlay(const PlacedPolyhedron& p, int f, const PlacedPolyhedron& q, const TriangleRim* of_p,
             const TriangleRim* of_q, double reach, Overlay& found) {
  const Outline face(p, f, of_p);
  const Vector3d& n = face.normal;
  const double level = face.level;
  // Seen along n they only touch, or not even that: they may pass each other.
  for (std::size_t k = 0; k < static_cast<std::size_t>(face.count); ++k)
    if (q.lowest(face.out[k]) - face.offset[k] >= -kClip) return;

  constexpr int kKnown = 64;
  std::array<signed char, kKnown> over;  // 1 over the face, 0 beside it, -1 out of reach
  const auto side = [&](int v) {
    const double gap = n.dot(q.vertex(v)) - level;
    if (gap > reach) return -1;
    return face.outside(q.vertex(v)) <= kClip ? 1 : 0;
  };
  for (int v = 0; v < q.vertex_count(); ++v) {
    const int s = side(v);
    if (v < kKnown) over[static_cast<std::size_t>(v)] = static_cast<signed char>(s);
    if (s == 1 && (!of_q || of_q->corner[static_cast<std::size_t>(v)]))
      found.add({q.vertex(v), n.dot(q.vertex(v)) - level, kVertexOfSecond, v, f, n});
  }
  const int from_q = found.count;
  for (int i = 0; i < face.count; ++i) {
    if (!face.has_corner(static_cast<std::size_t>(i))) continue;
    const int corner = face.corner[static_cast<std::size_t>(i)];
    const Vector3d& x = p.vertex(corner);
    double gap = 0;
    int entry = 0;
    if (!enters(q, x, n, gap, entry) || gap > reach) continue;
    const Vector3d hit = x + gap * n;
    if (found.spans(hit, from_q)) continue;
    const Vector3d m = -q.normal(entry);
    found.add({hit, gap, kVertexOfFirst, corner, f, m.dot(n) > kNear ? m : n});
  }
  for (int j = 0; j < static_cast<int>(q.edges().size()); ++j) {
    if (of_q && !of_q->edge[static_cast<std::size_t>(j)]) continue;
    const Polyhedron::Edge& e = q.edges()[static_cast<std::size_t>(j)];
    const int from = e.from < kKnown ? over[static_cast<std::size_t>(e.from)] : side(e.from);
    const int to = e.to < kKnown ? over[static_cast<std::size_t>(e.to)] : side(e.to);
    if ((from < 0 && to < 0) || (from == 1 && to == 1)) continue;
    // An edge that cannot be seen from the face is hidden by one that can.
    if (q.normal(e.left).dot(n) > 1e-9 && q.normal(e.right).dot(n) > 1e-9) continue;
    const Vector3d& y = q.vertex(e.from);
    const Vector3d line = q.vertex(e.to) - y;
    for (std::size_t k = 0; k < static_cast<std::size_t>(face.count); ++k) {
      if (!face.has_edge(k)) continue;
      const double slope = face.out[k].dot(line), start = face.out[k].dot(y) - face.offset[k];
      const double end = start + slope;
      if ((start > 0) == (end > 0) || std::abs(slope) < 1e-12) continue;
      const Vector3d x = y - (start / slope) * line;
      const double gap = n.dot(x) - level;
      if (gap > reach || face.outside(x) > kClip) continue;
      if (!found.spans(x, found.count))
        found.add({x, gap, kCrossing, face.corner[k] * kEdgesAtMost + j, f,
                   crossing_normal(face, k, q, e, line)});
    }
  }
}

// Both points stay where the one of p is, on the normal through it.
void add(const OverlayPoint& c, const Vector3d& n, const Sink& sink) {
  const Vector3d on_p = c.on_q - c.gap * n;
  const double gap = c.gap * n.dot(c.normal);
  sink.add(on_p, on_p + gap * c.normal, c.normal, gap, c.kind, static_cast<std::uint64_t>(c.i),
           static_cast<std::uint64_t>(c.j));
}

// What the contact that was added last may do instead. p is a when `of_a`.
void relax(const OverlayPoint& c, bool of_a, const Alternatives& alternatives) {
  switch (c.kind) {
    case kVertexOfSecond:
      return alternatives.of_vertex(of_a, c.i);
    case kVertexOfFirst:
      return alternatives.of_vertex(!of_a, c.i);
    case kCrossing:
      return alternatives.of_edges(of_a, c.j, c.i / kEdgesAtMost, c.i % kEdgesAtMost);
    default:
      return;
  }
}

void face_contacts(const MovingPolyhedron& p, int f, const MovingPolyhedron& q,
                   const TriangleRim* of_p, const TriangleRim* of_q, const Sink& sink, bool of_a,
                   const Alternatives* alternatives) {
  Overlay now;
  overlay(p.now, f, q.now, of_p, of_q, sink.reach, now);
  const Vector3d& n = p.now.normal(f);
  for (int i = 0; i < now.count; ++i) {
    add(now[i], n, sink);
    if (alternatives) relax(now[i], of_a, *alternatives);
  }
  if (!sink.moving) return;
  Overlay next;
  overlay(p.next, f, q.next, of_p, of_q, sink.reach, next);
  const double level = n.dot(p.now.vertex(p.now.corner(p.now.face(f), 0)));
  for (int i = 0; i < next.count; ++i) {
    const OverlayPoint& c = next[i];
    if (now.has(c)) continue;
    const Vector3d x =
        q.place_now(q.place_next.rotation.transpose() * (c.on_q - q.place_next.position));
    const double gap = n.dot(x) - level;
    if (gap > sink.reach || now.spans(x, now.count)) continue;
    sink.add(x - gap * n, x, n, gap, c.kind, static_cast<std::uint64_t>(c.i),
             static_cast<std::uint64_t>(c.j));
    if (alternatives) relax(c, of_a, *alternatives);
  }
}

// What else may touch near two edges that nearly do.
class NearEdges {
 public:
  NearEdges(const MovingPolyhedron& a, const MovingPolyhedron& b, const Axis& axis,
            const TriangleRim* rim, const Sink& sink, const Alternatives* alternatives)
      : a_(a),
        b_(b),
        axis_(axis),
        rim_(rim),
        sink_(sink),
        swapped_(sink.turned()),
        alternatives_(alternatives) {
    lowest_ = axis.now >= -kClip ? -kClip : 3 * axis.now - kDeep;
  }

  void run() {
    crossing(axis_.i, axis_.j, axis_.normal, true);
    // The face that looks most nearly along the edges' normal: almost flat on each other, they may
    // touch anywhere on it next.
    double most = kFlat;
    int face = -1;
    bool of_a = true;
    for (bool side : {true, false}) {
      const PlacedPolyhedron& p = side ? a_.now : b_.now;
      for (int f = 0; f < p.face_count(); ++f) {
        const double cosine = (side ? 1 : -1) * p.normal(f).dot(axis_.normal);
        if (cosine > most + 1e-9) {
          most = cosine;
          face = f;
          of_a = side;
        }
      }
    }
    if (face >= 0) {
      Overlay over;
      const MovingPolyhedron &p = of_a ? a_ : b_, &q = of_a ? b_ : a_;
      overlay(p.now, face, q.now, of_a ? rim_ : nullptr, of_a ? nullptr : rim_, sink_.reach, over);
      for (int i = 0; i < over.count; ++i)
        if (over[i].gap > lowest_ && is_new(over[i].on_q, of_a)) {
          add(over[i], p.now.normal(face), of_a ? sink_ : swapped_);
          if (alternatives_) relax(over[i], of_a, *alternatives_);
        }
    }
    vertices(a_, b_, true);
    vertices(b_, a_, false);
    if (!rim_) edges();
  }

 private:
  static constexpr double kFlat = 0.9;   // cosine
  static constexpr double kDeep = 1e-3;  // m

  bool is_new(const Vector3d& x, bool second) const {
    for (std::size_t k = begin_; k < sink_.out.size(); ++k) {
      const ContactPoint& c = sink_.out[k];
      const Vector3d& there = second != sink_.swapped ? c.second : c.first;
      if ((there - x).squaredNorm() < kMerge * kMerge) return false;
    }
    return true;
  }

  // Vertices of q over faces of p that look towards q, unless they leave sideways.
  void vertices(const MovingPolyhedron& p, const MovingPolyhedron& q, bool p_is_a) {
    const Sink& sink = p_is_a ? sink_ : swapped_;
    const Vector3d towards = (p_is_a ? 1 : -1) * axis_.normal;
    const TriangleRim *of_p = p_is_a ? rim_ : nullptr, *of_q = p_is_a ? nullptr : rim_;
    for (int f = 0; f < p.now.face_count(); ++f) {
      const Vector3d& n = p.now.normal(f);
      if (n.dot(towards) < kNear) continue;
      if ((of_p && f == 1) || (of_q && !of_q->allows(-n))) continue;
      const Outline face(p.now, f, of_p);
      for (int v = 0; v < q.now.vertex_count(); ++v) {
        const Vector3d& x = q.now.vertex(v);
        const double gap = n.dot(x) - face.level;
        if (gap > sink.reach || gap < lowest_ || face.outside(x) > kClip) continue;
        if (sink.moving) {
          const Vector3d& y = q.next.vertex(v);
          if (p.next.normal(f).dot(y - p.next.vertex(face.corner[0])) < 0 &&
              Outline(p.next, f, of_p).outside(y) > kClip)
            continue;
        }
        if (!is_new(x, p_is_a)) continue;
        sink.add(x - gap * n, x, n, gap, kVertexOfSecond, static_cast<std::uint64_t>(v),
                 static_cast<std::uint64_t>(f));
        if (alternatives_) alternatives_->of_vertex(p_is_a, v);
      }
    }
  }

  void edges() {
    if (a_.now.is_box() && b_.now.is_box()) return box_edges();
    for (int i = 0; i < static_cast<int>(a_.now.edges().size()); ++i)
      for (int j = 0; j < static_cast<int>(b_.now.edges().size()); ++j) {
        Vector3d n;
        double sign = 1;
        if ((i != axis_.i || j != axis_.j) && meet_on_difference(a_.now, i, b_.now, j, n, sign) &&
            n.dot(axis_.normal) > kNear)
          crossing(i, j, n, false);
      }
  }

  // Of the edges along one axis of either box, only those can meet that are farthest out along
  // their normal.
  void box_edges() {
    struct Edges {
      int i, j;
      Vector3d n;
    };
    std::array<Edges, 9> found;
    std::size_t count = 0;
    for (int k = 0; k < 3; ++k)
      for (int l = 0; l < 3; ++l) {
        Vector3d n = a_.now.normal(2 * k).cross(b_.now.normal(2 * l));
        const double along = n.dot(axis_.normal);
        constexpr double kNearly = 0.99 * kNear * kNear;
        if (along * along < kNearly * n.squaredNorm()) continue;
        if (along < 0) n = -n;
        const int i = box_edge(a_.now, k, n), j = box_edge(b_.now, l, -n);
        double sign = 1;
        if ((i != axis_.i || j != axis_.j) && meet_on_difference(a_.now, i, b_.now, j, n, sign) &&
            n.dot(axis_.normal) > kNear)
          found[count++] = {i, j, n};
      }
    const auto end = found.begin() + static_cast<std::ptrdiff_t>(count);
    std::sort(found.begin(), end, [](const Edges& x, const Edges& y) {
      return std::pair(x.i, x.j) < std::pair(y.i, y.j);
    });
    for (auto e = found.begin(); e != end; ++e) crossing(e->i, e->j, e->n, false);
  }

  void crossing(int i, int j, const Vector3d& n, bool main) {
    const Polyhedron::Edge& e = a_.now.edges()[static_cast<std::size_t>(i)];
    const Polyhedron::Edge& g = b_.now.edges()[static_cast<std::size_t>(j)];
    const Vector3d &x = a_.now.vertex(e.from), &y = b_.now.vertex(g.from);
    const Vector3d u = a_.now.vertex(e.to) - x, w = b_.now.vertex(g.to) - y, r = y - x;
    const double gap = main ? axis_.now : n.dot(r);
    if (!main && (gap > sink_.reach || gap < lowest_)) return;
    // x + s u + gap n = y + t w
    const double uu = u.dot(u), ww = w.dot(w), uw = u.dot(w), ur = u.dot(r), wr = w.dot(r);
    const double determinant = uu * ww - uw * uw;
    double s = (ww * ur - uw * wr) / determinant, t = (uw * ur - uu * wr) / determinant;
    if (!main && (s < 0 || s > 1 || t < 0 || t > 1)) return;
    s = std::clamp(s, 0.0, 1.0);
    t = std::clamp(t, 0.0, 1.0);
    if (!main && !is_new(y + t * w, true)) return;
    sink_.add(x + s * u, y + t * w, n, gap, kEdges, static_cast<std::uint64_t>(i),
              static_cast<std::uint64_t>(j));
    if (alternatives_) alternatives_->of_edges(i, j);
  }

  const MovingPolyhedron &a_, &b_;
  const Axis& axis_;
  const TriangleRim* rim_;
  const Sink &sink_, swapped_;
  const Alternatives* alternatives_;
  double lowest_;
  std::size_t begin_ = sink_.out.size();
};

}  // namespace

void contacts_of_polyhedra(const MovingSolid& first, const MovingSolid& second,
                           const TriangleRim* rim, const Sink& sink) {
  const MovingPolyhedron a(first, sink.moving), b(second, sink.moving);
  AxisSearch search(a, b, rim, sink.moving);
  if (!search.run(sink.reach)) {
    if (!sink.left || !search.left_to_neighbours()) return;
    const TriangleRim bare = rim->face_only();
    Vector3d middle = Vector3d::Zero();
    for (int v = 0; v < b.now.vertex_count(); ++v) middle += b.now.vertex(v);
    middle /= b.now.vertex_count();
    if (a.now.normal(0).dot(middle - a.now.vertex(0)) <= 0) return;  // on its back
    const std::size_t before = sink.left->size();
    face_contacts(a, 0, b, &bare, nullptr, sink.aside(), true, nullptr);
    drop_behind(*sink.left, before, search.forbidden());
    return;
  }
  const Axis& best = search.best();
  const Sink swapped = sink.turned();
  const Alternatives both(a.now, b.now, rim, sink);
  const Alternatives* alternatives = sink.alternatives ? &both : nullptr;
  const std::size_t begin = sink.out.size();
  switch (best.type) {
    case Axis::face_of_a:
      face_contacts(a, best.i, b, rim, nullptr, sink, true, alternatives);
      break;
    case Axis::face_of_b:
      face_contacts(b, best.i, a, nullptr, rim, swapped, false, alternatives);
      break;
    case Axis::edges:
      NearEdges(a, b, best, rim, sink, alternatives).run();
      break;
    case Axis::none:
      return;
  }
  if (alternatives) alternatives->of_other_vertices(begin);
}

}  // namespace perpend::sim
