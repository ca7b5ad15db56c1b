// The overlay of a face of p with the underside of q, both convex polyhedra, seen along the face's
// normal: vertices of q over the face, vertices of the face under q, crossings of the face's edges
// with edges of q.
#pragma once

#include <array>

#include "sim/contact_alternatives.hpp"
#include "sim/contact_pair.hpp"

namespace perpend::sim {

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
  bool has(const OverlayPoint&) const;
  // Is the point one of the first `known` points, or on the line between two of them?
  bool spans(const Vector3d& x, int known) const;
};

inline constexpr double kSameWay =
    0.7;  // cosine: normals of features that touch along one direction

// Of face f of p; points within reach are added. With rims p or q is a triangle of a mesh.
void overlay(const PlacedPolyhedron& p, int f, const PlacedPolyhedron& q, const TriangleRim* of_p,
             const TriangleRim* of_q, double reach, Overlay& found);

}  // namespace perpend::sim
