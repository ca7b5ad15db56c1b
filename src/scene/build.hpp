// What the built-in scenes are made of: shapes, bodies, floors, walls, random numbers.
#pragma once

#include <numbers>

#include "perpend/scene.hpp"

namespace perpend::scene {

using Eigen::Quaterniond;

inline constexpr double kDegree = std::numbers::pi / 180;
// A unit square turned by 45 degrees, so far off the middle of another (m): they have a pentagon in
// common, since one corner lies inside and two sides of the other cut two edges.
inline constexpr double kPentagon = 0.3;

Shape box(double x, double y, double z);  // edges, m
Shape sphere(double radius);
Shape cylinder(double radius, double height);
Shape cone(double radius, double height);
Shape capsule(double radius, double height);
Shape hull(std::vector<Vector3d> points);
Shape compound(std::vector<Part> parts);

Quaterniond about_x(double angle);
Quaterniond about_y(double angle);
Quaterniond about_z(double angle);
// The shortest turn that takes z to `direction`: where the axis of a capsule shall point.
Quaterniond z_along(const Vector3d& direction);

// An empty scene, ten seconds long.
Scene start(std::string name, std::string title, std::string source, double step = 1.0 / 60);

// Adds a body and returns its index; mass 0 is fixed.
Index add(Scene&, std::string name, Shape, double mass, double mu, const Vector3d& position,
          const Quaterniond& = Quaterniond::Identity());
Body& body(Scene&, Index);

// Adds a joint between two bodies (-1: the world), all free and without motors but for what its
// type holds.
Joint& join(Scene&, std::string name, Joint::Type, Index first, Index second,
            const Vector3d& anchor, const Quaterniond& = Quaterniond::Identity());
// The translations of a generic joint are locked, its rotations limited to +- x, y, z.
void limit_rotations(Joint&, double x, double y, double z);

// The top face of the floor is z = 0 of `frame`; it reaches `half_x`, `half_y` from its origin and
// 1 m down.
Index add_floor(Scene&, double mu, double half_x, double half_y, const Pose& frame = {});
// The floor and four walls of that height around it (their inner faces): five fixed bodies.
void add_room(Scene&, double mu, double half_x, double half_y, double height,
              const Pose& frame = {});

// The same numbers on every machine: splitmix64 (Steele, Lea, Flood 2014).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next();
  double uniform();  // [0, 1)
  double uniform(double lower, double upper);
  Vector3d in_box(const Vector3d& half);
  Quaterniond orientation();  // uniform over all rotations

 private:
  std::uint64_t state_;
};

}  // namespace perpend::scene
