// mlcp/jacobi: projected Jacobi on the rows of contacts and joints, momentum solved exactly, body
// by body (Lu et al. 2013, Table 2, MLCP row).
//
//   v      from the impulses: M v = M v_free + J^T lambda, M block diagonal
//   z_i <- clamp(z_i - omega w_i/a_i, lower_i, upper_i),   a_i = (A_CC - A_CV M^-1 A_VC)_ii
// all rows from the same w; bilateral joints are rows like the others, and rows with a = 0 stay as
// they are. Friction impulses and s of a contact as in mlcp_rows.hpp: s has no diagonal.
//
// omega: plain Jacobi (1) overshoots where contacts share a body. Default is the bound of
// Gershgorin for the matrix scaled to a unit diagonal, 1/max_i sum_j |a_ij|/sqrt(a_i a_j): without
// friction it always converges. Option `relaxation` multiplies it.
#include <cmath>

#include "linear/interrupt.hpp"
#include "solve/kit/mlcp_rows.hpp"
#include "solve/registry.hpp"

namespace perpend {
namespace {

// a_i of the iterated rows and Gershgorin's bound, column by column.
struct Reduced {
  VectorXd diagonal;
  double bound = 1;
};

Reduced reduce(const MlcpRows& rows) {
  const LinearProblem& p = rows.problem();
  Reduced reduced{VectorXd::Zero(p.size())};
  const auto column = [&](Index j) {
    VectorXd z = VectorXd::Zero(p.size());
    z[j] = 1;
    rows.complete(z, 0);
    linear::Interrupt::after(2 * static_cast<double>(p.A.nonZeros()));
    return VectorXd(p.A * z);
  };
  for (const Index j : rows.iterated()) reduced.diagonal[j] = std::max(0.0, column(j)[j]);
  const auto root = [&](Index i) { return std::sqrt(reduced.diagonal[i]); };
  for (const Index j : rows.iterated()) {
    if (!(reduced.diagonal[j] > 0)) continue;
    const VectorXd a = column(j);
    double sum = 0;
    for (const Index i : rows.iterated())
      if (reduced.diagonal[i] > 0) sum += std::abs(a[i]) / (root(i) * root(j));
    reduced.bound = std::max(reduced.bound, sum);
  }
  return reduced;
}

void run(const LinearProblem& p, Progress& progress) {
  const MlcpRows rows(p, MlcpRows::Eliminate::momentum);
  if (rows.finished(progress)) return;
  const Reduced reduced = reduce(rows);
  progress.count(Work::product, 2 * static_cast<long>(rows.iterated().size()));
  const double omega = progress.number("relaxation") / reduced.bound;
  VectorXd r = VectorXd::Zero(p.size());
  for (const Index i : rows.iterated())
    if (reduced.diagonal[i] > 0) r[i] = omega / reduced.diagonal[i];
  rows.iterate(r, Work::sweep, "it diverges: the relaxation is too large", progress);
}

}  // namespace

SolverInfo mlcp_jacobi() {
  return solver(
      "mlcp/jacobi", "projected Jacobi on contact and joint rows, momentum solved exactly",
      "Lu et al. 2013, Table 2", run,
      {{"relaxation", "multiple of the step that Gershgorin's bound allows", "1", {}, 1e-3, 1e3}});
}

}  // namespace perpend
