// Contacts of two convex solids of which at least one is round.
//
// Directions that may separate them: the normals of faces and discs; the line between the closest
// points of the cores, exact where a sphere, a capsule or the side of a cylinder meets anything;
// the line between the closest points of the solids, for rims; and both of these after the sweep.
// Which one is taken is said in contacts.hpp. Where a flat direction explains the distance, it wins
// over a computed one: a log that lies on a table rests on the table's normal to the last bit.
//
// Then the two are laid over each other along that direction:
//   over a face: touching points of the solid (see solid.hpp) over the face, its generators and
//     rim where they cross the face's edges, corners of the face under its disc;
//   over a disc: vertices, edges and touching points of the other over the disc, and points of
//     the rim under it;
//   else: two segments side by side touch at both ends of their common part, anything else in the
//     one pair of closest points.
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/contact_pair.hpp"

namespace perpend::sim {
namespace {

struct Direction : Separation {
  enum Type { none, face_of_a, face_of_b, disc_of_a, disc_of_b, free } type = none;
  int i = 0;                       // face, or which end of the axis the disc is at
  Vector3d n, m;                   // from a to b, before and after the sweep
  Vector3d at = Vector3d::Zero();  // of a free direction: between the closest points
};

class DirectionSearch {
 public:
  DirectionSearch(const MovingSolid& a, const MovingSolid& b, const TriangleRim* rim, bool moving)
      : a_(a), b_(b), rim_(rim), moving_(moving) {}

  bool run(double reach) {
    for (int side = 0; side < 2; ++side) {
      const MovingSolid& s = side ? b_ : a_;
      const double sign = side ? -1 : 1;
      if (s.now.kind == Solid::Kind::polyhedron) {
        for (int f = 0; f < s.now.polyhedron->face_count(); ++f) {
          if (rim_ && !side && f == 1) break;
          Direction d;
          d.type = side ? Direction::face_of_b : Direction::face_of_a;
          d.i = f;
          d.n = sign * s.now.polyhedron->normal(f);
          d.m = moving_ ? Vector3d(sign * s.next.polyhedron->normal(f)) : d.n;
          if (!offer(d, reach)) return false;
        }
      } else if (s.now.has_disc()) {
        for (int end : {1, -1}) {
          if (end == 1 && s.now.kind == Solid::Kind::cone) continue;
          Direction d;
          d.type = side ? Direction::disc_of_b : Direction::disc_of_a;
          d.i = end;
          d.n = sign * end * s.now.axis;
          d.m = sign * end * s.next.axis;
          if (!offer(d, reach)) return false;
        }
      }
    }
    bool told = false;
    for (bool after : {false, true}) {
      if (after && !moving_) break;
      told = cores_tell_;
      cores_tell_ = false;
      for (bool cores : {true, false}) {
        if (!cores && (exact() || cores_tell_)) break;
        if (!free(after, cores, reach)) return false;
      }
    }
    if (!moving_) told = cores_tell_;
    if (best_.rank() == 0 && !told) {
      const Vector3d flattest = best_.n;
      descend(flattest);
      const Vector3d middles = b_.now.centre - a_.now.centre;
      if (middles.norm() > kMerge) descend(middles.normalized());
    }
    if (best_.type == Direction::none) return false;
    left_ = rim_ && best_.rank() == 0 && best_.now < forbidden_ - kClip;
    return !left_;
  }
  bool left_to_neighbours() const { return left_; }
  double forbidden() const { return forbidden_; }
  const Direction& best() const { return best_; }
  const Direction& best_free() const { return free_; }

 private:
  // Are the cores' closest points those of the solids?
  bool exact() const {
    const auto whole = [](const Solid& s) {
      return s.kind == Solid::Kind::round || s.kind == Solid::Kind::polyhedron;
    };
    return whole(a_.now) && whole(b_.now);
  }

