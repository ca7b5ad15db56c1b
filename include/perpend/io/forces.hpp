// Forces of a step: what contacts and joints did to bodies, in N and N m, averaged over the step,
// and the energy that they took (docs/cli.md, "forces").
#pragma once

#include "perpend/io.hpp"

namespace perpend::io {

// N, on the second body of each contact; the opposite acts on the first. z: impulses n, t, o.
Rows3 contact_forces(const Frame&, const Rows3& z);

struct StepForces {
  Rows3 contacts;        // (m) N, on the second body
  Rows3 contact_points;  // (m) m, world
  Rows6 joints;          // (K) N, N m about joint_points, on the second body
  Rows3 joint_points;    // (K) m, world: where the joint holds the second body
  Rows6 by_contacts;     // (n) N, N m about the centre of mass, of all contacts of each body
  Rows6 by_joints;       // (n) the same of all joints

  // J, of all moving bodies.
  double kinetic = 0;        // before the step
  double kinetic_plus = 0;   // after it: kinetic + applied - contacts_took - joints_took
  double applied = 0;        // what external forces, such as gravity, gave in the step
  double contacts_took = 0;  // in the step
  double joints_took = 0;
};
// Precondition: the frame is valid, and z and z_joints have its contacts and joint rows.
StepForces forces(const Frame&, const Rows3& z, const VectorXd& z_joints);

// Gravity of a recording, m/s^2: of its scene; else the acceleration that forces give at least half
// of the moving bodies of the frame. Empty: bodies have no common one.
std::optional<Vector3d> gravity_of(const Header&, const Frame&);
// J, of the moving bodies, where they stand in the frame; zero at the origin.
double potential_energy(const Frame&, const Vector3d& gravity);

}  // namespace perpend::io
