// PATH's method: Newton's method on the normal map with path search, for w = A z + b, l <= z <= u
// with w complementary to z. Our own implementation of what is published about PATH: Ralph, Math.
// Oper. Res. 19 (1994); Dirkse, Ferris, Optim. Methods Softw. 5 (1995); Ferris, Munson, Comput.
// Optim. Appl. 12 (1999).
//
//   N(x) = A z + b + x - z,   z = pi(x),   solved where N(x) = 0        (normal map)
//   N_k(p(t)) = (1 - t) N(x_k),   p(0) = x_k,   t from 0 to 1          (path; path_search.hpp)
// with N_k the linearization at x_k. Major steps:
// - Crash: projected Newton steps guess which bounds are active, before the first pivot.
// - Path: complementary pivoting leads to x_(k+1) = p(1). A path that meets a ray, a singular
//   basis, or the limit of pivots is cut, and its point with the largest t is the step.
// - Proximal term: where the basis of x_k is singular (redundant joints, a body on more contacts
//   than it has freedoms), N_k has e (z - z_k) added, and e falls with the residual. At x_(k+1)
//   the true residual is then e |z_(k+1) - z_k|: the answer obeys the problem, not its
//   perturbation.
// - Non-monotone watchdog: a full step of moderate length is taken unseen, |N| may grow for kWatch
//   of them. Other steps must bring |N| below the largest of the last kMemory accepted ones. If
//   not, the method returns to its last checkpoint and goes along that path only as far as |N|
//   falls: t = 1/2, 1/4, ... (path search).
// - Restart from a ray (Ferris, Munson 1999, section 3.4: Lemke's start): all free variables basic,
//   all others at a bound; for the contact problems of Stewart and Trinkle that path ends in a
//   solution. From the basis where it ended it is started again to remove rounding.
//
// For an affine problem N_k is N itself unless e > 0: then the watchdog has work only with e > 0
// and after cut paths. And so, where we know nothing (a cold start), the method begins with the
// ray: on contact problems it needs fewer pivots than the path from a crashed point
// (docs/solvers.md). `path` of the result names the steps in their order.
#pragma once

#include <functional>
#include <vector>

#include "perpend/formulate.hpp"
#include "perpend/solve.hpp"

namespace perpend {

// From z to the unknowns that Progress is about.
using PathAnswer = std::function<VectorXd(const VectorXd& z)>;

// From `start`, which is used when Progress has a start other than zero. The solver has the options
// below.
void follow_path(const LinearProblem&, const VectorXd& start, const PathAnswer&, Progress&);
std::vector<OptionInfo> path_options();

// The method on a linear problem as it is.
void follow_path(const LinearProblem&, Progress&);

}  // namespace perpend
