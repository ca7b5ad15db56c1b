// lcp/pgs: projected Gauss-Seidel on the LCP of Lu et al. 2013 (eq. 19, Table 2 and Fig. 9).
//
//   x_i <- max(0, x_i - w_i/(A_ii + cfm_i)),    w = A x + q, row after row.
// The rows of the sliding speeds s have no diagonal: their own variable does not enter them, and
// the step divides by zero. Lu et al. add a small number to the diagonal (CFM, constraint force
// mixing). Here cfm_i = `cfm` in those rows only, in units in which the other diagonals are about 1
// (scaled_lcp.hpp). `cfm-law` says what it means:
//   step   the number only divides the step; w stays as it is, so that a fixed point of the sweep
//          solves the LCP itself. It must be large enough: s and the friction of its contact push
//          each other around, and with a small divisor the sweeps overshoot and diverge.
//   soft   as Lu et al. do: w_i + cfm x_i takes the place of w_i, which is another problem. The
//          friction bound gives way by cfm s, and the error never gets below that.
// w is kept while x_i moves, a column of A at a time: most directions of friction push nothing, and
// what does not move costs nothing. It is made anew every kRenewal sweeps.
//
// With cfm = 0 these rows are passed over: s keeps its start, 0, nothing bounds friction, and every
// contact sticks. When the sweep then moves nothing any more, the method says `stalled`.
#include <algorithm>
#include <cmath>

#include "solve/kit/patience.hpp"
#include "solve/kit/scaled_lcp.hpp"
#include "solve/registry.hpp"

namespace perpend {
namespace {

// Diagonals below this part of the largest |A_ij| count as zero.
constexpr double kNoDiagonal = 1e-12;
// What a sweep changes relative to the largest x when it stands still: rounding.
constexpr double kStill = 1e-15;
constexpr int kPatience = 5000;  // sweeps
// Sweeps after which the rounding of w is cleared.
constexpr int kRenewal = 100;
// The sweeps have diverged when the error is so many times what it was at the start.
constexpr double kDiverged = 1e8;

void run(const LinearProblem& p, Progress& progress) {
  const ScaledLcp lcp(p);
  if (!lcp.may_be_feasible(progress)) return;
  const double cfm = progress.number("cfm");
  const bool soft = progress.choice("cfm-law") == "soft";
  const Index n = lcp.size();
  VectorXd divisor(n), softness = VectorXd::Zero(n);
  long skipped = 0;
  for (Index i = 0; i < n; ++i) {
    divisor[i] = lcp.A.coeff(i, i);
    if (divisor[i] > kNoDiagonal * lcp.largest) continue;
    divisor[i] = cfm;
    if (soft) softness[i] = cfm;
    skipped += cfm == 0;
  }

  const Eigen::SparseMatrix<double> columns(lcp.A);
  VectorXd x = lcp.scaled(progress.start());
  VectorXd w = lcp.w(x);
  const double at_start = ScaledLcp::residual(x, w);
  double residual;
  Patience patience(at_start, kPatience);
  int sweeps = 0;
  do {
    double change = 0;
    residual = 0;
    if (sweeps++ % kRenewal == 0) w = lcp.w(x);
    for (Index i = 0; i < n; ++i) {
      residual = std::max(residual, std::abs(std::min(x[i], w[i])));
      if (divisor[i] == 0) continue;
      const double moved = std::max(0.0, x[i] - (w[i] + softness[i] * x[i]) / divisor[i]);
      const double step = moved - x[i];
      if (step == 0) continue;
      change = std::max(change, std::abs(step));
      x[i] = moved;
      for (Eigen::SparseMatrix<double>::InnerIterator it(columns, i); it; ++it)
        w[it.row()] += it.value() * step;
    }
    progress.count(Work::sweep);
    if (!progress.next(lcp.unscaled(x), residual)) return;
    if (patience.lost(residual)) return progress.finish(Status::stalled, patience.why());
    if (change <= kStill * x.lpNorm<Eigen::Infinity>()) {
      std::string why = "sweeps no longer change anything";
      if (skipped > 0)
        why += "; " + std::to_string(skipped) + " rows with a zero diagonal were skipped (cfm = 0)";
      else if (soft)
        why += ", because cfm changes the problem";
      progress.finish(Status::stalled, why);
      return;
    }
  } while (residual <= kDiverged * at_start);
  progress.finish(Status::failed, "the sweeps diverge: cfm is too small for this problem");
}

}  // namespace

SolverInfo lcp_pgs() {
  return solver(
      "lcp/pgs", "projected Gauss-Seidel, CFM on the zero diagonal",
      "Lu et al. 2013, Table 2 and Fig. 9", run,
      {{"cfm",
        "replaces a zero on the diagonal, where other entries are about 1; 0: skip those rows",
        "4",
        {},
        0,
        1e6},
       {"cfm-law",
        "step: cfm only shortens the step; soft: it changes the friction law (Lu et al. 2013)",
        "step",
        {"step", "soft"}}});
}

}  // namespace perpend
