#include "scene/build.hpp"

#include <cmath>
#include <utility>

namespace perpend::scene {

Shape box(double x, double y, double z) {
  Shape shape;
  shape.type = Shape::Type::box;
  shape.half_extents = Vector3d(x, y, z) / 2;
  return shape;
}

Shape sphere(double radius) {
  Shape shape;
  shape.type = Shape::Type::sphere;
  shape.radius = radius;
  return shape;
}

namespace {

Shape round(Shape::Type type, double radius, double height) {
  Shape shape;
  shape.type = type;
  shape.radius = radius;
  shape.height = height;
  return shape;
}

}  // namespace

Shape cylinder(double radius, double height) {
  return round(Shape::Type::cylinder, radius, height);
}
Shape cone(double radius, double height) { return round(Shape::Type::cone, radius, height); }
Shape capsule(double radius, double height) { return round(Shape::Type::capsule, radius, height); }

Shape hull(std::vector<Vector3d> points) {
  Shape shape;
  shape.type = Shape::Type::hull;
  shape.points = std::move(points);
  return shape;
}

Shape compound(std::vector<Part> parts) {
  Shape shape;
  shape.type = Shape::Type::compound;
  shape.parts = std::move(parts);
  return shape;
}

namespace {

Quaterniond about(double angle, const Vector3d& axis) {
  return Quaterniond(Eigen::AngleAxisd(angle, axis));
}

}  // namespace

Quaterniond about_x(double angle) { return about(angle, Vector3d::UnitX()); }
Quaterniond about_y(double angle) { return about(angle, Vector3d::UnitY()); }
Quaterniond about_z(double angle) { return about(angle, Vector3d::UnitZ()); }
Quaterniond z_along(const Vector3d& direction) {
  return Quaterniond::FromTwoVectors(Vector3d::UnitZ(), direction);
}

Scene start(std::string name, std::string title, std::string source, double step) {
  Scene scene;
  scene.name = std::move(name);
  scene.title = std::move(title);
  scene.source = std::move(source);
  scene.step = step;
  scene.steps = static_cast<Index>(std::lround(10 / step));
  return scene;
}

Index add(Scene& scene, std::string name, Shape shape, double mass, double mu,
          const Vector3d& position, const Quaterniond& orientation) {
  Body body;
  body.name = std::move(name);
  body.shape = std::move(shape);
  body.mass = mass;
  body.mu = mu;
  body.pose = {position, orientation};
  scene.bodies.push_back(std::move(body));
  return static_cast<Index>(scene.bodies.size()) - 1;
}

Body& body(Scene& scene, Index index) { return scene.bodies[static_cast<std::size_t>(index)]; }

Joint& join(Scene& scene, std::string name, Joint::Type type, Index first, Index second,
            const Vector3d& anchor, const Quaterniond& axes) {
  Joint joint;
  joint.name = std::move(name);
  joint.type = type;
  joint.first = first;
  joint.second = second;
  joint.frame = {anchor, axes};
  scene.joints.push_back(std::move(joint));
  return scene.joints.back();
}

void limit_rotations(Joint& joint, double x, double y, double z) {
  for (std::size_t k = 0; k < 3; ++k) joint.limits[k] = {0, 0};
  joint.limits[3] = {-x, x};
  joint.limits[4] = {-y, y};
  joint.limits[5] = {-z, z};
}

namespace {

Index add_slab(Scene& scene, std::string name, const Vector3d& edges, double mu,
               const Vector3d& centre, const Pose& frame) {
  return add(scene, std::move(name), box(edges.x(), edges.y(), edges.z()), 0, mu,
             frame.position + frame.orientation * centre, frame.orientation);
}

}  // namespace

Index add_floor(Scene& scene, double mu, double half_x, double half_y, const Pose& frame) {
  return add_slab(scene, "floor", {2 * half_x, 2 * half_y, 1}, mu, {0, 0, -0.5}, frame);
}

void add_room(Scene& scene, double mu, double half_x, double half_y, double height,
              const Pose& frame) {
  add_floor(scene, mu, half_x + 1, half_y + 1, frame);
  const Vector3d across(1, 2 * half_y + 2, height), along(2 * half_x + 2, 1, height);
  const double x = half_x + 0.5, y = half_y + 0.5, z = height / 2;
  add_slab(scene, "wall -x", across, mu, {-x, 0, z}, frame);
  add_slab(scene, "wall +x", across, mu, {x, 0, z}, frame);
  add_slab(scene, "wall -y", along, mu, {0, -y, z}, frame);
  add_slab(scene, "wall +y", along, mu, {0, y, z}, frame);
}

std::uint64_t Random::next() {
  state_ += 0x9e3779b97f4a7c15;
  std::uint64_t z = state_;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

double Random::uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }

double Random::uniform(double lower, double upper) { return lower + (upper - lower) * uniform(); }

Vector3d Random::in_box(const Vector3d& half) {
  const double x = uniform(-1, 1), y = uniform(-1, 1), z = uniform(-1, 1);
  return half.cwiseProduct(Vector3d(x, y, z));
}

// A point in the unit ball of four dimensions, by rejection, on its sphere.
Quaterniond Random::orientation() {
  for (;;) {
    const double w = uniform(-1, 1), x = uniform(-1, 1), y = uniform(-1, 1), z = uniform(-1, 1);
    const double square = w * w + x * x + y * y + z * z;
    if (square > 1 || square < 1e-4) continue;
    const double norm = std::sqrt(square);
    return {w / norm, x / norm, y / norm, z / norm};
  }
}

}  // namespace perpend::scene
