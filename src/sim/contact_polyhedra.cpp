// Contacts of two convex polyhedra.
//
// `AxisSearch` finds the direction along which the two stay apart, or overlap least.
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
#include <optional>
#include <utility>

#include "sim/contact_alternatives.hpp"
#include "sim/contact_axis.hpp"
#include "sim/contact_overlay.hpp"

namespace perpend::sim {
namespace {

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
      if (n.dot(towards) < kSameWay) continue;
      if ((of_p && f == 1) || (of_q && !of_q->allows(-n))) continue;
      const int corner = p.now.corner(p.now.face(f), 0);
      const double level = n.dot(p.now.vertex(corner));
      std::optional<Outline> face;  // few vertices need it
      for (int v = 0; v < q.now.vertex_count(); ++v) {
        const Vector3d& x = q.now.vertex(v);
        const double gap = n.dot(x) - level;
        if (gap > sink.reach || gap < lowest_) continue;
        if (!face) face.emplace(p.now, f, of_p);
        if (face->outside(x) > kClip) continue;
        if (sink.moving) {
          const Vector3d& y = q.next.vertex(v);
          if (p.next.normal(f).dot(y - p.next.vertex(corner)) < 0 &&
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
    for_meeting_edges(a_.now, b_.now, [&](int i, int j, const Vector3d& n, double) {
      if ((i != axis_.i || j != axis_.j) && n.dot(axis_.normal) > kSameWay)
        crossing(i, j, n, false);
      return true;
    });
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
        constexpr double kNearly = 0.99 * kSameWay * kSameWay;
        if (along * along < kNearly * n.squaredNorm()) continue;
        if (along < 0) n = -n;
        const int i = box_edge(a_.now, k, n), j = box_edge(b_.now, l, -n);
        double sign = 1;
        if ((i != axis_.i || j != axis_.j) && meet_on_difference(a_.now, i, b_.now, j, n, sign) &&
            n.dot(axis_.normal) > kSameWay)
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
