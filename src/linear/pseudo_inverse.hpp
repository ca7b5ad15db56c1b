// Pseudo-inverse of the symmetric positive semidefinite matrix of joint rows, A_bb = J_b M^-1
// J_b^T.
//
// Redundant joints make it singular, and rows of different units make its entries incomparable.
// So it is scaled to a unit diagonal first (S A S, s_i = A_ii^-1/2: the rank then does not depend
// on units), split into the connected components of its graph, and each component is factorized by
// a complete orthogonal decomposition. solve(x) = S (S A S)^+ S x: a solution where one exists,
// shared evenly between redundant rows, and the least squares of the scaled rows elsewhere.
#pragma once

#include <Eigen/SparseCore>
#include <memory>

namespace perpend::linear {

class PseudoInverse {
 public:
  using Matrix = Eigen::SparseMatrix<double, Eigen::RowMajor>;

  explicit PseudoInverse(const Matrix& A);
  ~PseudoInverse();
  PseudoInverse(const PseudoInverse&) = delete;
  PseudoInverse& operator=(const PseudoInverse&) = delete;

  Eigen::VectorXd solve(const Eigen::VectorXd&) const;
  Matrix solve(const Matrix&) const;
  Eigen::Index rank() const;

  // Directions of the scaled matrix below this part of the largest are taken for redundant: entries
  // carry rounding of 1e-16, and two copies of a hinge that are 1e-6 apart differ by 1e-12.
  static constexpr double kRankTolerance = 1e-12;

 private:
  struct Component;
  Eigen::VectorXd scale_;
  std::unique_ptr<Component[]> components_;
  Eigen::Index count_ = 0;
};

}  // namespace perpend::linear
