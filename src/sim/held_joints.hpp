// What holds bodies besides contacts: Bullet's joints, and directions in which the user has
// forbidden a body to move.
#pragma once

#include <map>

#include "sim/bodies.hpp"
#include "sim/joints.hpp"

namespace perpend::sim {

struct JointDrives;                                              // sim/drives.hpp
using Drives = std::map<const btTypedConstraint*, JointDrives>;  // only looked up

struct HeldJoint {
  btTypedConstraint* joint;  // null: a mimic, or forbidden directions of the second body
  Index first, second;       // rows of bodies; one after the last is the world
  Index start, count;        // rows
  btTypedConstraint* follower = nullptr;  // of a mimic
};

struct HeldJoints {
  std::vector<HeldJoint> list;
  std::vector<JointRow> rows;  // joint by joint
  bool world = false;          // a joint names the world, or a body that was never added to it
  struct Push {
    Index first, second;
    Eigen::Matrix<double, 12, 1> force;  // on the first body, on the second: N, N m
  };
  std::vector<Push> pushes;  // of drives with a force
  struct Other {
    Index joint;  // of the list, which has one row
    Index first, second;
    Eigen::Matrix<double, 12, 1> jacobian;
  };
  std::vector<Other> others;       // second pairs of rows, ascending
  const Drives* drives = nullptr;  // where joints follow others
};

// `joints`: in the order of the step. Those that are disabled or hold nobody who moves are left
// out.
// `drives`: of joints that have some. `erp`: of soft joints (joint_rows).
HeldJoints held_joints(const std::vector<btTypedConstraint*>& joints, const StepBodies&, double h,
                       const Drives* drives = nullptr, double erp = 0.2);

// Their user's ids (btTypedConstraint::setUserConstraintId); none where nobody has set one.
Integers joint_ids(const HeldJoints&);

// Without the rows that keep no position (motors, drives but for mimics, soft joints), and without
// bounds at which joints break.
HeldJoints positions_alone(const HeldJoints&);

// What is open by more than `max_push` closes in a step, and than the ways of the bodies bend in
// one, stays open by the rest.
void leave_for_later(HeldJoints&, const StepBodies&, double h, double max_push);
// The same rows leave the same open, whatever they are open by now.
void leave_as(const HeldJoints& before, HeldJoints&);

}  // namespace perpend::sim
