// Sparse LDL^T of a symmetric positive definite matrix, instantiated once.
#pragma once

#include <Eigen/SparseCore>
#include <memory>

namespace perpend::linear {

class SparseCholesky {
 public:
  // False in ok() when the matrix is not positive definite to working precision.
  explicit SparseCholesky(const Eigen::SparseMatrix<double, Eigen::RowMajor>&);
  ~SparseCholesky();
  bool ok() const;
  Eigen::VectorXd solve(const Eigen::VectorXd&) const;
  // Columns of B one by one, so that the result stays sparse where M is block diagonal.
  Eigen::SparseMatrix<double, Eigen::RowMajor> solve(
      const Eigen::SparseMatrix<double, Eigen::RowMajor>& B) const;

 private:
  struct Factor;
  std::unique_ptr<Factor> factor_;
};

}  // namespace perpend::linear
