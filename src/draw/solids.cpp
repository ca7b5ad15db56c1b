// Shapes as triangles with normals. Round shapes bring their exact normals. Triangles of hulls,
// meshes and height fields are grouped into facets across edges that are flat (hulls) or nearly so;
// within a facet a point's normal is the mean of the triangles' around it, weighted by their angles
// there.
#include "draw/solids.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>

#include "perpend/base.hpp"

namespace perpend::draw {
namespace {

using std::numbers::pi;
using Indices = std::array<std::size_t, 3>;

constexpr double kFlat = 1e-3;                 // rad
constexpr double kSmooth = 25.0 / 180.0 * pi;  // rad, a mesh is round where it turns by less

int segments(double radius, double chord) {
  const double part = std::clamp(chord / std::max(radius, 1e-300), 1e-6, 0.5);
  return std::clamp(static_cast<int>(std::ceil(pi / std::acos(1 - part))), 16, 128);
}

Vector3d around(double angle, double radius, double z) {
  return {radius * std::cos(angle), radius * std::sin(angle), z};
}

void quad(Solid& solid, const std::array<Vector3d, 4>& p, const std::array<Vector3d, 4>& n,
          int facet) {
  solid.triangles.push_back({{p[0], p[1], p[2]}, {n[0], n[1], n[2]}, facet});
  solid.triangles.push_back({{p[0], p[2], p[3]}, {n[0], n[2], n[3]}, facet});
}

void flat_quad(Solid& solid, const std::array<Vector3d, 4>& p, int facet) {
  const Vector3d n = (p[1] - p[0]).cross(p[2] - p[0]).normalized();
  quad(solid, p, {n, n, n, n}, facet);
}

Solid box(const Vector3d& half) {
  Solid out;
  for (Index axis = 0; axis < 3; ++axis)
    for (const double side : {-1.0, 1.0}) {
      const Vector3d a = Vector3d::Unit(axis) * half[axis] * side;
      const Vector3d u = Vector3d::Unit((axis + 1) % 3) * half[(axis + 1) % 3] * side;
      const Vector3d v = Vector3d::Unit((axis + 2) % 3) * half[(axis + 2) % 3];
      flat_quad(out, {a - u - v, a + u - v, a + u + v, a - u + v},
                static_cast<int>(2 * axis) + (side > 0 ? 1 : 0));
    }
  return out;
}

void disc(Solid& solid, double radius, double z, double side, int n, int facet) {
  const Vector3d normal(0, 0, side), middle(0, 0, z);
  for (int i = 0; i < n; ++i) {
    const Vector3d a = around(2 * pi * i / n, radius, z),
                   b = around(2 * pi * (i + 1) / n, radius, z);
    solid.triangles.push_back(
        {{middle, side > 0 ? a : b, side > 0 ? b : a}, {normal, normal, normal}, facet});
  }
}

// A surface of revolution about z: the profile's points and normals (radius, z), from below.
struct Profile {
  double radius, z, normal_radius, normal_z;
};
void revolve(Solid& solid, const std::vector<Profile>& profile, int n, int facet) {
  for (std::size_t k = 0; k + 1 < profile.size(); ++k)
    for (int i = 0; i < n; ++i) {
      const double a = 2 * pi * i / n, b = 2 * pi * (i + 1) / n;
      const Profile &low = profile[k], &high = profile[k + 1];
      const std::array<Vector3d, 4> p{around(a, low.radius, low.z), around(b, low.radius, low.z),
                                      around(b, high.radius, high.z),
                                      around(a, high.radius, high.z)};
      const std::array<Vector3d, 4> m{around(a, low.normal_radius, low.normal_z),
                                      around(b, low.normal_radius, low.normal_z),
                                      around(b, high.normal_radius, high.normal_z),
                                      around(a, high.normal_radius, high.normal_z)};
      if (low.radius > 0)
        solid.triangles.push_back({{p[0], p[1], p[2]}, {m[0], m[1], m[2]}, facet});
      if (high.radius > 0)
        solid.triangles.push_back({{p[0], p[2], p[3]}, {m[0], m[2], m[3]}, facet});
    }
}

// Two half spheres, `height` apart.
Solid capsule(double radius, double height, double chord) {
  Solid out;
  const int n = segments(radius, chord), rings = (n + 3) / 4;
  std::vector<Profile> profile;
  for (const double side : {-1.0, 1.0})
    for (int k = 0; k <= rings; ++k) {
      const double angle = side < 0 ? pi / 2 * (k - rings) / rings : pi / 2 * k / rings;
      // cos(pi/2) is not quite zero, and a pole must be a point.
      const bool pole = side < 0 ? k == 0 : k == rings;
      const double c = pole ? 0 : std::cos(angle), s = std::sin(angle);
      if (height == 0 && side > 0 && k == 0) continue;  // a sphere's equator comes once
      profile.push_back({radius * c, radius * s + side * height / 2, c, s});
    }
  revolve(out, profile, n, 0);
  return out;
}

Solid cylinder(double radius, double height, double chord) {
  Solid out;
  const int n = segments(radius, chord);
  revolve(out, {{radius, -height / 2, 1, 0}, {radius, height / 2, 1, 0}}, n, 0);
  disc(out, radius, -height / 2, -1, n, 1);
  disc(out, radius, height / 2, 1, n, 2);
  return out;
}

Solid cone(double radius, double height, double chord) {
  Solid out;
  const int n = segments(radius, chord);
  const double slant = std::hypot(radius, height);
  const double c = height / slant, s = radius / slant;
  for (int i = 0; i < n; ++i) {
    const double a = 2 * pi * i / n, b = 2 * pi * (i + 1) / n;
    out.triangles.push_back({{around(a, radius, -height / 2), around(b, radius, -height / 2),
                              Vector3d(0, 0, height / 2)},
                             {around(a, c, s), around(b, c, s), around((a + b) / 2, c, s)},
                             0});
  }
  disc(out, radius, -height / 2, -1, n, 1);
  return out;
}

// Facets join across edges that turn by at most `angle`.
Solid faceted(const std::vector<Vector3d>& points, const std::vector<Indices>& all, double angle,
              bool closed) {
  // Points given twice are one.
  const auto before = [](const Vector3d& a, const Vector3d& b) {
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
  };
  std::map<Vector3d, std::size_t, decltype(before)> known(before);
  std::vector<std::size_t> same(points.size());
  for (std::size_t i = 0; i < points.size(); ++i)
    same[i] = known.try_emplace(points[i], i).first->second;

  std::vector<Indices> triangles;
  std::vector<Vector3d> normals;
  for (const Indices& t : all) {
    const Indices welded{same[t[0]], same[t[1]], same[t[2]]};
    const Vector3d area = (points[t[1]] - points[t[0]]).cross(points[t[2]] - points[t[0]]);
    if (!(area.norm() > 0)) continue;
    triangles.push_back(welded);
    normals.push_back(area.normalized());
  }
  DisjointSets facets(static_cast<std::ptrdiff_t>(triangles.size()));
  const auto facet_of = [&](std::size_t i) { return facets.of(static_cast<std::ptrdiff_t>(i)); };
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> sides;
  const double least = std::cos(angle);
  for (std::size_t i = 0; i < triangles.size(); ++i)
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t a = triangles[i][k], b = triangles[i][(k + 1) % 3];
      const auto [at, first] = sides.try_emplace(std::minmax(a, b), i);
      if (first) continue;
      if (normals[i].dot(normals[at->second]) >= least - 1e-12)
        facets.join(static_cast<std::ptrdiff_t>(i), static_cast<std::ptrdiff_t>(at->second));
    }

