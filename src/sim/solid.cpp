#include "sim/solid.hpp"

#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <BulletCollision/CollisionShapes/btCapsuleShape.h>
#include <BulletCollision/CollisionShapes/btConeShape.h>
#include <BulletCollision/CollisionShapes/btConvex2dShape.h>
#include <BulletCollision/CollisionShapes/btCylinderShape.h>
#include <BulletCollision/CollisionShapes/btMultiSphereShape.h>
#include <BulletCollision/CollisionShapes/btSphereShape.h>
#include <BulletCollision/CollisionShapes/btUniformScalingShape.h>

#include <algorithm>
#include <cmath>

#include "sim/bullet_types.hpp"
#include "sim/hull_cache.hpp"

namespace perpend::sim {
namespace {

constexpr double kTiny = 1e-14;

// The part of d orthogonal to the solid's axis, unit; its own side direction along the axis.
Vector3d radial(const Solid& s, const Vector3d& d) {
  const Vector3d across = d - d.dot(s.axis) * s.axis;
  const double length = across.norm();
  if (length <= kTiny * d.norm()) return s.side;
  // Of a short rest, rounding is a large part: what of it points along the axis is taken off again.
  const Vector3d u = across / length;
  return (u - u.dot(s.axis) * s.axis).normalized();
}

}  // namespace

Vector3d Solid::support(const Vector3d& d) const {
  switch (kind) {
    case Kind::polyhedron: {
      int best = 0;
      double most = d.dot(polyhedron->vertex(0));
      for (int i = 1; i < polyhedron->vertex_count(); ++i) {
        const double h = d.dot(polyhedron->vertex(i));
        if (h > most) {
          most = h;
          best = i;
        }
      }
      return polyhedron->vertex(best);
    }
    case Kind::round:
      return core_support(d) + radius * d.normalized();
    case Kind::cylinder:
      return end(d.dot(axis) < 0 ? -1 : 1) + radius * radial(*this, d);
    case Kind::cone: {
      const Vector3d rim = end(-1) + radius * radial(*this, d);
      return d.dot(end(1) - rim) > 0 ? end(1) : rim;
    }
  }
  return centre;
}

Vector3d Solid::core_support(const Vector3d& d) const {
  if (kind == Kind::round || kind == Kind::cylinder) return end(d.dot(axis) < 0 ? -1 : 1);
  return support(d);
}

TouchingPoints touching_points(const Solid& s, const Vector3d& down) {
  TouchingPoints found;
  const auto rim = [&](int sign, int id) {
    constexpr double kFlat = 1e-7;  // rad
    const Vector3d across = down - down.dot(s.axis) * s.axis;
    const bool flat = across.norm() < kFlat;
    const Vector3d u = s.radius * (flat ? s.side : radial(s, down));
    const Vector3d v = s.axis.cross(u);
    id += flat ? 16 : 0;
    const Vector3d middle = s.end(sign);
    found.add(middle + u, id);
    found.add(middle + v, id + 1);
    found.add(middle - u, id + 2);
    found.add(middle - v, id + 3);
  };
  switch (s.kind) {
    case Solid::Kind::round:
      found.add(s.end(1) + s.radius * down, 0);
      if (s.half > 0) found.add(s.end(-1) + s.radius * down, 1);
      break;
    case Solid::Kind::cylinder:
      rim(1, 0);
      rim(-1, 4);
      break;
    case Solid::Kind::cone:
      found.add(s.end(1), 0);
      rim(-1, 4);
      break;
    case Solid::Kind::polyhedron:
      found.add(s.support(down), 0);
  }
  return found;
}

namespace {

// All within `radius` of a line between two points of the body.
Solid around_line(const Vector3d& from, const Vector3d& to, double radius, const Placement& place) {
  Solid s;
  s.place = place;
  s.centre = place((from + to) / 2);
  s.half = (to - from).norm() / 2;
  s.radius = radius;
  if (s.half > 0) {
    const Vector3d axis = (to - from).normalized();
    s.axis = place.rotation * axis;
    s.side = place.rotation * axis.unitOrthogonal();
  }
  return s;
}

Solid of_points(const Polyhedron& p, const Placement& place, PlacedPolyhedron& placed) {
  if (p.faces.empty()) return around_line(p.vertices.front(), p.vertices.back(), 0, place);
  Solid s;
  s.place = place;
  s.centre = place.position;
  s.kind = Solid::Kind::polyhedron;
  placed.place(p, place);
  s.polyhedron = &placed;
  return s;
}

}  // namespace

Solid make_solid(const btConvexShape& shape, const Placement& place, HullCache& hulls,
                 PlacedPolyhedron& placed) {
  Solid s;
  s.place = place;
  s.centre = place.position;
  const auto along = [&](int axis) {
    s.axis = place.rotation.col(axis);
    s.side = place.rotation.col((axis + 1) % 3);
  };
  switch (shape.getShapeType()) {
    case BOX_SHAPE_PROXYTYPE:
      placed.place_box(
          from_bullet(static_cast<const btBoxShape&>(shape).getHalfExtentsWithMargin()), place);
      s.kind = Solid::Kind::polyhedron;
      break;
    case CONVEX_2D_SHAPE_PROXYTYPE:
      return make_solid(*static_cast<const btConvex2dShape&>(shape).getChildShape(), place, hulls,
                        placed);
    case SPHERE_SHAPE_PROXYTYPE:
      s.kind = Solid::Kind::round;
      s.radius = static_cast<const btSphereShape&>(shape).getRadius();
      break;
    case CAPSULE_SHAPE_PROXYTYPE: {
      const auto& capsule = static_cast<const btCapsuleShape&>(shape);
      s.kind = Solid::Kind::round;
      along(capsule.getUpAxis());
      s.half = capsule.getHalfHeight();
      s.radius = capsule.getRadius();
      break;
    }
    case CYLINDER_SHAPE_PROXYTYPE: {
      const auto& cylinder = static_cast<const btCylinderShape&>(shape);
      s.kind = Solid::Kind::cylinder;
      along(cylinder.getUpAxis());
      s.half = cylinder.getHalfExtentsWithMargin()[cylinder.getUpAxis()];
      s.radius = cylinder.getRadius();
      break;
    }
    case CONE_SHAPE_PROXYTYPE: {
      const auto& cone = static_cast<const btConeShape&>(shape);
      s.kind = Solid::Kind::cone;
      along(cone.getConeUpIndex());
      s.half = cone.getHeight() / 2;
      s.radius = cone.getRadius();
      break;
    }
    case UNIFORM_SCALING_SHAPE_PROXYTYPE: {
      const auto& scaled = static_cast<const btUniformScalingShape&>(shape);
      const double factor = scaled.getUniformScalingFactor();
      s = make_solid(*scaled.getChildShape(), place, hulls, placed);
      if (s.kind == Solid::Kind::polyhedron) return of_points(hulls.of(shape), place, placed);
      s.centre = place.position + factor * (s.centre - place.position);
      s.half *= factor;
      s.radius *= factor;
      break;
    }
    case MULTI_SPHERE_SHAPE_PROXYTYPE: {
      const auto& spheres = static_cast<const btMultiSphereShape&>(shape);
      const Vector3d scale = from_bullet(spheres.getLocalScaling());
      const int last = spheres.getSphereCount() - 1;
      if (last < 0 || last > 1 || spheres.getSphereRadius(0) != spheres.getSphereRadius(last) ||
          scale != Vector3d::Constant(scale[0]))
        return of_points(hulls.of(shape), place, placed);
      return around_line(scale[0] * from_bullet(spheres.getSpherePosition(0)),
                         scale[0] * from_bullet(spheres.getSpherePosition(last)),
                         scale[0] * spheres.getSphereRadius(0), place);
    }
    default:
      return of_points(hulls.of(shape), place, placed);
  }
  if (s.kind == Solid::Kind::polyhedron) s.polyhedron = &placed;
  return s;
}

namespace {

// A simplex of the Minkowski difference b - a, with the points it came from, and its point closest
// to the origin.
struct Simplex {
  struct Corner {
    Vector3d w, a, b;
    double weight = 0;
  };
  int count = 0;
  std::array<Corner, 4> corners;

