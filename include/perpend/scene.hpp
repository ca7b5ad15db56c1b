// Scenes as plain data: bodies with shapes, joints, scripted motions, gravity and step size. No
// types of any engine. docs/scene.md describes the JSON form, field by field.
//
// SI units, world coordinates. The pose of a body is the pose of its shape. Centre of mass and
// inertia are computed from the shape at uniform density unless you give them.
#pragma once

#include <Eigen/Geometry>
#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <set>
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

// A scripted motion of a body without mass.
struct Motion {
  enum class Type {
    path,       // keys: piecewise constant velocity
    vibration,  // position + direction * amplitude * sin(2 pi frequency t + phase)
    conveyor    // the surface moves with `velocity`, the body stays where it is
  };
  struct Key {
    double time = 0;                       // s, when it starts
    Eigen::Matrix<double, 6, 1> velocity;  // m/s, rad/s about the body's origin
  };
  Type type = Type::path;
  std::vector<Key> keys;
  Vector3d direction = Vector3d::UnitZ();
  double amplitude = 0, frequency = 0, phase = 0;                              // m, Hz, rad
  Eigen::Matrix<double, 6, 1> velocity = Eigen::Matrix<double, 6, 1>::Zero();  // m/s, rad/s
};

std::string_view name(Motion::Type);

struct Body {
  std::string name;
  Shape shape;
  double mass = 0;                         // kg; 0: fixed
  std::optional<Vector3d> centre_of_mass;  // m, in the shape's frame
  std::optional<Matrix3d> inertia;         // kg m^2, about the centre of mass, axes of the shape
  double mu = 0.5;                         // friction; two bodies have sqrt(mu_1 mu_2)
  double restitution = 0;                  // two bodies have sqrt(e_1 e_2)
  Pose pose;
  Eigen::Matrix<double, 6, 1> velocity = Eigen::Matrix<double, 6, 1>::Zero();  // of the centre of
                                                                               // mass; m/s, rad/s
  std::optional<Motion> motion;                                                // only if mass = 0
  // Two bodies can touch if each one's group is in the other's mask.
  std::uint32_t group = 1, mask = ~std::uint32_t{0};
  // Unique, 0 ... 2^53. If every body has one, a run does not depend on the order of the bodies.
  std::optional<std::int64_t> id;
};

// A joint has one frame, in world coordinates at the start. Hinges turn about its z axis, sliders
// move along it. The six axes are translations along x, y, z (0, 1, 2) and rotations (3, 4, 5).
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
  static constexpr double kUnlimited = std::numeric_limits<double>::infinity();
  // What acts along a free coordinate q besides limits and motors: a spring, a damper, a servo, dry
  // friction, the inertia of a rotor. All of it is implicit, so that no stiffness is too large.
  struct Drive {
    double stiffness = 0;           // N/m or N m/rad, towards `position`
    double damping = 0;             // N s/m or N m s/rad, towards `speed`
    double position = 0;            // m or rad
    double speed = 0;               // m/s or rad/s
    double max_force = kUnlimited;  // N or N m, of spring and damper together
    double friction = 0;            // N or N m
    double armature = 0;            // kg or kg m^2
    double force = 0;               // N or N m on the second body, its opposite on the first
    bool operator==(const Drive&) const = default;
  };
  // The coordinate follows that of another joint: q = ratio * q' + offset.
  struct Mimic {
    Index joint = -1;  // which; -1: none
    double ratio = 1, offset = 0;
  };
  std::string name;
  Type type = Type::hinge;
  Index first = -1, second = -1;  // bodies; -1: the world
  Pose frame;
  std::array<Limit, 6> limits;  // used: all of generic, [5] of a hinge, [2] of a slider
  std::array<Motor, 6> motors;  // the same
  // The same, and a point joint's rotations: of those the parts of the rotation vector.
  std::array<Drive, 6> drives;
  Mimic mimic;                     // hinge, slider
  bool collide = false;            // its two bodies can touch each other
  std::optional<std::int64_t> id;  // like a body's; only needed if two joints link the same bodies
};
std::string_view name(Joint::Type);
// Those that are not held: of a hinge 5, of a slider 2, of a point joint 3, 4, 5.
std::span<const std::size_t> free_axes(Joint::Type);

