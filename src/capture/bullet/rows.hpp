// The rows of Bullet's solver in our convention.
//
// Bullet's row is  deltaImpulse = rhs - cfm lambda - D^-1 J dv,  clamped, with D^-1 =
// jacDiagABInv: in m/s it asks for  y = J dv - D rhs + D cfm lambda = 0.  Its rhs holds the free
// velocity, so b = -D rhs, our c (the engine's bias) is b - J (v + h M^-1 f), and the compliance is
// D cfm. Its contact rows push body A along the normal on B, which points to A (signs.hpp).
#pragma once

#include <btBulletDynamicsCommon.h>

#include <vector>

#include "capture/builder.hpp"
#include "capture/signs.hpp"

namespace perpend::capture::from_bullet {

inline constexpr Signs kBullet = signs_of("bullet");

// What the engine's thread copies, numbers as Bullet has them, because a step waits for that alone.
// Constructors that set nothing: every number is written once. What the numbers mean is found out
// later and elsewhere.
struct EngineBody {
  btTransform pose;
  Vector3d linear, angular;            // velocity
  Vector3d linear_plus, angular_plus;  // the same after the step
  btScalar inverse_mass;               // 0: it does not move by itself, and what follows is not set
  Vector3d linear_gained, angular_gained;  // velocity, by external forces in the step
  btMatrix3x3 inverse_inertia;             // world axes
  Vector3d inverse_moments;                // principal axes

  EngineBody() {}
};
void copy_fixed(const btCollisionObject&, EngineBody&);
void copy_body(const btSolverBody&, EngineBody&);  // as the solver was given it

struct EngineRow {
  btScalar rhs, inverse_diagonal, cfm, impulse;
};
struct EngineFriction {
  Vector3d direction;  // Bullet's, of the push on A; zero: there is no such row
  EngineRow row;

  EngineFriction() {}
};
struct EngineContact {
  std::int32_t first, second;  // bodies
  Vector3d normal_on_b, on_a, on_b;
  btScalar distance, friction, restitution, rolling, spinning;
  EngineRow normal;
  EngineFriction along_t;

  EngineContact() {}
};
// The solver's rows of one contact point: the normal and those of friction (null: none).
struct PointRows {
  const btSolverConstraint* normal;
  const btSolverConstraint *along_t, *along_o;
};
void copy_contact(const btManifoldPoint&, const PointRows&, EngineContact&);
void copy_friction(const btSolverConstraint*, EngineFriction&);

// What a joint says of its row when it is asked for its whole error at once.
struct JointTarget {
  double position = 0;  // error, m or rad: -Phi
  double speed = 0;     // what the solver will be told, m/s or rad/s
};
// Appends the rows of a joint; none of one that is not enabled.
void ask(btTypedConstraint&, const btContactSolverInfo&, std::vector<JointTarget>&);

struct EngineJoint {
  Eigen::Matrix<double, 12, 1> jacobian;
  btScalar lower, upper;
  EngineRow row;
  JointTarget asked;
};
EngineJoint copy_joint(const btSolverConstraint&, const JointTarget&);

// The same in our convention.
struct BulletBody : BodyRow {
  Vector6 free;  // velocity without contacts and joints
};
BulletBody body_row(const EngineBody&, double h);

struct BulletContact : ContactRow {
  Eigen::Vector2d scale = Eigen::Vector2d::Zero();  // of t, o before they were unit; 0: no such row
};
// `along_o` is null where Bullet has one direction of friction.
BulletContact contact_row(const EngineContact&, const EngineFriction* along_o,
                          const BulletBody& first, const BulletBody& second);
// Impulses of Bullet's rows along n, t, o.
Vector3d impulses(const BulletContact&, const Vector3d& of_rows);

JointRow joint_row(const EngineJoint&, const BulletBody& first, const BulletBody& second);

}  // namespace perpend::capture::from_bullet
