// ncp: the quadratic Coulomb cone, in the impulses alone.
//
//   0 <= lambda_n  perp  w_n >= 0                                           (Lu et al. 2013, eq. 1)
//   mu lambda_n u_t + lambda_t s = 0,  mu lambda_n u_o + lambda_o s = 0 (Lu et al. 2013, eqs. 4-5)
//   0 <= mu^2 lambda_n^2 - lambda_t^2 - lambda_o^2  perp  s >= 0            (Lu et al. 2013, eq. 6)
// with w = A lambda + b; joint rows keep their bounds. The three lines of a contact together say
//   K contains lambda_i  perp  w_i + mu s n in the dual of K,   K = {|lambda_f| <= mu lambda_n},
// which is what own_error measures (velocity_error, m/s). Lu et al. measure (4)-(6) by products
// that mix units; their eq. 1 is at position level, ours is divided by h.
#include "perpend/formulate.hpp"

namespace perpend {

double ConeProblem::own_error(const VectorXd& lambda) const {
  return measure(system(), lambda, Measure::velocity_error);
}

Bounded ConeProblem::bounded_own_error(const VectorXd& lambda, Sums sums) const {
  return bounded_velocity_error(system(), lambda, sums);
}

}  // namespace perpend
