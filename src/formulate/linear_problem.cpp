// What lcp and mlcp share: w = A z + b, lower <= z <= upper, w complementary to z.
//
// own_error: the natural map row by row, weight |z - clamp(z - scale w, lower, upper)|, m/s.
// lcp_merit: 1/2 sum phi(z, w)^2 with the Fischer-Burmeister function (Lu et al. 2013, eq. 16 and
// sec. 5); rows with other bounds than 0, infinity: w (free), phi(z - lower, w), phi(upper - z,
// -w), and phi(z - lower, -phi(upper - z, -w)) with both.
#include <algorithm>
#include <cmath>
#include <limits>

#include "formulate/scales.hpp"
#include "measure/rounding.hpp"
#include "perpend/formulate.hpp"

namespace perpend {

double LinearProblem::own_error(const VectorXd& z) const {
  const VectorXd w = A * z + b;
  double worst = 0;
  for (Index i = 0; i < size(); ++i)
    worst = larger(worst,
                   rows.weight[i] * rows.scale[i] *
                       std::abs(bounded_residual(z[i], w[i], rows.scale[i], lower[i], upper[i])));
  return worst;
}

Bounded LinearProblem::bounded_own_error(const VectorXd& z, Sums sums) const {
  const RoundedVelocity w = rounded_product(A, z, b, sums);
  Bounded worst;
  for (Index i = 0; i < size(); ++i)
    enlarge(worst,
            rounded_row(w.y[i], w.delta[i], (z[i] - upper[i]) / rows.scale[i],
                        (z[i] - lower[i]) / rows.scale[i]),
            rows.weight[i] * rows.scale[i]);
  return worst;
}

double LinearProblem::lcp_merit(const VectorXd& z) const {
  const VectorXd w = A * z + b;
  double sum = 0;
  for (Index i = 0; i < size(); ++i) {
    const double phi = fischer_burmeister(z[i], w[i], lower[i], upper[i]);
    sum += phi * phi;
  }
  return sum / 2;
}

double LinearProblem::dense_bytes() const {
  return 8 * static_cast<double>(size()) * static_cast<double>(size());
}

namespace {

class RawProblem final : public LinearProblem {
 public:
  explicit RawProblem(bool mixed) : mixed_(mixed) {}
  std::string_view formulation() const override { return mixed_ ? "mlcp" : "lcp"; }
  Impulses impulses(const VectorXd& z) const override { return z; }
  VectorXd unknowns(const Impulses& z) const override { return z; }

 private:
  bool mixed_;
};

}  // namespace

std::unique_ptr<LinearProblem> raw_problem(std::string_view type, SparseMatrix A, VectorXd b,
                                           VectorXd lower, VectorXd upper) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const bool mixed = type == "mlcp";
  auto problem = std::make_unique<RawProblem>(mixed);
  const Index n = b.size();
  problem->A.swap(A);  // Eigen 3.4 does not move sparse matrices
  problem->b = std::move(b);
  if (mixed) {
    problem->lower = lower.size() ? std::move(lower) : VectorXd::Constant(n, -kInfinity).eval();
    problem->upper = upper.size() ? std::move(upper) : VectorXd::Constant(n, kInfinity).eval();
  } else {
    problem->lower = VectorXd::Zero(n);
    problem->upper = VectorXd::Constant(n, kInfinity);
  }
  problem->rows = {VectorXd::Ones(n), VectorXd::Ones(n)};
  return problem;
}

}  // namespace perpend
