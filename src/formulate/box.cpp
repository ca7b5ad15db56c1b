// box: w = A lambda + b, lower(lambda) <= lambda <= upper(lambda), w complementary to lambda
// (Silcowitz-Hansen et al. 2010).
//
//   normal rows     0 <= lambda_n                        perp  w_n >= 0
//   friction rows   -mu lambda_n <= lambda_t <= mu lambda_n,  the same for o       (eq. 7)
//   joint rows      lower <= lambda <= upper
// Where the engine fixed the bounds of friction (Model::engine), those replace mu lambda_n.
//
// own_error is the largest |lambda - clamp(lambda - rho w, lower, upper)|/rho, m/s, with the bounds
// at lambda itself, rho = 3/tr A_ii for the rows of contact i and 1/A_jj for joint row j. The paper
// has rho = 1 throughout, which mixes N s with m/s.
#include <algorithm>
#include <cmath>
#include <limits>

#include "formulate/scales.hpp"
#include "measure/exact.hpp"
#include "measure/rounding.hpp"
#include "perpend/formulate.hpp"

namespace perpend {
namespace {

// Calls visit(row, least, most) for every row: its residual is the median of w, least and most
// (natural_map.hpp). The distance of a friction impulse from mu lambda_n is taken from the exact
// product.
template <class Visit>
void for_each_row(const System& s, const VectorXd& lambda, Visit visit) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (Index i = 0; i < s.contacts(); ++i) {
    const Index n = 3 * i;
    const double rho = effective_mass(s, i);
    visit(n, -kInfinity, lambda[n] / rho);
    const Exact bound = two_product(s.mu[i], std::max(0.0, lambda[n]));
    for (Index k = 0; k < 2; ++k) {
      const double fixed = s.friction_bounds.rows() ? s.friction_bounds(i, k) : kInfinity;
      const double f = lambda[n + 1 + k];
      if (std::isfinite(fixed))
        visit(n + 1 + k, (f - fixed) / rho, (f + fixed) / rho);
      else
        visit(n + 1 + k, ((f - bound.value) - bound.error) / rho,
              ((f + bound.value) + bound.error) / rho);
    }
  }
  for (Index j = 0; j < s.joint_rows(); ++j) {
    const Index row = 3 * s.contacts() + j;
    const double rho = effective_joint_mass(s, j);
    visit(row, (lambda[row] - s.upper[j]) / rho, (lambda[row] - s.lower[j]) / rho);
  }
}

}  // namespace

double BoxProblem::own_error(const VectorXd& lambda) const {
  const VectorXd w = relative_velocity(system(), lambda);
  double worst = 0;
  for_each_row(system(), lambda, [&](Index row, double least, double most) {
    worst = larger(worst, std::abs(w[row] < least ? least : w[row] > most ? most : w[row]));
  });
  return worst;
}

Bounded BoxProblem::bounded_own_error(const VectorXd& lambda, Sums sums) const {
  const RoundedVelocity w = rounded_velocity(system(), lambda, sums);
  Bounded worst;
  for_each_row(system(), lambda, [&](Index row, double least, double most) {
    enlarge(worst, rounded_row(w.y[row], w.delta[row], least, most));
  });
  return worst;
}

}  // namespace perpend
