// Scenes: bodies with shapes, joints, scripted motions, gravity and step as plain data, without the
// types of any engine. docs/scene.md describes the JSON form, field by field.
//
// SI units, world coordinates. A body's pose is that of its shape's frame; its centre of mass and
// inertia follow from the shape at uniform density unless they are given.
#pragma once

#include <Eigen/Geometry>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "perpend/frame.hpp"

namespace perpend {

struct Pose {
  Vector3d position = Vector3d::Zero();
  Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();
};

struct Part;

struct Shape {
  enum class Type {
    box,           // half_extents
    sphere,        // radius
    cylinder,      // radius, height along z, origin in the middle
    cone,          // radius of the base at z = -height/2, apex at z = height/2
    capsule,       // radius, height along z between the centres of its caps
    hull,          // points: their convex hull
    compound,      // parts
    height_field,  // fixed: rows x columns heights, `spacing` apart, origin below the middle
    mesh,          // fixed: points, triangles (counter-clockwise seen from outside)
    plane          // fixed: the half-space below z = 0
  };
  Type type = Type::box;
  Vector3d half_extents = Vector3d::Constant(0.5);  // m
  double radius = 0.5, height = 1;                  // m
  std::vector<Vector3d> points;                     // m
  std::vector<std::array<Index, 3>> triangles;
  Index rows = 0, columns = 0;  // height field: `columns` along x, `rows` along y
  double spacing = 1;           // m
  std::vector<double> heights;  // m, row by row
  std::vector<Part> parts;
};
std::string_view name(Shape::Type);

struct Part {
  Shape shape;
  Pose pose;  // in the frame of the compound
};

// How a body without mass moves by itself.
struct Motion {
  enum class Type {
    path,       // keys: piecewise constant velocity
    vibration,  // position + direction * amplitude * sin(2 pi frequency t + phase)
    conveyor    // the surface moves with `velocity`, the body stays
  };
  struct Key {
    double time = 0;                       // s, from here on
    Eigen::Matrix<double, 6, 1> velocity;  // m/s, rad/s about the body's origin
  };
  Type type = Type::path;
  std::vector<Key> keys;
  Vector3d direction = Vector3d::UnitZ();
  double amplitude = 0, frequency = 0, phase = 0;                              // m, Hz, rad
  Eigen::Matrix<double, 6, 1> velocity = Eigen::Matrix<double, 6, 1>::Zero();  // m/s, rad/s
};

struct Body {
  std::string name;
  Shape shape;
  double mass = 0;                         // kg; 0: fixed
  std::optional<Vector3d> centre_of_mass;  // m, in the shape's frame
  std::optional<Matrix3d> inertia;         // kg m^2, about the centre of mass, axes of the shape
  double mu = 0.5;                         // a pair has sqrt(mu_1 mu_2)
  double restitution = 0;                  // a pair has sqrt(e_1 e_2)
  Pose pose;
  Eigen::Matrix<double, 6, 1> velocity = Eigen::Matrix<double, 6, 1>::Zero();  // of the centre of
                                                                               // mass; m/s, rad/s
  std::optional<Motion> motion;  // only where mass = 0
  // 0 ... 2^53, no two the same. Where every body has one, a run does not depend on the order of
  // the bodies.
  std::optional<std::int64_t> id;
};

// A joint is given by one frame in the world at the scene's start; hinges turn about its z axis,
// sliders move along it. Six axes: translations along x, y, z (0, 1, 2), rotations (3, 4, 5).
struct Joint {
  enum class Type { hinge, point, slider, generic, fixed };
  struct Limit {  // of the coordinate, 0 at the start; lower > upper: free; lower = upper: locked
    double lower = 1, upper = -1;  // m or rad
    bool free() const { return lower > upper; }
  };
  struct Motor {
    bool on = false;
    double speed = 0;      // m/s or rad/s of the second body relative to the first
    double max_force = 0;  // N or N m
  };
  std::string name;
  Type type = Type::hinge;
  Index first = -1, second = -1;  // bodies; -1: the world
  Pose frame;
  std::array<Limit, 6> limits;     // read: generic all, hinge [5], slider [2]
  std::array<Motor, 6> motors;     // the same
  bool collide = false;            // may its two bodies touch each other
  std::optional<std::int64_t> id;  // as a body's; needed where two joints link the same two bodies
};
std::string_view name(Joint::Type);

struct Scene {
  std::string name;
  std::string title;              // one line
  std::string source;             // where it comes from: a paper and its figure, or "user reports"
  Vector3d gravity{0, 0, -9.81};  // m/s^2
  double step = 1.0 / 60;         // h, s
  Index steps = 600;              // how many `simulate` makes unless told otherwise
  std::uint64_t seed = 1;         // what its random numbers were drawn from
  bool at_rest = false;           // starts at rest: drift is measured from the start
  bool stands = false;            // is dropped and ought to keep its shape: asks for `fell`
  std::vector<Body> bodies;
  std::vector<Joint> joints;
};

// The reason why a scene cannot be simulated, naming body or joint and field; empty when it can.
std::string invalid(const Scene&);

// The convex hull as triangles, counter-clockwise seen from outside; empty when all points lie in
// one plane.
std::vector<std::array<Index, 3>> hull_triangles(const std::vector<Vector3d>& points);

// At uniform density.
struct MassProperties {
  double volume = 0;  // m^3
  Vector3d centre = Vector3d::Zero();
  Matrix3d inertia = Matrix3d::Identity();  // about the centre, per kilogram, axes of the shape
};
MassProperties mass_properties(const Shape&);
// Of a body: as given, else from its shape. Fixed bodies: the shape's origin, zero inertia.
Vector3d centre_of_mass(const Body&);  // m, in the shape's frame
Matrix3d inertia(const Body&);         // kg m^2, about the centre of mass, axes of the shape
double radius(const Body&);            // m, no point of the body is farther from that centre

// A built-in scene; parametric ones are asked for as "stack:10".
struct SceneInfo {
  std::string name;  // "stack:N" for a parametric one
  std::string title;
  std::string source;
  Index table_rows = 0, table_rank = 0;  // of Silcowitz-Hansen et al. 2010, Table 1; 0: not in it
  double parameter = 0;                  // default of a parametric one
  double highest = 0;                    // largest parameter: a million bodies, or kilograms
  Scene (*make)(double parameter, std::uint64_t seed);
};
std::span<const SceneInfo> scenes();
// Built-in scene by name ("stack:10", "mass-ratio:1e5"); the reason why not goes to `why`.
std::optional<Scene> scene_named(std::string_view name, std::uint64_t seed, std::string& why);

// What a run looked like, from poses and velocities alone: drift, sag, turn, creep, rest, whether
// the pile fell. A state has a row for every body of the scene, in its order; those of fixed bodies
// are not read.
struct State {
  double time = 0;
  Rows3 positions;      // (n) m, centres of mass
  Rows<4> quaternions;  // (n) w, x, y, z: of the shape's axes
  Rows6 velocities;     // (n) m/s, rad/s
};
class Trajectory {
 public:
  Trajectory(const Scene&, const State& start);
  void add(const State&);  // after every step

