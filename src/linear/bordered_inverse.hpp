// The inverse of a principal submatrix that gains and loses one row and column at a time.
//
// With s = a_jj - r B^-1 c, the Schur complement of the new row r and column c,
//   B' = (B c; r a_jj):  B'^-1 = (B^-1 + B^-1 c r B^-1/s   -B^-1 c/s;  -r B^-1/s   1/s)
// and to lose row k is to undo it: B^-1 <- B^-1 - column_k row_k/(B^-1)_kk. Each costs O(size^2).
// The matrix need not be symmetric. Rounding gathers: who uses it checks residuals and rebuilds.
#pragma once

#include <Eigen/Core>

namespace perpend::linear {

class BorderedInverse {
 public:
  Eigen::Index size() const { return size_; }
  void clear() { size_ = 0; }
  // B^-1 x
  Eigen::VectorXd solve(const Eigen::VectorXd& x) const {
    return inverse_.topLeftCorner(size_, size_) * x;
  }
  // a_jj - row B^-1 column: what `append` divides by.
  double schur(const Eigen::VectorXd& row, const Eigen::VectorXd& column, double diagonal) const;
  void append(const Eigen::VectorXd& row, const Eigen::VectorXd& column, double diagonal);
  void remove(Eigen::Index k);
  // Anew from B itself; false when B is singular to working precision (reciprocal condition below
  // `threshold`).
  bool rebuild(const Eigen::MatrixXd& B, double threshold);

 private:
  Eigen::MatrixXd inverse_;  // its leading size x size part
  Eigen::Index size_ = 0;
};

}  // namespace perpend::linear