  Vector3d point() const {
    Vector3d sum = Vector3d::Zero();
    for (int i = 0; i < count; ++i)
      sum += corners[static_cast<std::size_t>(i)].weight * corners[static_cast<std::size_t>(i)].w;
    return sum;
  }

  // Keeps the corners that carry the closest point, of which the last is one or nothing is gained;
  // false when the origin is inside.
  bool reduce() {
    const unsigned last = 1u << (count - 1);
    unsigned best = 0;
    double least = -1;
    std::array<double, 4> best_weights{}, weights{};
    for (unsigned subset = last; subset < 2 * last; ++subset) {
      if (!weigh(subset, weights)) continue;
      Vector3d at = Vector3d::Zero();
      for (unsigned i = 0; i < 4; ++i)
        if (subset >> i & 1) at += weights[i] * corners[i].w;
      const double distance = at.squaredNorm();
      if (least < 0 || distance < least) {
        least = distance;
        best = subset;
        best_weights = weights;
      }
    }
    if (best == 0 || best == 15) return false;
    int kept = 0;
    for (unsigned i = 0; i < 4; ++i) {
      if (!(best >> i & 1)) continue;
      if (static_cast<unsigned>(kept) != i) corners[static_cast<std::size_t>(kept)] = corners[i];
      corners[static_cast<std::size_t>(kept++)].weight = best_weights[i];
    }
    count = kept;
    return true;
  }

