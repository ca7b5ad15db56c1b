#include "verify/make.hpp"

#include <algorithm>
#include <cmath>

namespace perpend::verify {

Body moving(Shape shape, double mass, const Vector3d& position, const Quaterniond& turn) {
  Body body;
  body.shape = std::move(shape);
  body.mass = mass;
  body.pose.position = position;
  body.pose.orientation = turn;
  return body;
}

Shape box(const Vector3d& edges) {
  Shape shape;
  shape.half_extents = edges / 2;
  return shape;
}

Shape sphere(double radius) {
  Shape shape;
  shape.type = Shape::Type::sphere;
  shape.radius = radius;
  return shape;
}

Shape capsule(double radius, double height) {
  Shape shape;
  shape.type = Shape::Type::capsule;
  shape.radius = radius;
  shape.height = height;
  return shape;
}

Shape cylinder(double radius, double height) {
  Shape shape = capsule(radius, height);
  shape.type = Shape::Type::cylinder;
  return shape;
}

Body ground(double mu, const Pose& frame) {
  Body body;
  body.name = "ground";
  body.shape.type = Shape::Type::plane;
  body.mu = mu;
  body.pose = frame;
  return body;
}

Joint joint(Joint::Type type, Index first, Index second, const Pose& frame) {
  Joint out;
  out.type = type;
  out.first = first;
  out.second = second;
  out.frame = frame;
  return out;
}

Quaterniond about(const Vector3d& axis, double angle) {
  return Quaterniond(Eigen::AngleAxisd(angle, axis.normalized()));
}

Vector3d position(const State& state, Index body) { return state.positions.row(body).transpose(); }

Quaterniond orientation(const State& state, Index body) {
  const auto q = state.quaternions.row(body);
  return {q[0], q[1], q[2], q[3]};
}

Vector3d velocity(const State& state, Index body) {
  return state.velocities.row(body).head<3>().transpose();
}

Vector3d spin(const State& state, Index body) {
  return state.velocities.row(body).tail<3>().transpose();
}

double angle_between(const Quaterniond& a, const Quaterniond& b) { return a.angularDistance(b); }

double energy(const Scene& scene, const State& state) {
  double sum = 0;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const Body& body = scene.bodies[i];
    if (body.mass <= 0) continue;
    const auto row = static_cast<Index>(i);
    const Vector3d w = orientation(state, row).conjugate() * spin(state, row);
    sum += body.mass *
               (velocity(state, row).squaredNorm() / 2 - scene.gravity.dot(position(state, row))) +
           w.dot(inertia(body) * w) / 2;
  }
  return sum;
}

double farthest(const Scene& scene, const State& a, const State& b) {
  double worst = 0;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const auto row = static_cast<Index>(i);
    if (scene.bodies[i].mass > 0)
      worst = std::max(worst, (position(a, row) - position(b, row)).norm());
  }
  return worst;
}

Scene turned(Scene scene, const Quaterniond& turn) {
  scene.gravity = turn * scene.gravity;
  const auto turn_pose = [&](Pose& pose) {
    pose.position = turn * pose.position;
    pose.orientation = turn * pose.orientation;
  };
  for (Body& body : scene.bodies) {
    turn_pose(body.pose);
    body.velocity << turn * body.velocity.head<3>(), turn * body.velocity.tail<3>();
  }
  for (Joint& one : scene.joints) turn_pose(one.frame);
  return scene;
}

}  // namespace perpend::verify
