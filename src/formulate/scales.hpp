// The effective masses by which impulses and velocities of a row become comparable.
#pragma once

#include "perpend/system.hpp"

namespace perpend {

// rho_i = 3/tr A_ii of each contact, kg; 1 where A_ii has no positive trace.
VectorXd contact_scales(const System&);
// rho_j = 1/A_jj of each joint row; 1 where A_jj is not positive (nothing moves).
VectorXd joint_scales(const System&);
// Compliance on the diagonal of A that J M^-1 J^T does not hold; zeros without one.
VectorXd compliance(const System&);

// Residual of one bounded row, in the unit of w: |z - clamp(z - scale w, lower, upper)|/scale.
double bounded_residual(double z, double w, double scale, double lower, double upper);
// The larger of two, where NaN is the largest of all (as infinity): a spoilt row is never hidden.
double larger(double worst, double residual);

}  // namespace perpend
