// The measures of DESIGN.md, section 5, one function each; y = A lambda + b is handed in.
#pragma once

#include "perpend/measure.hpp"

namespace perpend::measure_terms {

// residuals.cpp
double velocity_error(const System&, const Impulses&, const VectorXd& y);
double rms_violation(const System&, const Impulses&, const VectorXd& y);
double natural_map_error(const System&, const Impulses&, const VectorXd& y);

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

// The effective mass of a contact, rho = 3/tr A_ii, and of a joint row, 1/A_jj. Where A has no
// diagonal no impulse changes the velocity and no mass is there to scale by: rho = 1.
double effective_mass(const System&, Index contact);
double effective_joint_mass(const System&, Index joint_row);

}  // namespace perpend::measure_terms