  bool free(bool after, bool cores, double reach) {
    const Solid &a = after ? a_.next : a_.now, &b = after ? b_.next : b_.now;
    ClosestPoints pair;
    const auto point = [](const Solid& s) { return s.kind == Solid::Kind::round && s.half == 0; };
    if (cores && b.has_disc() && point(a)) {
      pair = {true, a.centre, closest_point(b, a.centre)};
    } else if (cores && a.has_disc() && point(b)) {
      pair = {true, closest_point(a, b.centre), b.centre};
    } else {
      pair = closest_points(a, b, cores);
    }
    if (!pair.apart) return true;
    const Vector3d line = pair.second - pair.first;
    const double length = line.norm();
    if (length < 1e-9) return true;
    Direction d;
    d.type = Direction::free;
    d.n = d.m = line / length;
    // On the surfaces, and where these points are now. What is round about its core turns under the
    // point: the core's point is taken back, and the surface is above it along n all the same.
    Vector3d first = pair.first, second = pair.second;
    const bool on_a = cores && (a.kind == Solid::Kind::round || !point(b));
    const bool on_b = cores && (b.kind == Solid::Kind::round || !point(a));
    if (after) {
      const auto back = [](const Solid& next, const Solid& now, const Vector3d& x) {
        return now.place(next.place.rotation.transpose() * (x - next.place.position));
      };
      first = back(a_.next, a_.now, first);
      second = back(b_.next, b_.now, second);
    }
    if (on_a) first += a.core_radius() * d.n;
    if (on_b) second -= b.core_radius() * d.n;
    d.at = (first + second) / 2;
    // Across a cylinder's axis its side is nearest, as far from the core as it is thick.
    const auto across = [&](const Solid& s) {
      return s.kind == Solid::Kind::round || s.kind == Solid::Kind::polyhedron ||
             (s.kind == Solid::Kind::cylinder && std::abs(s.axis.dot(d.n)) < 1e-9);
    };
    cores_tell_ = cores && across(a) && across(b);
    return offer(d, reach);
  }

  // They overlap. Moved apart along n until they do not, they have a shortest distance again, and
  // its direction overlaps less than n; at a direction of least overlap it is that direction.
  void descend(Vector3d n) {
    double overlap = a_.now.highest(n) - b_.now.lowest(n);
    for (int pass = 0; pass < 10; ++pass) {
      constexpr double kApart = 1e-3;  // m
      const Vector3d by = (kApart + overlap) * n;
      Solid moved = b_.now;
      PlacedPolyhedron shifted;
      moved.centre += by;
      moved.place.position += by;
      if (moved.kind == Solid::Kind::polyhedron) {
        shifted.place_shifted(*b_.now.polyhedron, by);
        moved.polyhedron = &shifted;
      }
      const ClosestPoints pair = closest_points(a_.now, moved, false);
      if (!pair.apart) return;
      Direction d;
      d.type = Direction::free;
      d.n = d.m = (pair.second - pair.first).normalized();
      d.at = (pair.first + pair.second - by) / 2;
      offer(d, std::numeric_limits<double>::infinity());
      if (-d.now > overlap - kClip) return;
      overlap = -d.now;
      n = d.n;
    }
  }

  bool offer(Direction& d, double reach) {
    d.now = b_.now.lowest(d.n) - a_.now.highest(d.n);
    if (d.now > reach) return false;
    if (rim_ && !(d.type == Direction::face_of_a) &&
        (d.n.dot(a_.now.polyhedron->normal(0)) < 0 || !rim_->allows(d.n))) {
      forbidden_ = std::max(forbidden_, d.now);
      return true;
    }
    d.next = moving_ ? b_.next.lowest(d.m) - a_.next.highest(d.m) : d.now;
    if (best_.type == Direction::none || d.better_than(best_)) best_ = d;
    if (d.type == Direction::free && (free_.type == Direction::none || d.better_than(free_)))
      free_ = d;
    return true;
  }

  const MovingSolid &a_, &b_;
  const TriangleRim* rim_;
  bool moving_;
  Direction best_, free_;
  bool cores_tell_ = false;  // the closest points of the cores are below those of the solids
  double forbidden_ = -std::numeric_limits<double>::infinity();
  bool left_ = false;
};

// Collects contacts on one plane, each place once.
class Manifold {
 public:
  Manifold(const Vector3d& n, const Sink& sink) : n_(n), sink_(sink) {}

