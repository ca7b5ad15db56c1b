// An LCP in velocities: 0 <= x perp w = A x + q >= 0 with z = column_scale x.
//
// Rows and columns of a LinearProblem are scaled (RowScale) so that every x and every w is in m/s
// and own_error is the largest |min(x, w)|, up to a factor of two: scales are powers of two, so
// that they do not round. Raw problems have scale 1 and stay as they are.
#pragma once

#include <optional>

#include "perpend/solve.hpp"

namespace perpend {

struct ScaledLcp {
  explicit ScaledLcp(const LinearProblem&);

  Index size() const { return q.size(); }
  VectorXd w(const VectorXd& x) const { return A * x + q; }
  // From z to x and back; what is below zero is cut off.
  VectorXd scaled(const VectorXd& z) const;
  VectorXd unscaled(const VectorXd& x) const;
  // The largest |min(x, w)|.
  static double residual(const VectorXd& x, const VectorXd& w);
  // False, with progress finished as infeasible, when a row alone shows that no x >= 0 has w >= 0:
  // q_i < 0 by more than the tolerance and no positive entry in row i of A.
  bool may_be_feasible(Progress&) const;

  SparseMatrix A;
  VectorXd q, column_scale;
  double largest;  // |A_ij|, 0 for A = 0
};

// The scaled problem, unless a solver that needs so many bytes may not have them, or a row alone
// excludes a solution: progress is finished then.
std::optional<ScaledLcp> scaled_lcp(const LinearProblem&, double bytes, Progress&);

// An estimate of what one sparse factorization of a matrix with the entries of A takes with its
// copies, bytes; at most what it would take dense. Factors of contact problems held 2 to 3 times
// the entries of A.
double sparse_factor_bytes(const LinearProblem&);

}  // namespace perpend
