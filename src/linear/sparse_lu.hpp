// Sparse LU with column pivoting of a general square matrix, instantiated once.
#pragma once

#include <Eigen/SparseCore>
#include <memory>

namespace perpend::linear {

class SparseLu {
 public:
  SparseLu();
  ~SparseLu();
  // False when the matrix is singular to working precision.
  bool factorize(const Eigen::SparseMatrix<double, Eigen::RowMajor>&);
  void solve(Eigen::VectorXd& x) const;

 private:
  struct Factor;
  std::unique_ptr<Factor> factor_;
};

}  // namespace perpend::linear
