// Incremental convex hull with an exact orientation test: points are added one by one, the
// triangles that see the new point strictly from outside are replaced by a fan over their border.
// A point in the plane of a triangle does not see it, so that faces with many coplanar points come
// out as several coplanar triangles and no triangle is ever degenerate: a border edge in line with
// the new point would have both its triangles in one plane with it, and so be no border.
//
// The sign of the determinant |a-d, b-d, c-d| is taken from floating-point arithmetic where that is
// certain, else from exact sums of non-overlapping doubles (Priest 1991, Shewchuk 1997).
#include "scene/convex_hull.hpp"

#include <Eigen/Geometry>
#include <cmath>
#include <set>
#include <utility>

#include "perpend/scene.hpp"

namespace perpend::scene {
namespace {

// Components in increasing magnitude whose exact sum is the number.
using Expansion = std::vector<double>;

// s + e = a + b exactly (Knuth).
std::pair<double, double> exact_sum(double a, double b) {
  const double s = a + b;
  const double b_part = s - a;
  const double a_part = s - b_part;
  return {s, (a - a_part) + (b - b_part)};
}

Expansion plus(const Expansion& x, double b) {
  Expansion sum;
  double carried = b;
  for (double component : x) {
    const auto [s, e] = exact_sum(carried, component);
    if (e != 0) sum.push_back(e);
    carried = s;
  }
  if (carried != 0) sum.push_back(carried);
  return sum;
}

Expansion plus(const Expansion& x, const Expansion& y) {
  Expansion sum = x;
  for (double component : y) sum = plus(sum, component);
  return sum;
}

Expansion negative(Expansion x) {
  for (double& component : x) component = -component;
  return x;
}

Expansion times(const Expansion& x, const Expansion& y) {
  Expansion product;
  for (double a : x)
    for (double b : y) {
      const double p = a * b;
      product = plus(product, std::fma(a, b, -p));
      product = plus(product, p);
    }
  return product;
}

int sign(const Expansion& x) { return x.empty() ? 0 : (x.back() > 0 ? 1 : -1); }

int exact_side(const Vector3d& a, const Vector3d& b, const Vector3d& c, const Vector3d& d) {
  std::array<std::array<Expansion, 3>, 3> m;
  const std::array<const Vector3d*, 3> corners{&a, &b, &c};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k < 3; ++k) {
      const Index axis = static_cast<Index>(k);
      m[i][k] = plus(Expansion{(*corners[i])[axis]}, -d[axis]);
    }
  Expansion determinant;
  for (std::size_t k = 0; k < 3; ++k) {
    const std::size_t l = (k + 1) % 3, n = (k + 2) % 3;
    const Expansion minor = plus(times(m[1][l], m[2][n]), negative(times(m[1][n], m[2][l])));
    determinant = plus(determinant, times(m[0][k], minor));
  }
  return -sign(determinant);
}

}  // namespace

int side(const Vector3d& a, const Vector3d& b, const Vector3d& c, const Vector3d& d) {
  const Vector3d u = a - d, v = b - d, w = c - d;
  const Vector3d minor = v.cross(w);
  const Vector3d bound(std::abs(v.y() * w.z()) + std::abs(v.z() * w.y()),
                       std::abs(v.z() * w.x()) + std::abs(v.x() * w.z()),
                       std::abs(v.x() * w.y()) + std::abs(v.y() * w.x()));
  const double determinant = u.dot(minor);
  // Eight roundings on the way of every product, 2^-53 each.
  if (std::abs(determinant) > 1e-15 * u.cwiseAbs().dot(bound)) return determinant > 0 ? -1 : 1;
  return exact_side(a, b, c, d);
}

std::vector<Triangle> convex_hull(const std::vector<Vector3d>& points) {
  // Four points that span a volume.
  const std::size_t n = points.size();
  std::size_t second = 1;
  while (second < n && points[second] == points[0]) ++second;
  if (second >= n) return {};
  // Points in one line with the first two are in one plane with them and any other point.
  const auto in_line = [&](std::size_t i) {
    const double far = 1 + points[0].cwiseAbs().maxCoeff() + points[second].cwiseAbs().maxCoeff();
    for (Index k = 0; k < 3; ++k) {
      const Vector3d off = points[0] + Vector3d::Unit(k) * far;
      if (side(points[0], points[second], off, points[i]) != 0) return false;
    }
    return true;
  };
  std::size_t third = second + 1;
  while (third < n && in_line(third)) ++third;
  if (third >= n) return {};
  std::size_t fourth = third + 1;
  while (fourth < n && side(points[0], points[second], points[third], points[fourth]) == 0)
    ++fourth;
  if (fourth >= n) return {};

  Triangle base{0, second, third};
  if (side(points[0], points[second], points[third], points[fourth]) > 0)
    std::swap(base[1], base[2]);
  std::vector<Triangle> hull{base};
  for (std::size_t k = 0; k < 3; ++k) hull.push_back({base[(k + 1) % 3], base[k], fourth});

  for (std::size_t i = 0; i < n; ++i) {
    const auto sees = [&](const Triangle& t) {
      return side(points[t[0]], points[t[1]], points[t[2]], points[i]) > 0;
    };
    std::vector<Triangle> kept;
    std::set<std::pair<std::size_t, std::size_t>> seen_edges;
    for (const Triangle& t : hull) {
      if (!sees(t)) {
        kept.push_back(t);
        continue;
      }
      for (std::size_t k = 0; k < 3; ++k) seen_edges.insert({t[k], t[(k + 1) % 3]});
    }
    if (kept.size() == hull.size()) continue;
    for (const auto& edge : seen_edges)
      if (!seen_edges.contains({edge.second, edge.first}))
        kept.push_back({edge.first, edge.second, i});
    hull = std::move(kept);
  }
  return hull;
}

}  // namespace perpend::scene

namespace perpend {

std::vector<std::array<Index, 3>> hull_triangles(const std::vector<Vector3d>& points) {
  std::vector<std::array<Index, 3>> out;
  for (const scene::Triangle& t : scene::convex_hull(points))
    out.push_back({static_cast<Index>(t[0]), static_cast<Index>(t[1]), static_cast<Index>(t[2])});
  return out;
}

}  // namespace perpend
