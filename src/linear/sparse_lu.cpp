#include "linear/sparse_lu.hpp"

#include <Eigen/SparseLU>

#include "linear/interrupt.hpp"
#include "linear/sparse_rows.hpp"

namespace perpend::linear {

struct SparseLu::Factor {
  Eigen::SparseLU<Eigen::SparseMatrix<double>> lu;
};

SparseLu::SparseLu() : factor_(std::make_unique<Factor>()) {}
SparseLu::~SparseLu() = default;

bool SparseLu::factorize(const Eigen::SparseMatrix<double, Eigen::RowMajor>& matrix) {
  const Eigen::SparseMatrix<double> columns(matrix);
  factor_->lu.analyzePattern(columns);
  if (Interrupt::any() && columns.cols() >= kWorthAsking) {
    const FactorCost cost = factor_cost(columns, factor_->lu.colsPermutation());
    Interrupt::before(cost.flops, cost.bytes);
  }
  factor_->lu.factorize(columns);
  return factor_->lu.info() == Eigen::Success;
}

void SparseLu::solve(Eigen::VectorXd& x) const { x = factor_->lu.solve(x).eval(); }

}  // namespace perpend::linear
