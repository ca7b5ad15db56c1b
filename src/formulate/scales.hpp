// The effective masses by which impulses and velocities of a row become comparable.
#pragma once

#include "perpend/measure.hpp"

namespace perpend {

// effective_mass of each contact, kg.
VectorXd contact_scales(const System&);
// effective_joint_mass of each joint row.
VectorXd joint_scales(const System&);
// Compliance on the diagonal of A that J M^-1 J^T does not hold; zeros without one.
VectorXd compliance(const System&);

// The larger of two, where NaN is the largest of all (as infinity): a spoilt row is never hidden.
double larger(double worst, double residual);
// The same for errors with their rounding, each on its own; the row's are multiplied by `weight`.
void enlarge(Bounded& worst, const Bounded& row, double weight = 1);

}  // namespace perpend