  std::map<std::pair<std::ptrdiff_t, std::size_t>, Vector3d> smooth;  // facet, point
  const auto corner_angle = [&](const Indices& t, std::size_t k) {
    const Vector3d u = points[t[(k + 1) % 3]] - points[t[k]];
    const Vector3d v = points[t[(k + 2) % 3]] - points[t[k]];
    return std::atan2(u.cross(v).norm(), u.dot(v));
  };
  for (std::size_t i = 0; i < triangles.size(); ++i)
    for (std::size_t k = 0; k < 3; ++k) {
      Vector3d& sum =
          smooth.try_emplace({facet_of(i), triangles[i][k]}, Vector3d::Zero()).first->second;
      sum += corner_angle(triangles[i], k) * normals[i];
    }
  Solid out;
  out.closed = closed;
  for (std::size_t i = 0; i < triangles.size(); ++i) {
    Corner3 one;
    one.facet = static_cast<int>(facet_of(i));
    for (std::size_t k = 0; k < 3; ++k) {
      one.points[k] = points[triangles[i][k]];
      one.normals[k] = smooth.at({facet_of(i), triangles[i][k]}).normalized();
    }
    out.triangles.push_back(one);
  }
  return out;
}

std::vector<Indices> indices(const std::vector<std::array<Index, 3>>& triangles) {
  std::vector<Indices> out;
  for (const auto& [a, b, c] : triangles)
    out.push_back(
        {static_cast<std::size_t>(a), static_cast<std::size_t>(b), static_cast<std::size_t>(c)});
  return out;
}

Solid height_field(const Shape& shape) {
  const auto columns = static_cast<std::size_t>(shape.columns);
  const auto rows = static_cast<std::size_t>(shape.rows);
  std::vector<Vector3d> points;
  for (std::size_t j = 0; j < rows; ++j)
    for (std::size_t i = 0; i < columns; ++i)
      points.emplace_back(
          (static_cast<double>(i) - static_cast<double>(columns - 1) / 2) * shape.spacing,
          (static_cast<double>(j) - static_cast<double>(rows - 1) / 2) * shape.spacing,
          shape.heights[j * columns + i]);
  std::vector<Indices> triangles;
  for (std::size_t j = 0; j + 1 < rows; ++j)
    for (std::size_t i = 0; i + 1 < columns; ++i) {
      const std::size_t a = j * columns + i, c = a + columns;
      triangles.push_back({a, a + 1, c});
      triangles.push_back({a + 1, c + 1, c});
    }
  return faceted(points, triangles, kSmooth, false);
}

Solid plane(const Vector3d& centre, double half) {
  Solid out;
  out.closed = false;
  const Vector3d m(centre.x(), centre.y(), 0);
  const Vector3d x = Vector3d::UnitX() * half, y = Vector3d::UnitY() * half;
  flat_quad(out, {m - x - y, m + x - y, m + x + y, m - x + y}, 0);
  return out;
}

void move(Solid& solid, const Pose& pose) {
  for (Corner3& triangle : solid.triangles)
    for (std::size_t k = 0; k < 3; ++k) {
      triangle.points[k] = pose.position + pose.orientation * triangle.points[k];
      triangle.normals[k] = pose.orientation * triangle.normals[k];
    }
}

}  // namespace