  void add(const Vector3d& first, const Vector3d& second, RoundKind kind, int i, int j = 0) {
    const double gap = n_.dot(second - first);
    if (gap > sink_.reach) return;
    for (std::size_t k = begin_; k < sink_.out.size(); ++k) {
      const ContactPoint& c = sink_.out[k];
      if (((sink_.swapped ? c.first : c.second) - second).squaredNorm() < kMerge * kMerge) return;
    }
    sink_.add(first, second, n_, gap, kind, static_cast<std::uint64_t>(i),
              static_cast<std::uint64_t>(j));
  }
  // Straight below `second` on the plane through `on`.
  void add_on_plane(double level, const Vector3d& second, RoundKind kind, int i, int j = 0) {
    add(second - (n_.dot(second) - level) * n_, second, kind, i, j);
  }

 private:
  Vector3d n_;
  const Sink& sink_;
  std::size_t begin_ = sink_.out.size();
};

// Where the line x + t u crosses the circle: up to two t.
int circle_crossings(const Vector3d& x, const Vector3d& u, const Vector3d& middle, double radius,
                     std::array<double, 2>& t) {
  const Vector3d r = x - middle;
  const double a = u.dot(u), b = u.dot(r), c = r.dot(r) - radius * radius;
  const double discriminant = b * b - a * c;
  if (a == 0 || discriminant <= 0) return 0;
  const double root = std::sqrt(discriminant);
  t = {(-b - root) / a, (-b + root) / a};
  return 2;
}

// The solid over a face; touching points also where they are over it only after the sweep.
void over_face(const Outline& face, const Outline* face_next, const MovingSolid& moving,
               const Sink& sink) {
  const Solid& s = moving.now;
  const Vector3d& n = face.normal;
  Manifold manifold(n, sink);
  const TouchingPoints touching = touching_points(s, -n);
  const TouchingPoints after =
      face_next ? touching_points(moving.next, -face_next->normal) : TouchingPoints();
  for (std::size_t i = 0; i < static_cast<std::size_t>(touching.count); ++i)
    if (face.outside(touching.points[i]) <= kClip ||
        (face_next && face_next->outside(after.points[i]) <= kClip))
      manifold.add_on_plane(face.level, touching.points[i], kTouching, touching.ids[i]);

  // The lowest generator beyond the face's edges.
  if (touching.count > 1) {
    const Vector3d from = touching.points[0];
    const Vector3d to = touching.points[s.kind == Solid::Kind::cylinder ? 4 : 1];
    const Vector3d line = to - from;
    for (std::size_t k = 0; k < static_cast<std::size_t>(face.count); ++k) {
      if (!face.has_edge(k)) continue;
      const double start = face.out[k].dot(from) - face.offset[k], slope = face.out[k].dot(line);
      if ((start > 0) == (start + slope > 0) || std::abs(slope) < 1e-12) continue;
      const Vector3d x = from - start / slope * line;
      if (face.outside(x) <= kClip)
        manifold.add_on_plane(face.level, x, kGenerator, face.corner[k]);
    }
  }
  if (!s.has_disc()) return;
  for (int sign : {1, -1}) {
    if (sign == 1 && s.kind == Solid::Kind::cone) continue;
    const Vector3d c = sign * s.axis, middle = s.end(sign);
    const double slope = n.dot(c);
    if (slope > -0.1) continue;
    // Straight up from the face's plane onto the disc's.
    const auto lifted = [&](const Vector3d& x) {
      return Vector3d(x + (middle - x).dot(c) / slope * n);
    };
    for (std::size_t k = 0; k < static_cast<std::size_t>(face.count); ++k) {
      const Vector3d x = lifted(face.from[k]), u = lifted(face.to(k)) - x;
      if (face.has_corner(k) && (x - middle).norm() <= s.radius + kClip)
        manifold.add_on_plane(face.level, x, kCornerUnderDisc, face.corner[k]);
      if (!face.has_edge(k)) continue;
      std::array<double, 2> t{};
      const int count = circle_crossings(x, u, middle, s.radius, t);
      for (int i = 0; i < count; ++i)
        if (t[static_cast<std::size_t>(i)] > 0 && t[static_cast<std::size_t>(i)] < 1)
          manifold.add_on_plane(face.level, x + t[static_cast<std::size_t>(i)] * u, kRimOverEdge,
                                face.corner[k], i);
    }
  }
}

// Anything over the disc at the end `sign` of d's axis. `of_s`: s is a mesh's triangle.
void over_disc(const Solid& d, int sign, const Solid& s, const TriangleRim* of_s,
               const Sink& sink) {
  const Vector3d n = sign * d.axis, middle = d.end(sign);
  const double level = n.dot(middle);
  Manifold manifold(n, sink);
  const auto across = [&](const Vector3d& x) {
    const Vector3d r = x - middle;
    return Vector3d(r - r.dot(n) * n);
  };
  const Vector3d u = d.radius * d.side, v = d.axis.cross(u);
  const std::array<Vector3d, 4> rim{middle + u, middle + v, middle - u, middle - v};

  if (s.kind == Solid::Kind::polyhedron) {
    const PlacedPolyhedron& p = *s.polyhedron;
    for (int i = 0; i < p.vertex_count(); ++i)
      if ((!of_s || of_s->corner[static_cast<std::size_t>(i)]) &&
          across(p.vertex(i)).norm() <= d.radius + kClip)
        manifold.add_on_plane(level, p.vertex(i), kVertexOverDisc, i);
    for (int j = 0; j < static_cast<int>(p.edges().size()); ++j) {
      if (of_s && !of_s->edge[static_cast<std::size_t>(j)]) continue;
      const Polyhedron::Edge& e = p.edges()[static_cast<std::size_t>(j)];
      if (!p.flat() && p.normal(e.left).dot(n) > 1e-9 && p.normal(e.right).dot(n) > 1e-9) continue;
      const Vector3d from = p.vertex(e.from), line = p.vertex(e.to) - from;
      std::array<double, 2> t{};
      const int count =
          circle_crossings(across(from), line - line.dot(n) * n, Vector3d::Zero(), d.radius, t);
      for (int i = 0; i < count; ++i)
        if (t[static_cast<std::size_t>(i)] > 0 && t[static_cast<std::size_t>(i)] < 1)
          manifold.add_on_plane(level, from + t[static_cast<std::size_t>(i)] * line, kEdgeOverDisc,
                                j, i);
    }
    for (int i = 0; i < 4; ++i) {
      double t = 0;
      int face = 0;
      const Vector3d& x = rim[static_cast<std::size_t>(i)];
      if (Entrance(p, n).of(x, t, face)) manifold.add(x, x + t * n, kRimUnder, i);
    }
    return;
  }

  const TouchingPoints touching = touching_points(s, -n);
  for (std::size_t i = 0; i < static_cast<std::size_t>(touching.count); ++i)
    if (across(touching.points[i]).norm() <= d.radius + kClip)
      manifold.add_on_plane(level, touching.points[i], kTouching, touching.ids[i]);
  if (touching.count > 1) {
    const Vector3d from = touching.points[0];
    const Vector3d line = touching.points[s.kind == Solid::Kind::cylinder ? 4 : 1] - from;
    std::array<double, 2> t{};
    const int count =
        circle_crossings(across(from), line - line.dot(n) * n, Vector3d::Zero(), d.radius, t);
    for (int i = 0; i < count; ++i)
      if (t[static_cast<std::size_t>(i)] > 0 && t[static_cast<std::size_t>(i)] < 1)
        manifold.add_on_plane(level, from + t[static_cast<std::size_t>(i)] * line, kGenerator, i);
  }
  if (!s.has_disc()) return;
  for (int other : {1, -1}) {
    if (other == 1 && s.kind == Solid::Kind::cone) continue;
    const Vector3d c = other * s.axis, centre = s.end(other);
    const double slope = n.dot(c);
    if (slope > -0.1) continue;
    const auto lifted = [&](const Vector3d& x) {
      return Vector3d(x + (centre - x).dot(c) / slope * n);
    };
    for (int i = 0; i < 4; ++i) {
      const Vector3d& x = rim[static_cast<std::size_t>(i)];
      if ((lifted(x) - centre).norm() <= s.radius + kClip) manifold.add(x, lifted(x), kRimUnder, i);
    }
    // Two rims that cross, seen along n, where both are circles to a thousandth.
    if (slope > -0.999) continue;
    const Vector3d apart = across(centre);
    const double distance = apart.norm();
    if (distance < kMerge || distance >= d.radius + s.radius) continue;
    const double along =
        (distance * distance + d.radius * d.radius - s.radius * s.radius) / (2 * distance);
    const double square = d.radius * d.radius - along * along;
    if (square <= 0) continue;
    const Vector3d e = apart / distance, f = n.cross(e);
    for (int i : {0, 1}) {
      const Vector3d x = middle + along * e + (i ? -1 : 1) * std::sqrt(square) * f;
      manifold.add(x, lifted(x), kRims, i);
    }
  }
}

// The line along which a solid may touch something in direction d: the axis of what is round, the
// generator of a cone, or the edge of a polyhedron most parallel to `along` at its support point.
struct Line {
  Vector3d from, to;
  double radius = 0;  // around it
  int id = 0;

