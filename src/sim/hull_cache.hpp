// The polyhedra of Bullet's convex shapes, margins removed.
//
// They are exact where a shape hands out vertices. Of any other shape only the support function is
// known. Its surface is then sampled: from a few directions first, and again and again along the
// normals of the hull of all points so far, where the surface is farthest outside. That finds every
// corner of a polytope, and what is curved becomes a polyhedron inside of it.
#pragma once

#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

#include "sim/polyhedron.hpp"

class btConvexShape;

namespace perpend::sim {

// Hulls are computed once per shape.
class HullCache {
 public:
  // Without faces it is a point or a line.
  const Polyhedron& of(const btConvexShape&);

 private:
  struct Entry {
    std::vector<Vector3d> key;  // what the hull was made from: a shape may change, or die and leave
    Polyhedron polyhedron;      // its address to another
  };
  std::unordered_map<const btConvexShape*, std::unique_ptr<Entry>> entries_;
};

// The point farthest along a unit vector.
using Support = std::function<Vector3d(const Vector3d&)>;

inline constexpr std::size_t kSamples = 128;  // of a surface, and some more of flat sides

// Of what has this support function. A ball lacks up to 5 % of its radius.
Polyhedron sampled(const Support&);

}  // namespace perpend::sim
