// A scene in Siconos: NewtonEuler bodies, Moreau and Jean's time stepping, its Bullet collision
// manager. Plain numbers, because this header stands between files that include Siconos (C++17) and
// files that know a Scene (C++20).
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "capture/siconos/step.hpp"

namespace perpend::capture::from_siconos {

struct SiconosScene {
  struct Shape {
    enum class Type { box, sphere, cylinder, cone, capsule, hull, plane };
    Type type = Type::box;
    std::array<double, 3> size{};               // box: edges; else radius, height
    std::vector<std::array<double, 3>> points;  // of a hull
    std::array<double, 7> pose{};  // in the body's axes, or in the world; x, y, z and w, x, y, z
  };
  struct Body {
    std::int64_t id = 0;
    double mass = 0;                   // 0: stands still
    std::array<double, 9> inertia{};   // axes of the body
    std::array<double, 7> pose{};      // centre of mass
    std::array<double, 6> velocity{};  // world axes
    double mu = 0, restitution = 0;
    std::vector<Shape> shapes;
    // Where it moves by itself: its velocity at a time, world axes.
    std::function<std::array<double, 6>(double)> motion;
  };
  struct Joint {
    enum class Type {
      hinge,      // turns about z
      slider,     // moves along z
      point,      // turns freely
      fixed,      //
      rotations,  // a point, its angles about x, y, z with limits or motors
    };
    struct Axis {
      double lower, upper;  // infinite: none; equal: locked
      bool driven = false;
      double speed = 0, max_force = 0;
    };
    Type type = Type::hinge;
    int first = -1, second = -1;   // bodies; -1: the world
    std::array<double, 7> pose{};  // in the world
    std::vector<Axis> axes;        // hinge, slider: one; rotations: three
    bool collide = false;
  };
  std::array<double, 3> gravity{};
  double h = 0;
  std::string solver;  // a name of siconos_engine()
  int iterations = 0;  // 0: its own
  std::vector<Body> bodies;
  std::vector<Joint> joints;
};

class SiconosWorld {
 public:
  // `sink` gets every step; without one nothing is recorded.
  SiconosWorld(const SiconosScene&, std::function<void(SiconosStep&)> sink);
  ~SiconosWorld();
  SiconosWorld(const SiconosWorld&) = delete;
  SiconosWorld& operator=(const SiconosWorld&) = delete;
  void step();
  int iterations() const;             // limit of its solver
  std::vector<double> state() const;  // of every moving body: position, quaternion, velocity

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

std::string siconos_version();
// Names of all its solvers of FrictionContact and GenericMechanical problems, as they are in its
// options.
std::vector<std::string> siconos_solvers();

}  // namespace perpend::capture::from_siconos
