// Friction bounds of dWorldStep.
//
// ODE's pivoting method first solves all rows but those of friction, freezes the bounds of friction
// at mu times these normal forces, and solves all rows with the bounds as they are. The first
// problem is solved here again: its matrix A + cfm is positive definite and its answer unique.
#pragma once

#include "perpend/system.hpp"

namespace perpend::capture::from_ode {

// Impulses of every row (3m + r, friction rows with a bound of zero stay zero) of
//   lower <= x <= upper,  y = A x + b = 0 inside, >= 0 at lower, <= 0 at upper
// by principal pivoting in blocks (Judice and Pires 1994, on Murty's rule where a block makes
// nothing better). It starts with the rows at their bounds that are there in `guess`. Empty: it did
// not end, or A is not positive definite.
Impulses solve_exactly(const System&, const Impulses& guess);

}  // namespace perpend::capture::from_ode