  Vector3d at(double t) const { return from + t * (to - from); }
  Vector3d nearest(const Vector3d& x) const {
    const Vector3d u = to - from;
    return at(std::clamp(u.dot(x - from) / u.squaredNorm(), 0.0, 1.0));
  }
};
bool line_towards(const Solid& s, const Vector3d& d, const Vector3d& along, Line& line) {
  constexpr double kAcross = 0.1;  // cosine
  switch (s.kind) {
    case Solid::Kind::round:
    case Solid::Kind::cylinder:
      line = {s.end(1), s.end(-1), s.radius, 0};
      return s.half > 0 && std::abs(s.axis.dot(d)) < kAcross;
    case Solid::Kind::cone: {
      const TouchingPoints t = touching_points(s, d);
      line = {t.points[0], t.points[1], 0, 0};
      return std::abs((line.to - line.from).normalized().dot(d)) < kAcross;
    }
    case Solid::Kind::polyhedron: {
      const PlacedPolyhedron& p = *s.polyhedron;
      const double top = p.highest(d);
      double best = -1;
      for (int j = 0; j < static_cast<int>(p.edges().size()); ++j) {
        const Polyhedron::Edge& e = p.edges()[static_cast<std::size_t>(j)];
        const Vector3d u = (p.vertex(e.to) - p.vertex(e.from)).normalized();
        if (std::max(d.dot(p.vertex(e.from)), d.dot(p.vertex(e.to))) < top - kMerge) continue;
        if (std::abs(u.dot(along)) <= best || std::abs(u.dot(d)) > kAcross) continue;
        best = std::abs(u.dot(along));
        line = {p.vertex(e.from), p.vertex(e.to), 0, j};
      }
      return best >= 0;
    }
  }
  return false;
}

// The ends of the common part of two lines side by side. Where they are twisted each end has its
// own normal, and the closest points lie between them.
bool side_by_side(const Line& a, const Line& b, const Vector3d& n, const Sink& sink, double gap) {
  const Vector3d flat = a.to - a.from - n.dot(a.to - a.from) * n;
  const double length = flat.norm();
  const Vector3d u = flat / length;
  const double start = u.dot(b.from - a.from), end = u.dot(b.to - a.from);
  if (std::abs(end - start) < 0.9 * (b.to - b.from).norm()) return false;
  const double low = std::max(0.0, std::min(start, end));
  const double high = std::min(length, std::max(start, end));
  if (high - low < kMerge) return false;
  bool level = true;
  for (int k = 0; k < 2; ++k) {
    const Vector3d on_b = b.at(((k ? high : low) - start) / (end - start));
    const Vector3d on_a = a.nearest(on_b);
    const double distance = (on_b - on_a).norm();
    // Lines that overlap, or edges that touch, leave the direction to the pair.
    const Vector3d m = distance > kMerge ? Vector3d((on_b - on_a) / distance) : n;
    const Vector3d normal = m.dot(n) > 0.5 ? m : n;
    const Vector3d x = on_a + a.radius * normal, y = on_b - b.radius * normal;
    const double here = normal.dot(y - x);
    level &= std::abs(here - gap) < kClip;
    if (here <= sink.reach)
      sink.add(x, y, normal, here, kSegments, static_cast<std::uint64_t>(2 * a.id + k),
               static_cast<std::uint64_t>(b.id));
  }
  return level;
}

void along_line(const Solid& a, const Solid& b, const Direction& d, const Sink& sink) {
  const Vector3d& n = d.n;
  const bool a_leads = a.kind != Solid::Kind::polyhedron;
  const Solid& lead = a_leads ? a : b;
  const Vector3d along =
      lead.kind == Solid::Kind::cone
          ? Vector3d((lead.end(1) - lead.support(a_leads ? n : Vector3d(-n))).stableNormalized())
          : lead.axis;
  const double top = a.highest(n), bottom = b.lowest(n);
  Line line_a, line_b;
  if (line_towards(a, n, along, line_a) && line_towards(b, -n, along, line_b) &&
      side_by_side(line_a, line_b, n, sink, bottom - top))
    return;
  const auto at_height = [&](double h) { return Vector3d(d.at + (h - n.dot(d.at)) * n); };
  Manifold(n, sink).add(at_height(top), at_height(bottom), kClosest, 0);
}

}  // namespace

void contacts_of_solids(const MovingSolid& a, const MovingSolid& b, const TriangleRim* rim,
                        const Sink& sink) {
  DirectionSearch search(a, b, rim, sink.moving);
  const auto lay_over_face = [&](const MovingSolid& p, int face, const TriangleRim* of_p,
                                 const MovingSolid& s, const Sink& to) {
    const Outline now(*p.now.polyhedron, face, of_p);
    if (!sink.moving) return over_face(now, nullptr, s, to);
    const Outline next(*p.next.polyhedron, face, of_p);
    over_face(now, &next, s, to);
  };
  if (!search.run(sink.reach)) {
    if (!sink.left || !search.left_to_neighbours()) return;
    const PlacedPolyhedron& triangle = *a.now.polyhedron;
    if (triangle.normal(0).dot(b.now.centre - triangle.vertex(0)) <= 0) return;  // on its back
    const TriangleRim bare = rim->face_only();
    const std::size_t already = sink.left->size();
    lay_over_face(a, 0, &bare, b, sink.aside());
    drop_behind(*sink.left, already, search.forbidden());
    return;
  }
  const Direction& d = search.best();
  const Sink swapped = sink.turned();
  const std::size_t before = sink.out.size();
  switch (d.type) {
    case Direction::face_of_a:
      lay_over_face(a, d.i, rim, b, sink);
      break;
    case Direction::face_of_b:
      lay_over_face(b, d.i, nullptr, a, swapped);
      break;
    case Direction::disc_of_a:
      over_disc(a.now, d.i, b.now, nullptr, sink);
      break;
    case Direction::disc_of_b:
      over_disc(b.now, d.i, a.now, rim, swapped);
      break;
    case Direction::free:
      return along_line(a.now, b.now, d, sink);
    case Direction::none:
      return;
  }
  // They would overlap, but not there: then they meet where they are closest, or, straight above a
  // triangle, over its neighbours.
  const Direction& other = search.best_free();
  if (sink.out.size() == before && d.rank() < 2 && other.type == Direction::free &&
      !(rim && d.type == Direction::face_of_a && (other.n - d.n).squaredNorm() < kClip * kClip))
    along_line(a.now, b.now, other, sink);
}

}  // namespace perpend::sim
