#include <algorithm>
#include <array>
#include <cmath>

#include "sim/contact_pair.hpp"

namespace perpend::sim {
namespace {

// The face of a cube beyond edge k of face f.
int cube_neighbour(int f, int k) {
  static const std::array<std::array<int, 4>, 6> kFaces = [] {
    std::array<std::array<int, 4>, 6> table{};
    const Polyhedron& c = cube();
    for (std::size_t face = 0; face < 6; ++face)
      for (std::size_t i = 0; i < 4; ++i) {
        const auto corner = [&](std::size_t at) {
          return c.loop[static_cast<std::size_t>(c.faces[face].begin) + at % 4];
        };
        for (const Polyhedron::Edge& e : c.edges) {
          if (e.from == corner(i) && e.to == corner(i + 1)) table[face][i] = e.right;
          if (e.to == corner(i) && e.from == corner(i + 1)) table[face][i] = e.left;
        }
      }
    return table;
  }();
  return kFaces[static_cast<std::size_t>(f)][static_cast<std::size_t>(k)];
}

}  // namespace

Outline::Outline(const PlacedPolyhedron& p, int f, const TriangleRim* of_triangle)
    : normal(p.normal(f)), rim(of_triangle) {
  const Polyhedron::Face& face = p.face(f);
  // Of a face with more corners every second, third, ... is enough to lie over.
  const int step = (face.count + kMost - 1) / kMost;
  for (int i = 0; i < face.count; i += step) {
    corner[static_cast<std::size_t>(count)] = p.corner(face, i);
    from[static_cast<std::size_t>(count)] = p.vertex(p.corner(face, i));
    ++count;
  }
  for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k) {
    out[k] = p.is_box() ? p.normal(cube_neighbour(f, static_cast<int>(k)))
                        : (to(k) - from[k]).cross(normal).normalized();
    offset[k] = out[k].dot(from[k]);
  }
  level = normal.dot(from[0]);
}

double Outline::outside(const Vector3d& x) const {
  double most = -1e300;
  for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k)
    most = std::max(most, out[k].dot(x) - offset[k]);
  return most;
}

Entrance::Entrance(const PlacedPolyhedron& q, const Vector3d& n) : q_(q), n_(n) {
  if (q.is_box())
    for (int i = 0; i < 3; ++i) slopes_[static_cast<std::size_t>(i)] = q.normal(2 * i).dot(n);
}

namespace {

constexpr double kAlong = 1e-9;  // cosine: a face along which a line runs

}  // namespace

bool Entrance::of_box(const Vector3d& x, double& t, int& face) const {
  const Vector3d from = x - q_.centre();
  double in = -1e300, out = 1e300;
  for (int i = 0; i < 3; ++i) {
    const double slope = slopes_[static_cast<std::size_t>(i)], half = q_.half()[i];
    const double middle = q_.normal(2 * i).dot(from);
    if (std::abs(slope) < kAlong) {
      if (std::abs(middle) - half > kClip) return false;
      continue;
    }
    // It comes in through the face that looks towards it, and leaves through the opposite one.
    const bool positive = slope < 0;
    const double enters = ((positive ? half : -half) - middle) / slope;
    if (enters > in) {
      in = enters;
      face = positive ? 2 * i : 2 * i + 1;
    }
    out = std::min(out, ((positive ? -half - kClip : half + kClip) - middle) / slope);
  }
  t = in;
  return in <= out + kClip;
}

bool Entrance::of(const Vector3d& x, double& t, int& face) const {
  if (q_.is_box()) return of_box(x, t, face);
  if (q_.flat()) {
    const Outline outline(q_, 0, nullptr);
    const double slope = outline.normal.dot(n_);
    if (std::abs(slope) < kAlong) return false;
    face = slope < 0 ? 0 : 1;
    t = (outline.level - outline.normal.dot(x)) / slope;
    return outline.outside(x + t * n_) <= kClip;
  }
  double in = -1e300, out = 1e300;
  for (int f = 0; f < q_.face_count(); ++f) {
    const Vector3d& m = q_.normal(f);
    const double slope = m.dot(n_), distance = m.dot(x - q_.vertex(q_.corner(q_.face(f), 0)));
    if (std::abs(slope) < kAlong) {
      if (distance > kClip) return false;
    } else if (slope < 0) {
      if (-distance / slope > in) {
        in = -distance / slope;
        face = f;
      }
    } else {
      out = std::min(out, -(distance - kClip) / slope);
    }
  }
  t = in;
  return in <= out + kClip;
}

TriangleRim TriangleRim::face_only() const {
  TriangleRim bare;
  bare.edge = bare.corner = {false, false, false};
  bare.corners = corners;
  return bare;
}

bool TriangleRim::allows(const Vector3d& d) const {
  constexpr double kEqual = 1e-9;  // m
  const double h[3] = {d.dot(corners[0]), d.dot(corners[1]), d.dot(corners[2])};
  const double top = std::max({h[0], h[1], h[2]});
  std::array<bool, 3> highest{};
  for (std::size_t k = 0; k < 3; ++k) highest[k] = h[k] >= top - kEqual;
  const auto among = [](const Vector3d& x, const std::vector<Vector3d>& list) {
    return std::any_of(list.begin(), list.end(),
                       [&](const Vector3d& y) { return (x - y).squaredNorm() < kEqual * kEqual; });
  };
  const bool along_edge = highest[0] + highest[1] + highest[2] == 2;
  for (std::size_t k = 0; k < 3; ++k) {
    if (!highest[k]) continue;
    const std::size_t other = highest[(k + 1) % 3] ? (k + 1) % 3 : (k + 2) % 3;
    for (const Vector3d& x : around[k])
      // Along an edge only the triangles on either side of it count, not what is at its ends.
      if (d.dot(x) > top + kEqual && (!along_edge || among(x, around[other]))) return false;
  }
  return true;
}

}  // namespace perpend::sim
