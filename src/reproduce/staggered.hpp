// The iteration of Nguyen and Trinkle 2010, section 5, as it is printed: two convex quadratic
// programs in turns, with the friction pyramid of eq. 11.
//
//   lambda_f = 0
//   while |nu_1 - nu_2| > epsilon
//     nu_1, lambda_n <- minimize 1/2 nu' M nu + c' nu,  W_n' nu + psi_n/h >= 0,   lambda_f held
//     nu_2, lambda_f <- minimize 1/2 nu' M nu + c' nu + (U lambda_n)' sigma,
//                       W_f' nu + E sigma >= 0,  sigma >= 0,                      lambda_n held
// The conditions of a minimum are the rows of eq. 11 that belong to its unknowns, with M and nu
// eliminated: an LCP whose matrix is positive semidefinite but for a skew part. An interior point
// method solves it, as it would solve the program.
#pragma once

#include "reproduce/kit.hpp"

namespace perpend::reproduce {

struct StaggeredRun {
  Impulses impulses;
  long turns = 0;
  long steps = 0;    // of the interior point method, each with one factorization
  bool met = false;  // the velocities of both programs agree
  double error = 0;  // m/s, of eq. 11: zero for a solution
};
StaggeredRun staggered_pyramids(const System&, double epsilon, long most_turns, const Settings&);

}  // namespace perpend::reproduce
