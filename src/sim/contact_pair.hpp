// What the parts of the contact generation share: one pair of convex pieces, now and at the end of
// the sweep, and where its contacts go.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "sim/contacts.hpp"
#include "sim/polyhedron.hpp"
#include "sim/solid.hpp"

class btCollisionShape;
class btStaticPlaneShape;

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
  double reach;       // m
  double turn;        // rad, of one piece relative to the other during the sweep
  bool moving;        // does the sweep change the pieces' relative pose by more than rounding
  bool alternatives;  // are contacts of polyhedra wanted with theirs
  bool swapped = false;
  std::uint64_t seed = 0;  // of both pieces' paths
  // What touches a triangle of a mesh that would rather leave it to its neighbours.
  std::vector<ContactPoint>* left = nullptr;

  Sink between(const Piece& a, const Piece& b, bool now_swapped) const {
    Sink s = *this;
    s.swapped = now_swapped;
    s.seed = now_swapped ? mixed(b.path, a.path) : mixed(a.path, b.path);
    return s;
  }

  // For what is left to the neighbours.
  Sink aside() const { return {*left, reach, turn, moving, false, swapped, seed}; }

  // For code that has the two pieces the other way round.
  Sink turned() const {
    Sink s = *this;
    s.swapped = !swapped;
    s.seed = ~seed;
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

// Turned about `centre` by the vector `angle`, and shifted.
Placement swept(const Placement&, const Vector3d& centre, const Vector3d& shift,
                const Vector3d& angle);

struct MovingSolid {
  Solid now, next;  // of a polyhedron that does not move, `next` is not set
};

// A convex piece with what its solid points to.
struct MovingConvex {
  MovingSolid solid;
  PlacedPolyhedron now, next;

  void place(const Piece&, bool moving, HullCache&);
  // `motion`: of the sweep.
  void place_triangle(const std::array<Vector3d, 3>& corners, const Placement& motion, bool moving);
};

// What the neighbours of a mesh's triangle leave of its edges and corners: nothing where the
// surface goes on flat or turns up.
struct TriangleRim {
  std::array<bool, 3> edge{true, true, true};    // from corner k to k + 1
  std::array<bool, 3> corner{true, true, true};  // an end of such an edge
  std::array<Vector3d, 3> corners;
  std::array<std::vector<Vector3d>, 3> around;  // the mesh's vertices next to each corner
  // The faces of the triangles around each corner, and whether they have edge k in common with it.
  struct Neighbour {
    Vector3d normal;
    std::array<bool, 3> at_edge{};
  };
  std::array<std::vector<Neighbour>, 3> faces;

  // Is a corner or edge of the triangle the mesh's highest point near it along d?
  bool allows(const Vector3d& d) const;
  // The same triangle with nothing but its face.
  TriangleRim face_only() const;
};

// The outline of a face: edge k leaves corner k, `out` looks away from the face in its plane.
struct Outline {
  static constexpr int kMost = 64;
  int count = 0;
  double level;  // of its plane along its normal
  Vector3d normal;
  std::array<int, kMost> corner;  // which vertices
  std::array<Vector3d, kMost> from, out;
  std::array<double, kMost> offset;
  const TriangleRim* rim;  // of a triangle

  Outline(const PlacedPolyhedron&, int face, const TriangleRim*);
  // Largest distance outside of an edge's line; negative inside.
  double outside(const Vector3d& x) const;
  bool has_edge(std::size_t k) const { return !rim || rim->edge[k]; }
  bool has_corner(std::size_t k) const { return !rim || rim->corner[k]; }
  const Vector3d& to(std::size_t k) const {
    return from[k + 1 == static_cast<std::size_t>(count) ? 0 : k + 1];
  }
};

// Where and through which face lines along n enter q.
class Entrance {
 public:
  Entrance(const PlacedPolyhedron& q, const Vector3d& n);
  // The line through x does at x + t n; false when it misses by more than kClip.
  bool of(const Vector3d& x, double& t, int& face) const;
  // Of face f's normal along n.
  double slope(int f) const {
    if (!q_.is_box()) return q_.normal(f).dot(n_);
    const double of_pair = slopes_[static_cast<std::size_t>(f / 2)];
    return f % 2 ? -of_pair : of_pair;
  }

 private:
  bool of_box(const Vector3d& x, double& t, int& face) const;

  const PlacedPolyhedron& q_;
  const Vector3d& n_;
  std::array<double, 3> slopes_;  // of a box: of its positive faces
};

// Which features meet where at least one of two is round: told apart in the number of a contact.
enum RoundKind : std::uint64_t {
  kTouching = 17,
  kGenerator,
  kRimOverEdge,
  kCornerUnderDisc,
  kVertexOverDisc,
  kEdgeOverDisc,
  kRimUnder,
  kRims,
  kSegments,
  kClosest
};

// A direction in which two convex pieces are, or are not, apart.
struct Separation {
  double now = -1e300, next = -1e300;  // m; before and after the sweep

  // 2: separates at the end of the sweep as well; 1: now; 0: never.
  int rank() const { return now < -kClip ? 0 : (next < -kClip ? 1 : 2); }
  // The part of the sweep after which it no longer separates.
  double lasts() const { return now > 0 ? now / (now - next) : 0; }
  // Differences below kClip are none: rounding must not change a contact set at rest.
  bool better_than(const Separation& o) const {
    constexpr double kSimultaneous = 1e-3;  // part of the sweep
    if (rank() != o.rank()) return rank() > o.rank();
    if (rank() == 0) return now > o.now + kClip;
    if (rank() == 1 && std::abs(lasts() - o.lasts()) > kSimultaneous) return lasts() > o.lasts();
    return next > o.next + kClip;
  }
};

// Of two bodies that are one convex piece each: what ContactFinder finds.
void find_contacts(const MovingConvex& first, const MovingConvex& second, double reach,
                   const Sweep&, std::vector<ContactPoint>&, ContactModel);

// Two convex pieces: one separating direction, and everything that may touch along it. With a rim
// `a` is a triangle of a mesh.
void contacts_of_convex(const MovingConvex& a, const MovingConvex& b, const TriangleRim*,
                        const Sink&);
// Of two polyhedra, and of two of which at least one is none.
void contacts_of_polyhedra(const MovingSolid& a, const MovingSolid& b, const TriangleRim*,
                           const Sink&);
void contacts_of_solids(const MovingSolid& a, const MovingSolid& b, const TriangleRim*,
                        const Sink&);

// The same of a sphere with a sphere or a box, in closed form; false: it is another pair.
bool contacts_of_sphere(const MovingSolid& a, const MovingSolid& b, const Sink&);

// Where the two do not overlap, nothing can be behind the triangle that also touches it.
void drop_behind(std::vector<ContactPoint>& contacts, std::size_t from, double apart);

// What lies below the plane normal . x = level.
struct HalfSpace {
  Vector3d normal;
  double level;  // m
};
HalfSpace half_space(const btStaticPlaneShape&, const Placement&);

// A half-space and a convex piece.
void contacts_on_plane(const Vector3d& n, double level, const Solid&, const Sink&);
// Of two bodies that are these.
void find_contacts_on_plane(const HalfSpace&, const Solid&, bool plane_first, double reach,
                            std::vector<ContactPoint>&);

// A mesh or height field, and a convex piece.
void contacts_on_mesh(const Piece& mesh, const Piece& convex, HullCache&, const Sink&);

}  // namespace perpend::sim
