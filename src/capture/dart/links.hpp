// The bodies of DART's skeletons in our convention: maximal coordinates, world axes, about centres
// of mass, linear part first.
//
// DART moves a skeleton in generalized coordinates q. With the joints' Jacobians S it first
// integrates without constraints, dq' = dq + h c, and then adds impulses, dq+ = dq' + M^-1 J^T
// lambda, all at the old q. The bodies' velocities are V = S dq at that q, so
//
//   M_i (V+ - V) = h f_i + (impulses on the body)_i + (impulses of its joints)_i
//
// holds for each body alone, when f_i has gravity, the user's forces, the gyroscopic torque, what
// the joints' actuators, springs and dampers give (DART's are implicit: at the speed dq'), and
// -M_i g_i: g = dS/dt dq, the part of the acceleration by which V = S dq does not change because S
// is kept. It is zero for a body of its own. Joints give impulses only along directions in which
// they do not move: rows N with N^T S = 0. Where a joint's motion is prescribed (actuator types
// VELOCITY, ACCELERATION, LOCKED) all six directions are rows and the prescribed velocity is their
// rate.
//
// At the time when the constraint solver is called DART has dq' and the accelerations c; dq is
// found from them.
#pragma once

#include <vector>

#include "capture/signs.hpp"
#include "perpend/system.hpp"

namespace dart::dynamics {
class BodyNode;
class Skeleton;
}  // namespace dart::dynamics

namespace perpend::capture::from_dart {

inline constexpr Signs kDart = signs_of("dart");

using Directions = Eigen::Matrix<double, 6, Eigen::Dynamic, 0, 6, 6>;
using UpToSix = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 6, 1>;

// A joint seen from the child's side of it: relative velocities (linear, angular) of the child at
// the joint, in its axes.
struct JointAxes {
  Vector3d point = Vector3d::Zero();         // world
  Matrix3d axes = Matrix3d::Identity();      // columns, world
  Directions blocked = Directions(6, 0);     // N, orthonormal columns
  Directions coordinate = Directions(6, 0);  // p of each coordinate, the rows of S^+: p.V = dq
  UpToSix rate = UpToSix(0);  // of the blocked directions: minus the prescribed velocity
};

struct Link {
  dart::dynamics::BodyNode* node = nullptr;
  Index parent = -1;    // among the links; -1: the world
  bool moving = false;  // else nothing that is solved moves it
  bool alone = false;   // a free body that nothing hangs on: M^-1 is its own
  double mass = 0;
  Matrix3d inertia = Matrix3d::Zero(), inverse_inertia = Matrix3d::Zero(),  // of those alone
      rotation = Matrix3d::Identity();
  Vector3d origin = Vector3d::Zero(), position = Vector3d::Zero();
  Vector6 velocity = Vector6::Zero(), free = Vector6::Zero(), plus = Vector6::Zero(),
          force = Vector6::Zero();
  Vector6 impulse = Vector6::Zero();  // of contacts and constraint rows
  JointAxes joint;

  // Of a twist or wrench that DART gives: body axes, angular part first, at the body's origin.
  Vector6 twist(const Vector6& in_body) const;
  Vector6 wrench(const Vector6& in_body) const;
};

// Of a direction d of the joint: what a unit impulse along it gives to the child and to its parent,
// and at the same time the row of the Jacobian.
Vector6 on_child(const Link& child, const Vector6& d);
Vector6 on_parent(const Link& child, const Vector3d& position, const Vector6& d);

// Appends the links of a skeleton, parents first, when DART has integrated without constraints.
void add_links(dart::dynamics::Skeleton&, double h, std::vector<Link>& links);

// Impulses of the blocked directions of every link's joint, from v, v+, force and impulse alone.
std::vector<UpToSix> reactions(const std::vector<Link>& links, double h);

}  // namespace perpend::capture::from_dart
