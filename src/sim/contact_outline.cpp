#include <algorithm>

#include "sim/contact_pair.hpp"

namespace perpend::sim {

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
    out[k] = (to(k) - from[k]).cross(normal).normalized();
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

bool enters(const PlacedPolyhedron& q, const Vector3d& x, const Vector3d& n, double& t, int& face) {
  if (q.flat()) {
    const Outline outline(q, 0, nullptr);
    const double slope = outline.normal.dot(n);
    if (std::abs(slope) < 1e-9) return false;
    face = slope < 0 ? 0 : 1;
    t = (outline.level - outline.normal.dot(x)) / slope;
    return outline.outside(x + t * n) <= kClip;
  }
  double in = -1e300, out = 1e300;
  for (int f = 0; f < q.face_count(); ++f) {
    const Vector3d& m = q.normal(f);
    const double slope = m.dot(n), distance = m.dot(x - q.vertex(q.corner(q.face(f), 0)));
    if (std::abs(slope) < 1e-9) {
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