std::vector<Solid> solids(const Shape& shape, double chord, const Vector3d& plane_centre,
                          double plane_half) {
  std::vector<Solid> out;
  switch (shape.type) {
    case Shape::Type::box:
      out.push_back(box(shape.half_extents));
      break;
    case Shape::Type::sphere:
      out.push_back(capsule(shape.radius, 0, chord));
      break;
    case Shape::Type::cylinder:
      out.push_back(cylinder(shape.radius, shape.height, chord));
      break;
    case Shape::Type::cone:
      out.push_back(cone(shape.radius, shape.height, chord));
      break;
    case Shape::Type::capsule:
      out.push_back(capsule(shape.radius, shape.height, chord));
      break;
    case Shape::Type::hull:
      out.push_back(faceted(shape.points, indices(hull_triangles(shape.points)), kFlat, true));
      break;
    case Shape::Type::compound:
      for (const Part& part : shape.parts) {
        const Vector3d centre =
            part.pose.orientation.conjugate() * (plane_centre - part.pose.position);
        for (Solid& solid : solids(part.shape, chord, centre, plane_half)) {
          move(solid, part.pose);
          out.push_back(std::move(solid));
        }
      }
      return out;
    case Shape::Type::height_field:
      out.push_back(height_field(shape));
      break;
    case Shape::Type::mesh:
      out.push_back(faceted(shape.points, indices(shape.triangles), kSmooth, false));
      break;
    case Shape::Type::plane:
      out.push_back(plane(plane_centre, plane_half));
      break;
  }
  out.front().type = shape.type;
  return out;
}

}  // namespace perpend::draw
