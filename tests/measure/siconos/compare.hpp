// What Siconos 4.4 computes, found by calling it: fc3d_compute_error(problem, z, w, tolerance,
// options, norm, &error) sets w = M z + q and
//
//   error = sqrt(sum |z_i - P_K(z_i - (w_i + mu_i |w_iT| e_N))|^2) / max(norm, |z|, |w|)
//
// and does not divide when the denominator is not above DBL_EPSILON. `options` is not read, the
// tolerance decides the return value alone. Its solvers call it with norm = |q|. With M = A, q = b,
// z = lambda, norm = |b| this is natural_map_error of a system without joints and groups.
#pragma once

#include <FrictionContactProblem.h>
#include <NumericsMatrix.h>
#include <fc3d_compute_error.h>
#include <gtest/gtest.h>

#include <limits>
#include <memory>

#include "perpend/measure.hpp"

namespace perpend::siconos {

// error by fc3d_compute_error with the given norm.
inline double compute_error(const System& system, const Impulses& lambda, double norm) {
  SparseMatrix a = to_sparse(system);
  const int n = static_cast<int>(a.rows());
  const auto release = [](NumericsMatrix* m) { NM_free(m); };
  const std::unique_ptr<NumericsMatrix, decltype(release)> matrix(NM_create(NM_SPARSE, n, n),
                                                                  release);
  NM_triplet_alloc(matrix.get(), a.nonZeros());
  for (Index row = 0; row < a.rows(); ++row)
    for (SparseMatrix::InnerIterator it(a, row); it; ++it)
      NM_entry(matrix.get(), static_cast<int>(it.row()), static_cast<int>(it.col()), it.value());
  VectorXd q = system.b, mu = system.mu, z = lambda, w(lambda.size());
  FrictionContactProblem problem{3, static_cast<int>(system.contacts()), matrix.get(), q.data(),
                                 mu.data()};
  double error = -1;
  fc3d_compute_error(&problem, z.data(), w.data(), 1e-8, nullptr, norm, &error);
  return error;
}

// How far rounding can take the two apart. Each side sums y_i over k products: |dy| <=
// (k + 1) eps (|A||lambda| + |b|); uhat amplifies it by 1 + mu, P_K by at most 1; the norms add
// n eps of the result, which is at most 2 + mu.
inline double rounding(const System& system, const Impulses& lambda) {
  SparseMatrix a = to_sparse(system).cwiseAbs();
  Index k = 0;
  for (Index row = 0; row < a.rows(); ++row) k = std::max(k, Index{a.row(row).nonZeros()});
  const VectorXd y = relative_velocity(system, lambda);
  const double scale = std::max({system.b.norm(), lambda.norm(), y.norm()});
  const VectorXd sums = a * lambda.cwiseAbs() + system.b.cwiseAbs();
  const double mu = system.mu.maxCoeff();
  const double eps = std::numeric_limits<double>::epsilon();
  return eps * (2 + mu) *
         (2 * static_cast<double>(k + 1) * sums.norm() / scale + static_cast<double>(a.rows()));
}

inline void expect_equal(const System& system, const Impulses& lambda) {
  EXPECT_NEAR(measure(system, lambda, Measure::natural_map_error),
              compute_error(system, lambda, system.b.norm()), rounding(system, lambda));
}

}  // namespace perpend::siconos
