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

struct BodyRow {
  const btCollisionObject* object = nullptr;
  const btRigidBody* moving = nullptr;  // null: fixed
  double mass = 0;
  Matrix3d inertia = Matrix3d::Zero();
  Vector3d position = Vector3d::Zero();
  Eigen::Vector4d quaternion{1, 0, 0, 0};
  Vector6 velocity = Vector6::Zero(), free = Vector6::Zero(), force = Vector6::Zero(),
          plus = Vector6::Zero();
};
BodyRow body_row(const btCollisionObject&);       // fixed
BodyRow body_row(const btSolverBody&, double h);  // as the solver was given it

struct ContactRow {
  Index first = 0, second = 0;
  Vector3d n, t, o, r1, r2;
  double gap = 0, mu = 0, restitution = 0, rolling = 0, torsional = 0;
  Vector3d bias = Vector3d::Zero(), cfm = Vector3d::Zero();
  Eigen::Vector2d bounds;  // of friction along t, o; infinite: mu lambda_n, 0: no such row
  Eigen::Vector2d scale = Eigen::Vector2d::Zero();  // of the directions before they were unit
  Vector3d start = Vector3d::Zero(), z = Vector3d::Zero();
};
// The solver's rows of one contact point: the normal and those of friction (null: none).
struct PointRows {
  const btSolverConstraint* normal;
  const btSolverConstraint *along_t, *along_o;
};
ContactRow contact_row(const btManifoldPoint&, const PointRows&, Index first, const BodyRow& a,
                       Index second, const BodyRow& b);
// Impulses that the rows hold now, along n, t, o.
Vector3d impulses(const ContactRow&, const PointRows&);

// What a joint says of its row when it is asked for its whole error at once.
struct JointAsked {
  double position = 0;  // error, m or rad: -Phi
  double speed = 0;     // what the solver will be told, m/s or rad/s
};
std::vector<JointAsked> ask(btTypedConstraint&, const btContactSolverInfo&);

struct JointRow {
  Eigen::Matrix<double, 12, 1> jacobian;
  double lower = 0, upper = 0, violation = 0, rate = 0, cfm = 0, bias = 0, z = 0;
  int place = 0;  // among the solver's rows
};
JointRow joint_row(const btSolverConstraint&, const JointAsked&, const BodyRow& a,
                   const BodyRow& b);

}  // namespace perpend::capture
