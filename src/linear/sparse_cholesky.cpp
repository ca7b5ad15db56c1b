#include "linear/sparse_cholesky.hpp"

#include <Eigen/SparseCholesky>

#include "linear/interrupt.hpp"
#include "linear/sparse_rows.hpp"

namespace perpend::linear {

using ColumnMajor = Eigen::SparseMatrix<double>;
using RowMajor = Eigen::SparseMatrix<double, Eigen::RowMajor>;

struct SparseCholesky::Factor {
  Eigen::SimplicialLDLT<ColumnMajor> ldlt;
  bool ok = false;
};

SparseCholesky::SparseCholesky(const RowMajor& matrix) : factor_(std::make_unique<Factor>()) {
  const ColumnMajor columns(matrix);
  factor_->ldlt.analyzePattern(columns);
  if (Interrupt::any() && columns.cols() >= kWorthAsking) {
    const FactorCost cost = factor_cost(columns, factor_->ldlt.permutationP());
    // Half of what LU takes, entry by entry: a third as fast as what works in blocks.
    Interrupt::before(1.5 * cost.flops, cost.bytes / 2);
  }
  factor_->ldlt.factorize(columns);
  factor_->ok = factor_->ldlt.info() == Eigen::Success && factor_->ldlt.vectorD().allFinite() &&
                (matrix.rows() == 0 || factor_->ldlt.vectorD().minCoeff() > 0);
}

SparseCholesky::~SparseCholesky() = default;

bool SparseCholesky::ok() const { return factor_->ok; }

Eigen::VectorXd SparseCholesky::solve(const Eigen::VectorXd& rhs) const {
  return factor_->ldlt.solve(rhs);
}

RowMajor SparseCholesky::solve(const RowMajor& B) const {
  const ColumnMajor right(B);
  const ColumnMajor x = factor_->ldlt.solve(right);
  return RowMajor(x.pruned(0.0, 0.0));
}

}  // namespace perpend::linear
