#include "solve/kit/scaled_lcp.hpp"

#include <algorithm>
#include <cmath>

namespace perpend {
namespace {

double power_of_two(double x) { return x > 0 ? std::exp2(std::round(std::log2(x))) : 1; }

}  // namespace

ScaledLcp::ScaledLcp(const LinearProblem& p) : column_scale(p.size()), largest(0) {
  VectorXd row_scale(p.size());
  for (Index i = 0; i < p.size(); ++i) {
    column_scale[i] = power_of_two(1 / p.rows.weight[i]);
    row_scale[i] = power_of_two(p.rows.weight[i] * p.rows.scale[i]);
  }
  A = row_scale.asDiagonal() * p.A * column_scale.asDiagonal();
  A.makeCompressed();
  q = row_scale.cwiseProduct(p.b);
  for (Index k = 0; k < A.nonZeros(); ++k) largest = std::max(largest, std::abs(A.valuePtr()[k]));
}

VectorXd ScaledLcp::scaled(const VectorXd& z) const {
  return z.cwiseQuotient(column_scale).cwiseMax(0);
}

VectorXd ScaledLcp::unscaled(const VectorXd& x) const {
  return x.cwiseMax(0).cwiseProduct(column_scale);
}

double ScaledLcp::residual(const VectorXd& x, const VectorXd& w) {
  return x.cwiseMin(w).lpNorm<Eigen::Infinity>();
}

bool ScaledLcp::may_be_feasible(Progress& progress) const {
  for (Index i = 0; i < size(); ++i) {
    if (q[i] >= -2 * progress.tolerance()) continue;
    bool hopeless = true;
    for (SparseMatrix::InnerIterator it(A, i); it && hopeless; ++it) hopeless = it.value() <= 0;
    if (!hopeless) continue;
    progress.finish(Status::infeasible, "row " + std::to_string(i) +
                                            " of A has no positive entry and b is negative there: "
                                            "no z >= 0 makes w >= 0");
    return false;
  }
  return true;
}

std::optional<ScaledLcp> scaled_lcp(const LinearProblem& p, double bytes, Progress& progress) {
  if (progress.too_large(bytes)) return std::nullopt;
  std::optional<ScaledLcp> lcp(p);
  if (!lcp->may_be_feasible(progress)) lcp.reset();
  return lcp;
}

double sparse_factor_bytes(const LinearProblem& p) {
  constexpr double kEntry = 16, kEntriesPerEntry = 10;
  return std::min(kEntry * kEntriesPerEntry * static_cast<double>(p.A.nonZeros() + p.size()),
                  3 * p.dense_bytes());
}

}  // namespace perpend
