#include "model/weight.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace perpend::model {
namespace {

Matrix3d steiner(double mass, const Vector3d& arm) {
  return mass * (arm.squaredNorm() * Matrix3d::Identity() - arm * arm.transpose());
}

}  // namespace

Pose operator*(const Pose& a, const Pose& b) {
  return {a.position + a.orientation * b.position, (a.orientation * b.orientation).normalized()};
}

Pose inverse(const Pose& a) {
  const Eigen::Quaterniond turn = a.orientation.conjugate();
  return {-(turn * a.position), turn};
}

Vector3d at(const Pose& pose, const Vector3d& point) {
  return pose.position + pose.orientation * point;
}

Eigen::Quaterniond towards(const Vector3d& axis) {
  return Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitZ(), axis).normalized();
}

Matrix3d turned(const Matrix3d& inertia, const Eigen::Quaterniond& turn) {
  const Matrix3d axes = turn.toRotationMatrix();
  return axes * inertia * axes.transpose();
}

Weight sum(const Weight& a, const Weight& b) {
  Weight out;
  out.mass = a.mass + b.mass;
  if (!(out.mass > 0)) return out;
  out.centre = (a.mass * a.centre + b.mass * b.centre) / out.mass;
  out.inertia = a.inertia + b.inertia + steiner(a.mass, a.centre - out.centre) +
                steiner(b.mass, b.centre - out.centre);
  return out;
}

bool endless(Shape::Type type) {
  return type == Shape::Type::plane || type == Shape::Type::mesh ||
         type == Shape::Type::height_field;
}

Weight weight_of(const std::vector<LinkShape>& shapes, double density) {
  Weight out;
  for (const LinkShape& one : shapes) {
    if (endless(one.shape.type)) continue;
    const MassProperties m = mass_properties(one.shape);
    Weight part;
    part.mass = density * m.volume;
    part.centre = at(one.pose, m.centre);
    part.inertia = turned(part.mass * m.inertia, one.pose.orientation);
    out = sum(out, part);
  }
  return out;
}

double lowest_of(const Shape& shape, const Pose& pose) {
  const Vector3d down = pose.orientation.conjugate() * -Vector3d::UnitZ();
  const double z = pose.position.z();
  const double aside = std::hypot(down.x(), down.y());
  switch (shape.type) {
    case Shape::Type::box:
      return z - down.cwiseAbs().dot(shape.half_extents);
    case Shape::Type::sphere:
      return z - shape.radius;
    case Shape::Type::cylinder:
      return z - std::abs(down.z()) * shape.height / 2 - aside * shape.radius;
    case Shape::Type::capsule:
      return z - std::abs(down.z()) * shape.height / 2 - shape.radius;
    case Shape::Type::cone:
      return z - std::max(down.z() * shape.height / 2,
                          -down.z() * shape.height / 2 + aside * shape.radius);
    case Shape::Type::hull:
    case Shape::Type::mesh: {
      double out = std::numeric_limits<double>::infinity();
      for (const Vector3d& point : shape.points) out = std::min(out, at(pose, point).z());
      return out;
    }
    case Shape::Type::compound: {
      double out = std::numeric_limits<double>::infinity();
      for (const Part& part : shape.parts)
        out = std::min(out, lowest_of(part.shape, pose * part.pose));
      return out;
    }
    case Shape::Type::height_field:
    case Shape::Type::plane:
      break;
  }
  return std::numeric_limits<double>::infinity();
}

}  // namespace perpend::model
