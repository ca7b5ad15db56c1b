// Volume, centre and inertia of shapes at uniform density: closed forms, and for polyhedra the sum
// over the signed tetrahedra between the hull's triangles (a, b, c) and an inner point o. With all
// corners taken from o, D = det(a, b, c) and s = a + b + c,
//   volume D/6,  first moment D s/24,  second moment D (a a' + b b' + c c' + s s')/120.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "perpend/scene.hpp"
#include "scene/convex_hull.hpp"

namespace perpend {
namespace {

using std::numbers::pi;

// Inertia of a second moment: tr(S) 1 - S.
Matrix3d inertia_of(const Matrix3d& second_moment) {
  return second_moment.trace() * Matrix3d::Identity() - second_moment;
}

MassProperties round(double volume, double across, double along) {
  MassProperties m;
  m.volume = volume;
  m.inertia = Vector3d(across, across, along).asDiagonal();
  return m;
}

MassProperties capsule(double r, double h) {
  const double barrel = pi * r * r * h, caps = pi * r * r * r * 4 / 3;
  const double volume = barrel + caps;
  const double across =
      barrel * (r * r / 4 + h * h / 12) + caps * (0.4 * r * r + 0.375 * h * r + h * h / 4);
  const double along = barrel * r * r / 2 + caps * 0.4 * r * r;
  return round(volume, across / volume, along / volume);
}

MassProperties polyhedron(const std::vector<Vector3d>& points) {
  Vector3d o = Vector3d::Zero();
  for (const Vector3d& point : points) o += point / static_cast<double>(points.size());
  double volume = 0;
  Vector3d first = Vector3d::Zero();
  Matrix3d second = Matrix3d::Zero();
  for (const scene::Triangle& t : scene::convex_hull(points)) {
    const Vector3d a = points[t[0]] - o, b = points[t[1]] - o, c = points[t[2]] - o;
    const double determinant = a.dot(b.cross(c));
    const Vector3d s = a + b + c;
    volume += determinant / 6;
    first += determinant / 24 * s;
    second += determinant / 120 *
              (a * a.transpose() + b * b.transpose() + c * c.transpose() + s * s.transpose());
  }
  MassProperties m;
  if (volume <= 0) return m;
  const Vector3d centre = first / volume;
  m.volume = volume;
  m.centre = o + centre;
  m.inertia = inertia_of(second / volume - centre * centre.transpose());
  return m;
}

MassProperties compound(const std::vector<Part>& parts) {
  MassProperties m;
  std::vector<MassProperties> each;
  for (const Part& part : parts) {
    each.push_back(mass_properties(part.shape));
    MassProperties& p = each.back();
    const Matrix3d axes = part.pose.orientation.toRotationMatrix();
    p.centre = part.pose.position + axes * p.centre;
    p.inertia = axes * p.inertia * axes.transpose();
    m.volume += p.volume;
  }
  if (m.volume <= 0) return m;
  for (const MassProperties& p : each) m.centre += p.volume / m.volume * p.centre;
  m.inertia.setZero();
  for (const MassProperties& p : each) {
    const Vector3d arm = p.centre - m.centre;
    m.inertia += p.volume / m.volume * (p.inertia + inertia_of(arm * arm.transpose()));
  }
  return m;
}

// The largest distance of a point of the shape from `centre`, given in the shape's frame.
double reach(const Shape& shape, const Vector3d& centre) {
  const double across = std::hypot(centre.x(), centre.y());
  switch (shape.type) {
    case Shape::Type::box:
      return (shape.half_extents + centre.cwiseAbs()).norm();
    case Shape::Type::sphere:
      return shape.radius + centre.norm();
    case Shape::Type::cylinder:
      return std::hypot(across + shape.radius, std::abs(centre.z()) + shape.height / 2);
    case Shape::Type::cone:
      return std::max(std::hypot(across + shape.radius, centre.z() + shape.height / 2),
                      std::hypot(across, shape.height / 2 - centre.z()));
    case Shape::Type::capsule:
      return shape.radius + std::hypot(across, std::abs(centre.z()) + shape.height / 2);
    case Shape::Type::hull:
    case Shape::Type::mesh: {
      double farthest = 0;
      for (const Vector3d& point : shape.points)
        farthest = std::max(farthest, (point - centre).norm());
      return farthest;
    }
    case Shape::Type::compound: {
      double farthest = 0;
      for (const Part& part : shape.parts)
        farthest = std::max(farthest, reach(part.shape, part.pose.orientation.conjugate() *
                                                            (centre - part.pose.position)));
      return farthest;
    }
    case Shape::Type::height_field: {
      double largest = 0;
      for (double z : shape.heights) largest = std::max(largest, std::abs(z));
      const Vector3d half(static_cast<double>(shape.columns - 1) * shape.spacing / 2,
                          static_cast<double>(shape.rows - 1) * shape.spacing / 2, largest);
      return (half + centre.cwiseAbs()).norm();
    }
    case Shape::Type::plane:
      return std::numeric_limits<double>::infinity();
  }
  return 0;
}

}  // namespace

MassProperties mass_properties(const Shape& shape) {
  const double r = shape.radius, h = shape.height;
  switch (shape.type) {
    case Shape::Type::box: {
      MassProperties m;
      m.volume = 8 * shape.half_extents.prod();
      const Vector3d squares = shape.half_extents.cwiseAbs2() / 3;
      m.inertia = inertia_of(squares.asDiagonal());
      return m;
    }
    case Shape::Type::sphere:
      return round(pi * r * r * r * 4 / 3, 0.4 * r * r, 0.4 * r * r);
    case Shape::Type::cylinder:
      return round(pi * r * r * h, r * r / 4 + h * h / 12, r * r / 2);
    case Shape::Type::cone: {
      MassProperties m = round(pi * r * r * h / 3, 0.15 * r * r + 0.0375 * h * h, 0.3 * r * r);
      m.centre.z() = -h / 4;
      return m;
    }
    case Shape::Type::capsule:
      return capsule(r, h);
    case Shape::Type::hull:
      return polyhedron(shape.points);
    case Shape::Type::compound:
      return compound(shape.parts);
    case Shape::Type::height_field:
    case Shape::Type::mesh:
    case Shape::Type::plane:
      break;  // only fixed bodies have such shapes
  }
  return {};
}

Vector3d centre_of_mass(const Body& body) {
  if (body.centre_of_mass) return *body.centre_of_mass;
  return body.mass == 0 ? Vector3d::Zero() : mass_properties(body.shape).centre;
}

Matrix3d inertia(const Body& body) {
  if (body.mass == 0) return Matrix3d::Zero();
  if (body.inertia) return *body.inertia;
  const MassProperties m = mass_properties(body.shape);
  if (!body.centre_of_mass) return body.mass * m.inertia;
  const Vector3d arm = m.centre - *body.centre_of_mass;
  return body.mass * (m.inertia + inertia_of(arm * arm.transpose()));
}

double radius(const Body& body) { return reach(body.shape, centre_of_mass(body)); }

}  // namespace perpend
