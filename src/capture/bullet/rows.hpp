// The rows of Bullet's solver in our convention.
//
// Bullet's row is  deltaImpulse = rhs - cfm lambda - D^-1 J dv,  clamped, with D^-1 =
// jacDiagABInv: in m/s it asks for  y = J dv - D rhs + D cfm lambda = 0.  Its rhs holds the free
// velocity, so b = -D rhs, our c (the engine's bias) is b - J (v + h M^-1 f), and the compliance is
// D cfm. Its contact rows push body A along the normal on B, which points to A: our n, t, o are its
// directions turned round, and then both bodies and all impulses have the same signs.
#pragma once

#include <btBulletDynamicsCommon.h>

#include <vector>

#include "perpend/system.hpp"

namespace perpend::capture {

// What the engine's thread copies, numbers as Bullet has them, because a step waits for that alone.
// Constructors that set nothing: every number is written once. What the numbers mean is found out
// later and elsewhere.
struct BodyCopy {
  btTransform pose;
  Vector3d linear, angular;            // velocity
  Vector3d linear_plus, angular_plus;  // the same after the step
  btScalar inverse_mass;               // 0: it does not move by itself, and what follows is not set
  Vector3d linear_gained, angular_gained;  // velocity, by external forces in the step
  btMatrix3x3 inverse_inertia;             // world axes
  Vector3d inverse_moments;                // principal axes

  BodyCopy() {}
};
void copy_fixed(const btCollisionObject&, BodyCopy&);
void copy_body(const btSolverBody&, BodyCopy&);  // as the solver was given it

struct RowCopy {
  btScalar rhs, inverse_diagonal, cfm, impulse;
};
struct FrictionCopy {
  Vector3d direction;  // away from the first body; zero: there is no such row
  RowCopy row;

  FrictionCopy() {}
};
struct ContactCopy {
  std::int32_t first, second;  // bodies
  Vector3d normal_on_b, on_a, on_b;
  btScalar distance, friction, restitution, rolling, spinning;
  RowCopy normal;
  FrictionCopy along_t;

  ContactCopy() {}
};
// The solver's rows of one contact point: the normal and those of friction (null: none).
struct PointRows {
  const btSolverConstraint* normal;
  const btSolverConstraint *along_t, *along_o;
};
void copy_contact(const btManifoldPoint&, const PointRows&, ContactCopy&);
void copy_friction(const btSolverConstraint*, FrictionCopy&);

// What a joint says of its row when it is asked for its whole error at once.
struct JointAsked {
  double position = 0;  // error, m or rad: -Phi
  double speed = 0;     // what the solver will be told, m/s or rad/s
};
// Appends the rows of a joint; none of one that is not enabled.
void ask(btTypedConstraint&, const btContactSolverInfo&, std::vector<JointAsked>&);

struct JointCopy {
  Eigen::Matrix<double, 12, 1> jacobian;
  btScalar lower, upper;
  RowCopy row;
  JointAsked asked;
};
JointCopy copy_joint(const btSolverConstraint&, const JointAsked&);

// The same in our convention.
struct BodyRow {
  double mass = 0;
  Matrix3d inertia = Matrix3d::Zero();
  Vector3d position;
  Eigen::Vector4d quaternion;
  Vector6 velocity, free, plus, force = Vector6::Zero();
};
BodyRow body_row(const BodyCopy&, double h);

struct ContactRow {
  Vector3d n, t, o, r1, r2;
  double mu = 0, restitution = 0;
  Vector3d bias = Vector3d::Zero(), cfm = Vector3d::Zero();
  Eigen::Vector2d bounds;  // of friction along t, o; infinite: mu lambda_n, 0: no such row
  Eigen::Vector2d scale = Eigen::Vector2d::Zero();  // of the directions before they were unit
};
// `along_o` is null where Bullet has one direction of friction.
ContactRow contact_row(const ContactCopy&, const FrictionCopy* along_o, const BodyRow& first,
                       const BodyRow& second);
// Impulses of Bullet's rows along n, t, o.
Vector3d impulses(const ContactRow&, const Vector3d& of_rows);

struct JointRow {
  double lower = 0, upper = 0, violation = 0, rate = 0, cfm = 0, bias = 0;
};
JointRow joint_row(const JointCopy&, const BodyRow& first, const BodyRow& second);

}  // namespace perpend::capture
