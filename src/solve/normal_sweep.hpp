// One sweep of 003's Algorithm 1 (normal_simple.cpp has its equations), for solvers that fall back
// to it.
#pragma once

#include <algorithm>

#include "perpend/formulate.hpp"

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

}  // namespace perpend
