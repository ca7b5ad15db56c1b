// What the scenes of the cases are made of, and how two states are compared.
#pragma once

#include <numbers>

#include "perpend/verify.hpp"

namespace perpend::verify {

using Eigen::Quaterniond;

inline constexpr double kGravity = 9.81;  // m/s^2
inline constexpr double kStep = 1.0 / 60;
inline constexpr double kDegree = std::numbers::pi / 180;

// A moving body; it keeps what `Body` has by itself where nothing is said.
Body moving(Shape shape, double mass, const Vector3d& position,
            const Quaterniond& turn = Quaterniond::Identity());
Shape box(const Vector3d& edges);  // m
Shape sphere(double radius);
Shape capsule(double radius, double height);
Shape cylinder(double radius, double height);
// The half-space below z = 0 of `frame`.
Body ground(double mu, const Pose& frame = {});
Joint joint(Joint::Type, Index first, Index second, const Pose& frame);

Quaterniond about(const Vector3d& axis, double angle);
Vector3d position(const State&, Index body);
Quaterniond orientation(const State&, Index body);
Vector3d velocity(const State&, Index body);
Vector3d spin(const State&, Index body);
// The angle between two orientations, rad.
double angle_between(const Quaterniond&, const Quaterniond&);
// Kinetic energy and m g z of the moving bodies. J
double energy(const Scene&, const State&);
// The largest |dx| of the moving bodies, m.
double farthest(const Scene&, const State&, const State&);

// The whole scene turned about the origin, gravity too.
Scene turned(Scene scene, const Quaterniond& turn);

}  // namespace perpend::verify
