// Algorithm 1 of Preda and Florian 2005 (normal_simple.cpp has its equations), also for solvers
// that fall back to it, and the scaling of those that do not.
#pragma once

#include <algorithm>
#include <cmath>

#include "perpend/solve.hpp"

namespace perpend {

inline void normal_sweep(const NormalProblem& problem, VectorXd& f) {
  for (Index i = 0; i < f.size(); ++i) {
    double q = problem.b[i], diagonal = 0;
    for (SparseMatrix::InnerIterator it(problem.A, i); it; ++it) {
      if (it.col() == i)
        diagonal = it.value();
      else
        q += it.value() * f[it.col()];
    }
    if (diagonal > 0) f[i] = std::max(0.0, -q / diagonal);
  }
}

// Sweeps from f until Progress ends them.
inline void normal_sweeps(const NormalProblem& problem, VectorXd f, Progress& progress) {
  do {
    normal_sweep(problem, f);
    progress.count(Work::sweep);
  } while (progress.next(f));
}

// A_ii^-1/2, by which rows and columns get A_ii = 1; `none` where A_ii is zero.
inline VectorXd unit_diagonal(const SparseMatrix& A, double none) {
  VectorXd scale = VectorXd::Constant(A.rows(), none);
  for (Index i = 0; i < A.rows(); ++i)
    if (const double d = A.coeff(i, i); d > 0) scale[i] = 1 / std::sqrt(d);
  return scale;
}

}  // namespace perpend
