// After v+: positions x + h v+ and the exponential map of h w+, and impulses to where Bullet's
// users read them.
#pragma once

#include <span>

#include "sim/held_joints.hpp"
#include "sim/memory.hpp"
#include "sim/touches.hpp"

namespace perpend::sim {

// `velocities_plus`: one row per body.
void advance(const StepBodies&, const Rows6& velocities_plus, double h);

// `impulses`: of each touch as a vector on the second body.
void write_contacts(const Touches&, std::span<const Vector3d> impulses);
// `impulses`: of the joint rows. They are what the next step starts from, too.
void write_joints(const HeldJoints&, const VectorXd& impulses, double h, Memory&);

// The impulses of these rows to where Bullet's users read them: joint feedback, applied impulse,
// whether it is enabled. No rows: it gave nothing. One number for a joint is the impulse on body B,
// or its torque's where there is none.
void write_joint_impulses(btTypedConstraint&, std::span<const JointRow>, const VectorXd& impulses,
                          double h);

}  // namespace perpend::sim
