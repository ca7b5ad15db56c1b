// What holds bodies besides contacts: Bullet's joints, and directions in which the user has
// forbidden a body to move.
#pragma once

#include "sim/bodies.hpp"
#include "sim/joints.hpp"

namespace perpend::sim {

struct HeldJoint {
  btTypedConstraint* joint;  // null: forbidden directions of the second body
  Index first, second;       // rows of bodies; one after the last is the world
  Index start, count;        // rows
};

struct HeldJoints {
  std::vector<HeldJoint> list;
  std::vector<JointRow> rows;  // joint by joint
  bool world = false;          // a joint names the world, or a body that was never added to it
};

// `joints`: in the order of the step. Those that are disabled or hold nobody who moves are left
// out.
HeldJoints held_joints(const std::vector<btTypedConstraint*>& joints, const StepBodies&, double h);

// Their user's ids (btTypedConstraint::setUserConstraintId); none where nobody has set one.
Integers joint_ids(const HeldJoints&);

// Without the rows that keep no position: motors.
HeldJoints positions_alone(const HeldJoints&);

}  // namespace perpend::sim