// The fields of a drive by name.
struct DriveField {
  std::string_view name;
  double Joint::Drive::*member;
  bool negative = false;   // may be
  bool unlimited = false;  // may be infinite
};
std::span<const DriveField> drive_fields();
// Why it cannot be, with the field. Empty if it can.
std::string invalid(const Joint::Drive&);

// What a drive is to do over time: position, speed or force are linear between keys, and as in the
// first and last key before and after. A step takes the values of its end. Every key has the same
// of the three; the others stay as they are.
struct Control {
  struct Key {
    double time = 0;                               // s, ascending
    std::optional<double> position, speed, force;  // as in Joint::Drive
  };
  Index joint = -1;  // of the scene
  int axis = -1;     // -1: the only one
  std::vector<Key> keys;
};
// The drive as the control wants it at this time.
Joint::Drive controlled(Joint::Drive, const Control&, double time);

struct Scene {
  std::string name;
  std::string title;              // one line
  std::string source;             // a paper and its figure, or "user reports"
  Vector3d gravity{0, 0, -9.81};  // m/s^2
  double step = 1.0 / 60;         // h, s
  Index steps = 600;              // default number of steps
  std::uint64_t seed = 1;         // of its random numbers
  bool at_rest = false;           // it starts at rest: drift is measured from the start
  bool stands = false;            // it should keep its shape after the fall: `fell` is checked
  std::vector<Body> bodies;
  std::vector<Joint> joints;
  std::vector<std::array<Index, 2>> apart;  // pairs of bodies that cannot touch each other
  std::vector<Control> control;
};
// Its frames may have rows with a compliance: springs, dampers, rotors.
bool has_compliance(const Scene&);
// They may have rows over two pairs of bodies: a joint and the one that it follows move more than
// two bodies.
bool has_wide_mimic(const Scene&);
// What of a scene an engine gets from us besides bodies and joints.
struct SceneSupport {
  bool drives = false;   // and joints that follow others, and control
  bool filters = false;  // groups, masks and pairs of bodies that cannot touch
};
inline constexpr SceneSupport kBulletSupport{.drives = false, .filters = true};
// The first thing in it that is not supported. Empty: nothing.
std::string beyond_engine(const Scene&, SceneSupport);
// Pairs of bodies that cannot touch each other, the lower one first: by a joint, by groups and
// masks, or because they are told to be apart.
std::set<std::array<Index, 2>> kept_apart(const Scene&);

// Why the scene cannot be simulated, with the body or joint and the field. Empty if it can.
std::string invalid(const Scene&);

// The convex hull as triangles, counter-clockwise seen from outside. Empty if all points lie in one
// plane.
std::vector<std::array<Index, 3>> hull_triangles(const std::vector<Vector3d>& points);

// At uniform density.
struct MassProperties {
  double volume = 0;  // m^3
  Vector3d centre = Vector3d::Zero();
  Matrix3d inertia = Matrix3d::Identity();  // about the centre, per kilogram, axes of the shape
};
MassProperties mass_properties(const Shape&);
// The given values of a body, or those of its shape. A fixed body has the shape's origin and zero
// inertia.
Vector3d centre_of_mass(const Body&);  // m, in the shape's frame
Matrix3d inertia(const Body&);         // kg m^2, about the centre of mass, axes of the shape
double radius(const Body&);            // m, largest distance of a point from the centre of mass

// A built-in scene. Parametric scenes have names like "stack:10".
struct SceneInfo {
  std::string name;  // "stack:N" for a parametric one
  std::string title;
  std::string source;
  Index table_rows = 0, table_rank = 0;  // in Silcowitz-Hansen et al. 2010, Table 1; 0: not there
  double parameter = 0;                  // default of a parametric scene
  double highest = 0;                    // largest parameter: a million bodies, or kilograms
  Scene (*make)(double parameter, std::uint64_t seed);
};
std::span<const SceneInfo> scenes();
// A built-in scene by name ("stack:10", "mass-ratio:1e5"). If there is none, `why` says why.
std::optional<Scene> scene_named(std::string_view name, std::uint64_t seed, std::string& why);

// Poses and velocities at one moment: one row per body, in the order of the scene. Rows of fixed
// bodies are not used.
struct State {
  double time = 0;
  Rows3 positions;      // (n) m, centres of mass
  Rows<4> quaternions;  // (n) w, x, y, z: of the shape's axes
  Rows6 velocities;     // (n) m/s, rad/s
};

