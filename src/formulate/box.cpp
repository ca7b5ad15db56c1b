// box: w = A lambda + b, lower(lambda) <= lambda <= upper(lambda), w complementary to lambda.
//
//   normal rows     0 <= lambda_n                        perp  w_n >= 0
//   friction rows   -mu lambda_n <= lambda_t <= mu lambda_n,  the same for o      (000, eq. 7)
//   joint rows      lower <= lambda <= upper
// Where the engine fixed the bounds of friction (Model::engine), those replace mu lambda_n.
//
// own_error is the largest |lambda - clamp(lambda - rho w, lower, upper)|/rho, m/s, with the bounds
// at lambda itself, rho = 3/tr A_ii for the rows of contact i and 1/A_jj for joint row j. 000 has
// rho = 1 throughout, which mixes N s with m/s.
#include <cmath>
#include <limits>

#include "formulate/scales.hpp"
#include "perpend/formulate.hpp"

namespace perpend {

double BoxProblem::own_error(const VectorXd& lambda) const {
  const System& s = system();
  const VectorXd w = relative_velocity(s, lambda);
  const VectorXd rho = contact_scales(s), joint_rho = joint_scales(s);
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  double worst = 0;
  for (Index i = 0; i < s.contacts(); ++i) {
    const Index n = 3 * i;
    worst = larger(worst, bounded_residual(lambda[n], w[n], rho[i], 0, kInfinity));
    for (Index k = 0; k < 2; ++k) {
      const double fixed = s.friction_bounds.rows() ? s.friction_bounds(i, k) : kInfinity;
      const double bound = std::isfinite(fixed) ? fixed : s.mu[i] * std::max(0.0, lambda[n]);
      worst =
          larger(worst, bounded_residual(lambda[n + 1 + k], w[n + 1 + k], rho[i], -bound, bound));
    }
  }
  for (Index j = 0; j < s.joint_rows(); ++j) {
    const Index row = 3 * s.contacts() + j;
    worst =
        larger(worst, bounded_residual(lambda[row], w[row], joint_rho[j], s.lower[j], s.upper[j]));
  }
  return worst;
}

}  // namespace perpend
