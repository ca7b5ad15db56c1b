// What the parts of the contact generation share: one pair of convex pieces, now and at the end of
// the sweep, and where its contacts go.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/contacts.hpp"
#include "sim/polyhedron.hpp"

class btCollisionShape;

namespace perpend::sim {

inline constexpr double kClip = 1e-6;   // m: a point this far outside a face still lies over it
inline constexpr double kMerge = 1e-5;  // m: closer points, and points closer to a line, are one

// splitmix64's finalizer: features are told apart by a hash of what they are made of.
inline std::uint64_t mixed(std::uint64_t seed, std::uint64_t value) {
  std::uint64_t z = seed * 0x9e3779b97f4a7c15u + value + 0x632be59bd9b4e019u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

struct Piece {
  const btCollisionShape* shape;
  Placement now, next;  // before and after the sweep
  std::uint64_t path;   // which child of which child
};

// Where contacts go. Code that has its pieces the other way round sets `swapped`.
struct Sink {
  std::vector<ContactPoint>& out;
  double reach;  // m
  bool moving;   // does the sweep change the pieces' relative pose by more than rounding
  bool swapped = false;
  std::uint64_t seed = 0;  // of both pieces' paths

  Sink between(const Piece& a, const Piece& b, bool now_swapped) const {
    Sink s = *this;
    s.swapped = now_swapped;
    s.seed = now_swapped ? mixed(b.path, a.path) : mixed(a.path, b.path);
    return s;
  }

  // `normal` away from `first`'s surface; both in the order of the caller's pieces.
  void add(const Vector3d& first, const Vector3d& second, const Vector3d& normal, double gap,
           std::uint64_t kind, std::uint64_t i, std::uint64_t j = 0) const {
    const std::uint64_t feature = mixed(seed, (kind << 58) ^ (i << 29) ^ j);
    if (swapped)
      out.push_back({second, first, -normal, gap, feature});
    else
      out.push_back({first, second, normal, gap, feature});
  }
};

// A polyhedron now and after the sweep.
struct MovingPolyhedron {
  Placement place_now, place_next;
  PlacedPolyhedron now, next;
};

// True, and places the piece's polyhedron, when it is one.
bool place_polyhedron(const Piece&, bool moving, HullCache&, MovingPolyhedron&);

// Two polyhedra: one separating direction, and everything that may touch along it.
void contacts_of_polyhedra(const MovingPolyhedron& a, const MovingPolyhedron& b, const Sink&);

// A half-space below the plane n . x = level, and a convex piece.
void contacts_on_plane(const Vector3d& n, double level, const Piece&, HullCache&, const Sink&);

// Two convex pieces of which at least one is not a polyhedron.
void contacts_of_round(const Piece& a, const Piece& b, HullCache&, const Sink&);

}  // namespace perpend::sim
