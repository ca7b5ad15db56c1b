#include "formulate/scales.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace perpend {

VectorXd contact_scales(const System& s) {
  VectorXd rho(s.contacts());
  for (Index i = 0; i < rho.size(); ++i) rho[i] = effective_mass(s, i);
  return rho;
}

VectorXd joint_scales(const System& s) {
  VectorXd rho(s.joint_rows());
  for (Index j = 0; j < rho.size(); ++j) rho[j] = effective_joint_mass(s, j);
  return rho;
}

VectorXd compliance(const System& s) {
  if (const BodySpace* form = std::get_if<BodySpace>(&s.A))
    return form->cfm.size() ? form->cfm : VectorXd::Zero(s.rows()).eval();
  VectorXd cfm = VectorXd::Zero(s.rows());
  if (!s.dynamics) return cfm;
  // Explicit blocks hold the sum; what J M^-1 J^T does not explain beyond rounding is compliance.
  const SparseMatrix J = jacobian(s);
  const SparseMatrix response = s.dynamics->generalized_response.transpose();
  for (Index i = 0; i < s.rows(); ++i) {
    const double diagonal = i < 3 * s.contacts() ? contact_block(s, i / 3)(i % 3, i % 3)
                                                 : joint_diagonal(s, i - 3 * s.contacts());
    const double excess = diagonal - J.row(i).dot(response.row(i));
    if (excess > 1e-12 * diagonal) cfm[i] = excess;
  }
  return cfm;
}

double larger(double worst, double residual) {
  return std::isnan(residual) ? std::numeric_limits<double>::infinity() : std::max(worst, residual);
}

void enlarge(Bounded& worst, const Bounded& row, double weight) {
  worst.error = larger(worst.error, weight * row.error);
  worst.rounding = larger(worst.rounding, weight * row.rounding);
}

}  // namespace perpend
