// The effective masses by which impulses and velocities of a row become comparable.
#pragma once

#include "perpend/system.hpp"

namespace perpend {

// effective_mass of each contact, kg.
VectorXd contact_scales(const System&);
// effective_joint_mass of each joint row.
VectorXd joint_scales(const System&);
// Compliance on the diagonal of A that J M^-1 J^T does not hold; zeros without one.
VectorXd compliance(const System&);

// Residual of one bounded row, in the unit of w: |z - clamp(z - scale w, lower, upper)|/scale.
double bounded_residual(double z, double w, double scale, double lower, double upper);
// The larger of two, where NaN is the largest of all (as infinity): a spoilt row is never hidden.
double larger(double worst, double residual);

}  // namespace perpend
