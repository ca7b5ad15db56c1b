// Whether any motion keeps the gaps and joints of a system at all.
//
// A solution has y >= 0 in the normal row of every contact, y = 0 in bilateral joint rows, and
// y >= 0 or y <= 0 in those with a lower or an upper bound only. None exists when there are
// impulses d with the same signs (d_T = 0, and d = 0 in rows with two bounds) and
//   A d = 0,   b.d < 0                                                      (Farkas 1902)
// because d.y = b.d for every y = A lambda + b. A point whose residual (velocity_error) is r has
// y_n >= -r sqrt(1 + mu^2), and y off by r at most in joint rows, so that
//   r >= -b.d / (sum of d_n sqrt(1 + mu^2) + sum of |d_j|)
// whatever friction does: a hand that squeezes what cannot give way, loops of joints that do not
// close.
//
// d is found as the stress of the motion w that violates the rows least,
//   minimize 1/2 w' M w / rho + 1/2 sum m v^2,   d = m v,   v: violation, m: effective mass
// by the convex Newton steps of prox_newton.hpp with the centre at zero and rho growing: A d is
// what the first term leaves, and its part of the proof is counted for impulses a hundred times as
// large as those that would stop all bodies; and a bound that falls as rho grows is none.
#pragma once

#include "perpend/solve.hpp"
#include "solve/kit/newton_space.hpp"

namespace perpend {

// A proved lower bound of velocity_error, m/s; 0: none was found. Every Newton step is one of
// Progress, which is shown `best`. Precondition: space.prepare(system) was true.
template <class Space>
double least_error(const System&, Space& space, const Impulses& best, Progress&);

}  // namespace perpend
