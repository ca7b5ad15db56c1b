// See dense_lu.hpp.
#include "linear/dense_lu.hpp"

#include <Eigen/LU>

#include "linear/interrupt.hpp"

namespace perpend::linear {

struct DenseLu::Factor {
  Eigen::PartialPivLU<Eigen::MatrixXd> lu;
};

DenseLu::DenseLu(const Eigen::MatrixXd& B) {
  const double n = static_cast<double>(B.rows());
  Interrupt::before(2 * n * n * n, 3 * 8 * n * n);
  factor_.reset(new Factor{Eigen::PartialPivLU<Eigen::MatrixXd>(B)});
}
DenseLu::~DenseLu() = default;

bool DenseLu::regular() const {
  return (factor_->lu.matrixLU().diagonal().array().abs() > 0).all();
}

double DenseLu::reciprocal_condition() const {
  if (factor_->lu.rows() == 0) return 1;
  // A zero on the diagonal of U turns the estimate into NaN.
  if (!regular()) return 0;
  const double rcond = factor_->lu.rcond();
  return rcond >= 0 ? rcond : 0;
}

Eigen::VectorXd DenseLu::solve(const Eigen::VectorXd& x) const { return factor_->lu.solve(x); }
RowMatrix DenseLu::inverse() const { return factor_->lu.inverse(); }

}  // namespace perpend::linear
