// Convex solids by their support points, and the closest points of two of them.
#pragma once

#include <Eigen/Geometry>
#include <array>

#include "perpend/frame.hpp"
#include "sim/polyhedron.hpp"

class btConvexShape;

namespace perpend::sim {

class HullCache;

// A convex piece in the world, true to its surface: what Bullet calls the collision margin is
// neither added nor missing.
struct Solid {
  enum class Kind {
    polyhedron,
    round,     // all within `radius` of the segment centre -+ half axis: spheres and capsules
    cylinder,  // `radius` around the segment centre -+ half axis
    cone       // apex at centre + half axis, a disc of `radius` at centre - half axis
  };
  Kind kind = Kind::round;
  Vector3d centre = Vector3d::Zero(), axis = Vector3d::UnitZ();
  Vector3d side = Vector3d::UnitX();  // orthogonal to the axis, turns with the body
  double half = 0, radius = 0;        // m
  const PlacedPolyhedron* polyhedron = nullptr;
  Placement place;

  Vector3d end(int sign) const { return centre + sign * half * axis; }
  // Point farthest along d (any length but 0).
  Vector3d support(const Vector3d& d) const;
  // The same of its core: round solids without their radius, cylinders as their axis.
  Vector3d core_support(const Vector3d& d) const;
  double core_radius() const { return kind == Kind::round || kind == Kind::cylinder ? radius : 0; }
  double highest(const Vector3d& n) const { return n.dot(support(n)); }
  double lowest(const Vector3d& n) const { return n.dot(support(-n)); }

  bool has_disc() const { return kind == Kind::cylinder || kind == Kind::cone; }
};

// The points of a solid that is not a polyhedron which a plane below it (`down` towards the plane)
// may touch first, while the solid turns by less than a quarter: of a cylinder on either rim the
// lowest point and the three a quarter away from it, of a cone the apex and the same of its rim, of
// a capsule the lowest of either cap. On a disc that is parallel to the plane no point is lowest:
// there they are fixed to the body.
struct TouchingPoints {
  int count = 0;
  std::array<Vector3d, 8> points;
  std::array<int, 8> ids;

  void add(const Vector3d& x, int id) {
    points[static_cast<std::size_t>(count)] = x;
    ids[static_cast<std::size_t>(count++)] = id;
  }
};
TouchingPoints touching_points(const Solid&, const Vector3d& down);

// `placed` keeps the polyhedron of one; what is neither round nor known by its vertices is one, too
// (hull_cache.hpp).
Solid make_solid(const btConvexShape&, const Placement&, HullCache&, PlacedPolyhedron& placed);

struct ClosestPoints {
  bool apart = false;  // by more than rounding
  Vector3d first, second;
};
// Gilbert, Johnson and Keerthi's method.
ClosestPoints closest_points(const Solid& a, const Solid& b, bool cores);

// The point of a cylinder or cone that is closest to x outside of it.
Vector3d closest_point(const Solid&, const Vector3d& x);

}  // namespace perpend::sim