// A contact of one step and its force.
struct ContactForce {
  std::uint32_t first = 0, second = 0;  // bodies, in the order of the scene
  Vector3d point = Vector3d::Zero();    // m
  Vector3d normal = Vector3d::UnitZ();  // away from the first body
  Vector3d force = Vector3d::Zero();    // N, on the second body
  double mu = 0, gap = 0;               // gap: m
  double error = -1;                    // m/s, its part of velocity_error; negative: not known
  std::int8_t mode = 0;                 // 0 open, 1 stick, 2 slide
};

// A state, and what is known of the step that led to it. NaN: not known.
struct Moment {
  State state;
  std::vector<ContactForce> contacts;
  double penetration = 0;  // m, the deepest overlap
  double error = 0;        // m/s, velocity_error
};

// Measures a run from its states: drift, sag, turn, creep, and whether a stack fell.
class Trajectory {
 public:
  Trajectory(const Scene&, const State& start);
  void add(const State&);  // after every step

  // The largest over moving bodies and time, relative to a reference pose. That is the start if the
  // scene starts at rest, else the first moment after which |v| + |w| R < 1e-2 m/s for all bodies
  // during 0.25 s. NaN: there was no such moment.
  double drift() const;           // m, orthogonal to gravity
  double sag() const;             // m, along gravity
  double turn() const;            // rad
  double creep() const;           // m/s, over the last half of the run
  bool fell() const;              // a body sank by more than a quarter of its radius
  double kinetic_energy() const;  // J, at the end
  double energy() const;          // J, kinetic and potential, at the end

 private:
  struct Bookkeeping;
  std::shared_ptr<Bookkeeping> kept_;
};

// The rotation by the vector `turn` (rad): the exponential map.
Eigen::Quaterniond exponential(const Vector3d& turn);

// The pose of a scripted body at this time. A conveyor stays where it is.
Pose moved(const Pose& start, const Motion&, double time);

// The whole state of a run between two steps. A restored run continues with the same bits as one
// that was never interrupted. docs/snapshot.md describes the JSON form.
//
// Bodies and joints are found by their ids, so a snapshot fits every world that was built the same
// way.
struct Snapshot {
  using Vector6 = Eigen::Matrix<double, 6, 1>;
  struct Placement {
    Vector3d position = Vector3d::Zero();  // m, of the centre of mass
    Matrix3d axes = Matrix3d::Identity();  // columns: the body's axes in the world
  };
  struct Body {
    std::int64_t id = 0;
    Placement pose;
    Placement previous;                  // where the next motion of a kinematic body starts
    Vector6 velocity = Vector6::Zero();  // m/s, rad/s
    Vector6 force = Vector6::Zero();     // N, N m: applied in the next step
    int activation = 1;                  // Bullet's: 1 active, 2 asleep, 3 wants to sleep, 4, 5, 6
    double resting = 0;                  // s, how long it has been slow enough to sleep
    bool fell_short = false;             // its island missed the tolerance in the last step
    bool held = false;                   // its island closed slowly in the last step
  };
  // The solver's warm start: the impulse on the second body at each contact, N s.
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
  // A drive of a joint, and its state.
  struct Drive {
    int axis = 0;
    perpend::Joint::Drive drive;
    double coordinate = 0;  // with full turns
    double force = 0;       // that it gave in the last step, N or N m
  };
  struct Joint {
    std::int64_t first = -1, second = -1;  // ids of its bodies; -1: the world
    bool enabled = true;                   // false: broken
    double impulse = 0;                    // N s, as getAppliedImpulse() returns it
    std::vector<Row> rows;
    std::vector<Drive> drives;
  };

  std::string scene;          // its name
  double h = 0;               // s; 0: unknown
  Index step = 0;             // number of steps so far
  double remaining = 0;       // s, passed to stepSimulation() but not simulated yet
  std::vector<Body> bodies;   // ids ascending
  std::vector<Pair> pairs;    // ids ascending
  std::vector<Joint> joints;  // in the world's order: by ids
};

// Why the snapshot cannot be restored, with the field. Empty if it can.
std::string invalid(const Snapshot&);

}  // namespace perpend
