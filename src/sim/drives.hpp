// What acts along the coordinates of joints besides limits and motors: springs, dampers, servos,
// dry friction, rotors, forces (Joint::Drive), and coordinates that follow others (Joint::Mimic).
// Of these the last alone keep a position.
//
// Implicit Euler of a spring k towards p and a damper d towards the speed s is the impulse
//   lambda = -h (k (q + h q' - p) + d (q' - s)),    q' = J v+ at the end of the step,
// which is the row  q' + rate + C lambda = 0  with
//   C = 1/(h (h k + d)),    rate = (k (q - p) - d s)/(h k + d),    |lambda| <= h max_force.
// The inertia a of a rotor along q takes the impulse lambda = -a (q' - J v): the row
//   q' - J v + lambda/a = 0.
// Dry friction is the row q' = 0 with |lambda| <= h friction. Nothing shifts bodies
// for them after the step.
//
// A mimic q = r q1 + o is the row of both coordinates, J - r J1. Where they move two bodies at most
// (others are fixed), it is a row of these; else its second pair of bodies is that of the joint
// that it follows.
#pragma once

#include <map>

#include "perpend/scene.hpp"
#include "sim/held_joints.hpp"

namespace perpend::sim {

struct JointDrives {
  std::array<Joint::Drive, 6> axes;
  const btTypedConstraint* followed = nullptr;  // mimic
  double ratio = 1, offset = 0;
  bool vector = false;  // rotations are the parts of the rotation vector
  // State: coordinates at the last step, with full turns, and what the drives gave, N or N m.
  std::array<double, 6> coordinates{}, forces{};

  bool any() const { return followed || axes != std::array<Joint::Drive, 6>{}; }
};

// The free axes of a Bullet joint, counted as in scenes.
std::span<const std::size_t> free_axes_of(const btTypedConstraint&);

// A coordinate now, with the full turns that bring it closest to `last`.
double with_turns(double coordinate, std::size_t axis, double last);
// dq/dt now.
double speed_of(const JointRow& coordinate, const btTypedConstraint&);

// The rows of one axis. `q`: with turns; `speed`: J v.
void drive_rows(const JointRow& coordinate, double q, double speed, const Joint::Drive&, double h,
                std::size_t axis, std::vector<JointRow>&);

// All rows of a joint's drives, and what its forces push, if anything.
void drive_rows(btTypedConstraint&, const JointDrives&, double h, std::vector<JointRow>&);
std::optional<Eigen::Matrix<double, 12, 1>> pushed(btTypedConstraint&, const JointDrives&);

// The joint that this one follows in a step; null: none.
btTypedConstraint* followed_by(const btTypedConstraint& follower, const Drives&);

// How far it is off now, m or rad; 0: it follows none.
double mimic_violation(btTypedConstraint& follower, const Drives&);

// The row of a joint that follows another.
struct MimicRow {
  JointRow row;
  std::optional<Eigen::Matrix<double, 12, 1>> other;  // Jacobian of a second pair of bodies
  const btRigidBody* bodies[4];  // of the row, of the second pair; null: the world
};
// Nothing where none of their bodies moves.
std::optional<MimicRow> mimic_row(btTypedConstraint& follower, btTypedConstraint& followed,
                                  const Drives&, const StepBodies&);

// After the step: coordinates and forces. `impulses`: of the rows of the joints.
void note_drives(const HeldJoints&, const VectorXd& impulses, double h, Drives&);

}  // namespace perpend::sim
