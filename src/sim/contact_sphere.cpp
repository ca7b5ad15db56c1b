// Contacts of a sphere with a sphere or a box in closed form: the directions of contact_round.cpp,
// without searches for support points and closest points.
#include <algorithm>
#include <cmath>

#include "sim/contact_pair.hpp"

namespace perpend::sim {
namespace {

constexpr double kNoLine = 1e-9;  // m: closer points have no line between them

bool is_sphere(const Solid& s) { return s.kind == Solid::Kind::round && s.half == 0; }
bool is_box(const Solid& s) { return s.kind == Solid::Kind::polyhedron && s.polyhedron->is_box(); }

// False where the middles are too close to tell a direction.
bool two_spheres(const MovingSolid& a, const MovingSolid& b, const Sink& sink) {
  const Vector3d between = b.now.centre - a.now.centre;
  const double radii = a.now.radius + b.now.radius;
  const double length = between.norm();
  if (length < kNoLine) return false;
  if (length - radii > sink.reach) return true;
  Separation best{length - radii, length - radii};
  Vector3d n = between / length, across = Vector3d::Zero();
  if (sink.moving) {
    const Vector3d after = b.next.centre - a.next.centre;
    const double length_after = after.norm();
    best.next = n.dot(after) - radii;
    if (length_after >= kNoLine) {
      const Vector3d m = after / length_after;
      const double along = m.dot(between);
      const Separation end{along - radii, length_after - radii};
      if (end.better_than(best)) {
        best = end;
        n = m;
        across = 0.5 * (between - along * m);
      }
    }
  }
  sink.add(a.now.centre + a.now.radius * n + across, b.now.centre - b.now.radius * n - across, n,
           best.now, kClosest, 0);
  return true;
}

// A sphere in the axes of a box.
struct InBox {
  Vector3d centre;   // of the sphere
  Vector3d nearest;  // the box's point next to it
  Vector3d line;     // from there to the centre
  double length;

  InBox(const PlacedPolyhedron& box, const Vector3d& half, const Vector3d& middle) {
    const Vector3d r = middle - box.centre();
    centre = {box.normal(0).dot(r), box.normal(2).dot(r), box.normal(4).dot(r)};
    nearest = centre.cwiseMax(-half).cwiseMin(half);
    line = centre - nearest;
    length = line.norm();
  }
};

Vector3d out_of_box(const PlacedPolyhedron& box, const Vector3d& x) {
  return x[0] * box.normal(0) + x[1] * box.normal(2) + x[2] * box.normal(4);
}

// `box_first`: of the pair as the sink has it.
void sphere_and_box(const MovingSolid& moving_box, const MovingSolid& sphere, bool box_first,
                    const Sink& sink) {
  struct BoxDirection : Separation {
    int face = -1;   // -1: the line between the closest points
    Vector3d n, at;  // from box to sphere; between the closest points
    bool any = false;
    void offer(const BoxDirection& d) {
      if (!any || d.better_than(*this)) *this = d;
    }
  };
  const PlacedPolyhedron& box = *moving_box.now.polyhedron;
  const PlacedPolyhedron& box_next = sink.moving ? *moving_box.next.polyhedron : box;
  const Vector3d &s = sphere.now.centre, &s_next = sink.moving ? sphere.next.centre : s;
  const double radius = sphere.now.radius;
  const Vector3d half(box.half_axis(0).dot(box.normal(0)), box.half_axis(1).dot(box.normal(2)),
                      box.half_axis(2).dot(box.normal(4)));
  const InBox now(box, half, s);
  if ((now.centre.cwiseAbs() - half).maxCoeff() - radius > sink.reach) return;
  const InBox next = sink.moving ? InBox(box_next, half, s_next) : now;

  BoxDirection best, free;
  for (int f = 0; f < 6; ++f) {
    const int k = f / 2;
    const double sign = f % 2 ? -1 : 1;
    BoxDirection d;
    d.now = sign * now.centre[k] - half[k] - radius;
    if (best.any && d.now < -kClip && best.now >= -kClip) continue;
    d.next = sign * next.centre[k] - half[k] - radius;
    d.face = f;
    d.any = true;
    best.offer(d);
  }
  if (now.length >= kNoLine) {
    BoxDirection d;
    d.any = true;
    d.now = now.length - radius;
    if (d.now > sink.reach) return;
    d.n = out_of_box(box, now.line / now.length);
    d.next = sink.moving ? d.n.dot(s_next) - radius - box_next.highest(d.n) : d.now;
    d.at = 0.5 * (box.centre() + out_of_box(box, now.nearest) + s - radius * d.n);
    best.offer(d);
    free.offer(d);
  }
  if (sink.moving && next.length >= kNoLine) {
    BoxDirection d;
    d.any = true;
    d.n = out_of_box(box_next, next.line / next.length);
    d.now = d.n.dot(s) - radius - box.highest(d.n);
    if (d.now > sink.reach) return;
    d.next = next.length - radius;
    d.at = 0.5 * (box.centre() + out_of_box(box, next.nearest) + s - radius * d.n);
    best.offer(d);
    free.offer(d);
  }

  if (best.face >= 0) {
    const int k = best.face / 2;
    const auto beside = [&](const Vector3d& c) {
      const Vector3d outside = c.cwiseAbs() - half;
      return std::max(outside[(k + 1) % 3], outside[(k + 2) % 3]);
    };
    if (beside(now.centre) <= kClip || beside(next.centre) <= kClip) {
      const Vector3d& n = box.normal(best.face);
      const Vector3d on_sphere = s - radius * n;
      (box_first ? sink : sink.turned())
          .add(on_sphere - best.now * n, on_sphere, n, best.now, kTouching, 0);
      return;
    }
    // They would overlap, but not there: then they meet where they are closest.
    if (best.rank() == 2 || !free.any) return;
    best = free;
  }
  const double level = best.n.dot(best.at);
  const double top = box.highest(best.n), bottom = best.n.dot(s) - radius;
  const Vector3d on_box = best.at + (top - level) * best.n;
  const Vector3d on_sphere = best.at + (bottom - level) * best.n;
  if (box_first)
    sink.add(on_box, on_sphere, best.n, bottom - top, kClosest, 0);
  else
    sink.add(on_sphere, on_box, -best.n, bottom - top, kClosest, 0);
}

}  // namespace

bool contacts_of_sphere(const MovingSolid& a, const MovingSolid& b, const Sink& sink) {
  if (is_sphere(a.now)) {
    if (is_sphere(b.now)) return two_spheres(a, b, sink);
    if (!is_box(b.now)) return false;
    sphere_and_box(b, a, false, sink);
    return true;
  }
  if (!is_sphere(b.now) || !is_box(a.now)) return false;
  sphere_and_box(a, b, true, sink);
  return true;
}

}  // namespace perpend::sim
