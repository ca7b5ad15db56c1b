#include "linear/sparse_lu.hpp"

#include <Eigen/SparseLU>

namespace perpend::linear {

struct SparseLu::Factor {
  Eigen::SparseLU<Eigen::SparseMatrix<double>> lu;
};

SparseLu::SparseLu() : factor_(std::make_unique<Factor>()) {}
SparseLu::~SparseLu() = default;

bool SparseLu::factorize(const Eigen::SparseMatrix<double, Eigen::RowMajor>& matrix) {
  factor_->lu.compute(Eigen::SparseMatrix<double>(matrix));
  return factor_->lu.info() == Eigen::Success;
}

void SparseLu::solve(Eigen::VectorXd& x) const { x = factor_->lu.solve(x).eval(); }

}  // namespace perpend::linear
