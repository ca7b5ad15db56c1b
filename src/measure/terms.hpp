// The measures of docs/errors.md, one function each; y = A lambda + b is handed in.
#pragma once

#include "perpend/measure.hpp"

namespace perpend::measure_terms {

// residuals.cpp
double velocity_error(const System&, const Impulses&, const VectorXd& y);
double rms_violation(const System&, const Impulses&, const VectorXd& y);
double natural_map_error(const System&, const Impulses&, const VectorXd& y);
struct VelocityResiduals {
  double worst = 0, root_mean_square = 0;  // velocity_error, rms_violation
};
// Whether the system tells which joint rows are rotations: both linear parts of their Jacobian are
// zero.
bool knows_joints(const System&);
struct JointErrors {
  double worst = 0, worst_turn = 0;  // joint_error, joint_turn_error
};
JointErrors joint_errors(const System&, const Impulses&, const VectorXd& y);
VectorXd velocity_errors(const System&, const Impulses&, const VectorXd& y);
VelocityResiduals velocity_residuals(const System&, const Impulses&, const VectorXd& y);

// complementarity.cpp
double normal_error(const System&, const Impulses&, const VectorXd& y);
double friction_error(const System&, const Impulses&, const VectorXd& y);
double total_error(const System&, const Impulses&, const VectorXd& y);

// pgs_merit.cpp
double pgs_merit(const System&, const Impulses&, Bounds);

// penetration.cpp, energy.cpp: what not every system can tell.
bool knows_penetration(const System&);
double max_penetration(const System&, const Impulses&, const VectorXd& y);
bool knows_energy(const System&);
double energy_change(const System&, const Impulses&);
// `change`: M^-1 J^T lambda in the columns of dynamics, which is there.
double energy_of_change(const System&, const VectorXd& change);

}  // namespace perpend::measure_terms
