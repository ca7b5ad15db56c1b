// (A + C) lambda = q for a diagonal C > 0, factorized once and solved many times.
//
// Body space: with G = (C + cfm)^-1 the matrix M + J^T G J has the sparsity of the graph of bodies,
//   (M + J^T G J) w = J^T G q,  lambda = G (q - J w)                              (Woodbury)
// Explicit A: a sparse Cholesky factor of A + C, or LU where A is not symmetric (recordings).
#pragma once

#include <memory>

#include "linear/sparse_cholesky.hpp"
#include "solve/kit/newton_space.hpp"

namespace perpend {

class ShiftedSystem {
 public:
  void prepare(const System&);
  // False when there is no factor in this precision.
  bool factorize(const VectorXd& C);
  // lambda from q; they must not be the same vector.
  void solve(const VectorXd& q, VectorXd& lambda);

 private:
  const System* system_ = nullptr;
  bool body_space_ = false;
  BodyNewtonSpace space_;
  RowSlopes slopes_;
  VectorXd G_, w_, d_, u_;
  SparseMatrix A_;
  bool symmetric_ = true;
  std::unique_ptr<linear::SparseCholesky> cholesky_;
  linear::SparseLu lu_;
};

}  // namespace perpend