 private:
  // Weights of the point of the subset's affine hull that is closest to the origin; false unless
  // all are positive.
  bool weigh(unsigned subset, std::array<double, 4>& weights) const {
    std::array<unsigned, 4> at{};
    int size = 0;
    for (unsigned i = 0; i < 4; ++i)
      if (subset >> i & 1) at[static_cast<std::size_t>(size++)] = i;
    const Vector3d& origin = corners[at[0]].w;
    double rest = 1;
    const auto give = [&](std::size_t k, double weight) {
      weights[at[k]] = weight;
      rest -= weight;
      return weight > 0;
    };
    bool positive = true;
    if (size == 2) {
      const Vector3d u = corners[at[1]].w - origin;
      const double length = u.squaredNorm();
      if (length == 0) return false;
      positive = give(1, -u.dot(origin) / length);
    } else if (size == 3) {
      const Vector3d u = corners[at[1]].w - origin, v = corners[at[2]].w - origin;
      const Vector3d n = u.cross(v);
      const double area = n.squaredNorm();
      if (area <= 1e-28 * u.squaredNorm() * v.squaredNorm()) return false;
      positive = give(1, -n.dot(origin.cross(v)) / area) && give(2, -n.dot(u.cross(origin)) / area);
    } else if (size == 4) {
      const Vector3d u = corners[at[1]].w - origin, v = corners[at[2]].w - origin,
                     w = corners[at[3]].w - origin;
      const double volume = u.dot(v.cross(w));
      if (std::abs(volume) <= 1e-14 * u.norm() * v.norm() * w.norm()) return false;
      positive = give(1, -origin.dot(v.cross(w)) / volume) &&
                 give(2, -u.dot(origin.cross(w)) / volume) &&
                 give(3, -u.dot(v.cross(origin)) / volume);
    }
    weights[at[0]] = rest;
    return positive && rest > 0;
  }
};

}  // namespace

// Two segments, which may be points: in closed form, the middle of the common part where they are
// parallel.
static ClosestPoints closest_on_segments(const Solid& a, const Solid& b) {
  const Vector3d r = b.centre - a.centre;
  const double c = a.axis.dot(b.axis), ra = a.axis.dot(r), rb = b.axis.dot(r);
  const double sine = 1 - c * c;
  double s = 0;
  if (a.half > 0 && b.half > 0 && sine > 1e-12) {
    s = std::clamp((ra - c * rb) / sine, -a.half, a.half);
  } else if (a.half > 0) {
    const double low = std::max(-a.half, ra - b.half), high = std::min(a.half, ra + b.half);
    s = std::clamp((low + high) / 2, -a.half, a.half);
  }
  const double t = std::clamp(c * s - rb, -b.half, b.half);
  s = std::clamp(ra + c * t, -a.half, a.half);
  ClosestPoints found;
  found.first = a.centre + s * a.axis;
  found.second = b.centre + t * b.axis;
  found.apart = (found.second - found.first).squaredNorm() > 1e-24;
  return found;
}

ClosestPoints closest_points(const Solid& a, const Solid& b, bool cores) {
  const auto segment = [](const Solid& s) {
    return s.kind == Solid::Kind::round || s.kind == Solid::Kind::cylinder;
  };
  if (cores && segment(a) && segment(b)) return closest_on_segments(a, b);
  const auto corner = [&](const Vector3d& d) {
    Simplex::Corner c;
    c.a = cores ? a.core_support(d) : a.support(d);
    c.b = cores ? b.core_support(-d) : b.support(-d);
    c.w = c.b - c.a;
    return c;
  };
  Simplex s;
  Vector3d v = b.centre - a.centre;
  if (v.isZero(0)) v = Vector3d::UnitX();
  s.corners[0] = corner(v);
  s.corners[0].weight = 1;
  s.count = 1;
  v = s.corners[0].w;
  ClosestPoints found;
  for (int iteration = 0; iteration < 100; ++iteration) {
    const double square = v.squaredNorm();
    if (square < 1e-24) return found;
    const Simplex::Corner c = corner(v);
    if (square - v.dot(c.w) <= 1e-15 * square) break;
    Simplex grown = s;
    grown.corners[static_cast<std::size_t>(grown.count++)] = c;
    if (!grown.reduce()) return found;
    const Vector3d next = grown.point();
    if (next.squaredNorm() >= square) break;  // rounding
    s = grown;
    v = next;
  }
  found.apart = true;
  found.first = found.second = Vector3d::Zero();
  for (int i = 0; i < s.count; ++i) {
    const Simplex::Corner& c = s.corners[static_cast<std::size_t>(i)];
    found.first += c.weight * c.a;
    found.second += c.weight * c.b;
  }
  return found;
}

Vector3d closest_point(const Solid& s, const Vector3d& x) {
  const Vector3d r = x - s.centre;
  const double z = r.dot(s.axis);
  const Vector3d out = radial(s, r);
  const double rho = out.dot(r);
  if (s.kind == Solid::Kind::cylinder)
    return s.centre + std::clamp(z, -s.half, s.half) * s.axis + std::min(rho, s.radius) * out;
  // In the half-plane of x the cone is the triangle axis - rim - apex.
  if (z <= -s.half && rho <= s.radius) return s.end(-1) + rho * out;
  const double height = 2 * s.half;
  const double t = std::clamp(((z + s.half) * height - (rho - s.radius) * s.radius) /
                                  (height * height + s.radius * s.radius),
                              0.0, 1.0);  // from rim to apex
  return s.end(-1) + t * height * s.axis + (1 - t) * s.radius * out;
}

}  // namespace perpend::sim