  // Largest over the moving bodies and over the time since the reference pose: the start when the
  // scene is at rest, else the first moment after which all |v| + |w| R < 1e-2 m/s for 0.25 s. NaN:
  // it never came.
  double drift() const;           // m, orthogonal to gravity
  double sag() const;             // m, along gravity
  double turn() const;            // rad
  double creep() const;           // m/s, over the last half of the run
  bool fell() const;              // a stack lost height: a body a quarter of its radius
  double kinetic_energy() const;  // J, at the end
  double energy() const;          // J, kinetic and potential, at the end

 private:
  struct Bookkeeping;
  std::shared_ptr<Bookkeeping> kept_;
};

// How scripted bodies move.

// The rotation by the vector `turn` (rad): the exponential map, which is a rotation for any step.
Eigen::Quaterniond exponential(const Vector3d& turn);

// Where a motion has taken a pose at that time. A conveyor moves its surface only.
Pose moved(const Pose& start, const Motion&, double time);

// The whole state of a run between two steps, as plain data: a run that is restored from it goes on
// with the same bits as one that was never interrupted. docs/snapshot.md describes the JSON form.
//
// Bodies and joints are recognized by ids, so a snapshot fits every world that was built alike.

struct Snapshot {
  using Vector6 = Eigen::Matrix<double, 6, 1>;
  struct Placed {
    Vector3d position = Vector3d::Zero();  // m, of the centre of mass
    Matrix3d axes = Matrix3d::Identity();  // columns: the body's axes in the world
  };
  struct Body {
    std::int64_t id = 0;
    Placed pose;
    Placed previous;                     // where the next motion of a kinematic body starts
    Vector6 velocity = Vector6::Zero();  // m/s, rad/s
    Vector6 force = Vector6::Zero();     // N, N m: applied for the next step
    int activation = 1;                  // Bullet's: 1 active, 2 asleep, 3 wants to sleep, 4, 5, 6
    double resting = 0;                  // s, for how long it has been slow enough to sleep
    bool fell_short = false;             // its island stayed above the tolerance in the last step
  };
  // What the solver starts from: the impulse on the second body at each contact, N s.
  struct Contact {
    std::uint64_t feature = 0;
    Vector3d impulse = Vector3d::Zero();
  };
  struct Pair {
    std::int64_t first = 0, second = 0;  // ids
    std::vector<Contact> contacts;
  };
  struct Row {
    int key = 0;
    double impulse = 0;
  };
  struct Joint {
    std::int64_t first = -1, second = -1;  // ids of its bodies; -1: the world
    bool enabled = true;                   // false: broken
    double impulse = 0;                    // N s, as Bullet's users read it
    std::vector<Row> rows;
  };

  std::string scene;          // its name
  double h = 0;               // s; 0: unknown
  Index step = 0;             // how many steps were made
  double remaining = 0;       // s, of the time given to Bullet's world and not yet simulated
  std::vector<Body> bodies;   // ids ascending
  std::vector<Pair> pairs;    // ids ascending
  std::vector<Joint> joints;  // in the world's order: by ids
};

// The reason why nothing can be restored from it, naming the field; empty when it can.
std::string invalid(const Snapshot&);

}  // namespace perpend
