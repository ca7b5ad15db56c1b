// How far two bodies of a scene are apart, from support functions alone: independent of any
// engine's collision detection.
//
// For every direction d the bodies' convex parts A, B are apart by at least -h_A(d) - h_B(-d). The
// largest such bound over face normals, edge products, axes and directions between points is the
// distance or the depth for polyhedra, and a proof of distance for any shape.
#pragma once

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "perpend/scene.hpp"
#include "scene/convex_hull.hpp"

namespace perpend::solids {

struct Solid {  // one convex part
  Shape shape;
  Pose pose;
  std::vector<Vector3d> points, normals, edges;  // world
};

inline void add_unique(std::vector<Vector3d>& list, const Vector3d& v) {
  if (v.norm() < 1e-12) return;
  const Vector3d unit = v.normalized();
  for (const Vector3d& other : list)
    if (unit.cross(other).norm() < 1e-9) return;
  list.push_back(unit);
}

inline Solid solid(const Shape& shape, const Pose& pose) {
  Solid s{shape, pose, {}, {}, {}};
  std::vector<Vector3d> points = shape.points;
  if (shape.type == Shape::Type::box)
    for (int i = 0; i < 8; ++i)
      points.push_back(shape.half_extents.cwiseProduct(
          Vector3d((i & 1) != 0 ? 1 : -1, (i & 2) != 0 ? 1 : -1, (i & 4) != 0 ? 1 : -1)));
  for (Vector3d& point : points) point = pose.position + pose.orientation * point;
  for (const scene::Triangle& t : scene::convex_hull(points)) {
    const Vector3d &a = points[t[0]], &b = points[t[1]], &c = points[t[2]];
    add_unique(s.normals, (b - a).cross(c - a));
    for (const Vector3d& edge : {Vector3d(b - a), Vector3d(c - b), Vector3d(a - c)})
      add_unique(s.edges, edge);
  }
  if (points.empty()) {
    s.edges.push_back(pose.orientation * Vector3d::UnitZ());
    s.normals.push_back(s.edges.back());
    const double half = shape.type == Shape::Type::sphere ? 0 : shape.height / 2;
    points = {pose.position + half * s.edges.back(), pose.position - half * s.edges.back()};
  }
  s.points = points;
  return s;
}

inline std::vector<Solid> solids(const Body& body) {
  std::vector<Solid> list;
  if (body.shape.type != Shape::Type::compound) return {solid(body.shape, body.pose)};
  for (const Part& part : body.shape.parts)
    list.push_back(
        solid(part.shape, {body.pose.position + body.pose.orientation * part.pose.position,
                           body.pose.orientation * part.pose.orientation}));
  return list;
}

// The largest d . x over the solid.
inline double support(const Solid& s, const Vector3d& d) {
  double largest = -std::numeric_limits<double>::infinity();
  for (const Vector3d& point : s.points) largest = std::max(largest, d.dot(point));
  const Vector3d axis = s.pose.orientation * Vector3d::UnitZ();
  const double across = d.cross(axis).norm(), r = s.shape.radius, half = s.shape.height / 2;
  switch (s.shape.type) {
    case Shape::Type::sphere:
    case Shape::Type::capsule:
      return largest + r;
    case Shape::Type::cylinder:
      return largest + r * across;
    case Shape::Type::cone:
      return std::max(d.dot(s.pose.position + half * axis),
                      d.dot(s.pose.position - half * axis) + r * across);
    default:
      return largest;
  }
}

// Closest points of the segments p + s u, q + t v, s, t in 0..1, as their difference.
inline Vector3d between_segments(const Vector3d& p, const Vector3d& u, const Vector3d& q,
                                 const Vector3d& v) {
  Vector3d best = q - p;
  const auto consider = [&](double s, double t) {
    const Vector3d d = q + std::clamp(t, 0.0, 1.0) * v - p - std::clamp(s, 0.0, 1.0) * u;
    if (d.norm() < best.norm()) best = d;
  };
  const double uu = u.squaredNorm(), vv = v.squaredNorm(), uv = u.dot(v);
  const double determinant = uu * vv - uv * uv;
  if (determinant > 1e-12 * uu * vv) {
    const Vector3d w = q - p;
    consider((w.dot(u) * vv - w.dot(v) * uv) / determinant,
             (w.dot(u) * uv - w.dot(v) * uu) / determinant);
  }
  for (double s : {0.0, 1.0}) consider(s, vv > 0 ? (p + s * u - q).dot(v) / vv : 0);
  for (double t : {0.0, 1.0}) consider(uu > 0 ? (q + t * v - p).dot(u) / uu : 0, t);
  return best;
}

inline double apart(const Solid& a, const Solid& b) {
  double best = -std::numeric_limits<double>::infinity();
  const auto consider = [&](const Vector3d& d) {
    if (d.norm() < 1e-9) return;
    const Vector3d unit = d.normalized();
    best = std::max(
        {best, -support(a, unit) - support(b, -unit), -support(a, -unit) - support(b, unit)});
  };
  for (const Vector3d& n : a.normals) consider(n);
  for (const Vector3d& n : b.normals) consider(n);
  for (const Vector3d& e : a.edges)
    for (const Vector3d& f : b.edges) consider(e.cross(f));
  consider(b.pose.position - a.pose.position);
  // Across the axes of round shapes, and between nearest points of axes and corners.
  for (const Solid* round : {&a, &b}) {
    if (round->points.size() != 2) continue;
    const Solid& other = round == &a ? b : a;
    const Vector3d u = round->points[1] - round->points[0];
    for (std::size_t i = 0; i < other.points.size(); ++i)
      for (std::size_t k = i; k < other.points.size(); ++k)
        consider(between_segments(round->points[0], u, other.points[i],
                                  other.points[k] - other.points[i]));
    for (const Vector3d& f : other.edges) consider((u.cross(f)).cross(f));
    const Vector3d d = other.pose.position - round->pose.position;
    consider(d - round->edges[0].dot(d) * round->edges[0]);
  }
  return best;
}

// A lower bound of the distance of two bodies; negative: they overlap as far as can be told.
inline double apart(const std::vector<Solid>& a, const std::vector<Solid>& b) {
  double least = std::numeric_limits<double>::infinity();
  for (const Solid& p : a)
    for (const Solid& q : b) least = std::min(least, apart(p, q));
  return least;
}

}  // namespace perpend::solids
