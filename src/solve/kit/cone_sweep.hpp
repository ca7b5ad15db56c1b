// Block Gauss-Seidel sweeps over contacts with the exact Coulomb cone, and their local solvers.
//
// Visiting contact i with the others held: find x in K with u = A_ii x + b, where
//   K ∋ x ⊥ u + mu |u_T| n ∈ K*        (Coulomb by de Saxce's change of variables)
// b = u_i - sym(A_ii) x_i is formed incrementally: at a fixed point x does not move whatever is
// used for A_ii, so a nonsymmetric A is solved as it is. Joint rows are clamped one by one.
#pragma once

#include <algorithm>
#include <cmath>

#include "measure/natural_map.hpp"
#include "perpend/measure.hpp"
#include "system/gauss_seidel.hpp"

namespace perpend {

// The local problem at one contact, prepared once per solve from its diagonal block.
class LocalContact {
 public:
  LocalContact(const Matrix3d& block, double mu);

  // Effective mass 3/tr A_ii, the scale of this contact.
  double rho() const { return rho_; }
  double mu() const { return mu_; }
  const Matrix3d& block() const { return a_; }

  // Exact Coulomb. With u_N = 0 eliminated, S = A_TT - w w'/A_NN and c = b_T - w b_N/A_NN, sticking
  // is x_T = -S^-1 c, sliding x_T(a) = -(S + a)^-1 c for the one a > 0 where |x_T| = mu x_N: a
  // scalar equation, solved by bracketed Newton on 1 - mu x_N/|x_T| from the last visit's a.
  Vector3d coulomb(const Vector3d& b);

  // Associated cone: K ∋ x ⊥ A x + b + lift n ∈ K*, lift = mu |u_T| of the last visit; projected
  // gradient steps of length 1/lambda_max(A_ii) from the present x.
  Vector3d associated(const Vector3d& x, const Vector3d& b, double lift);

 private:
  Matrix3d a_;
  double mu_, rho_, a_nn_ = 0;
  double step_ = 0;        // 1/lambda_max(A_ii), made when it is first needed
  Eigen::Vector2d w_, s_;  // coupling A_TN, eigenvalues of S
  Eigen::Matrix2d q_;      // eigenvectors of S
  double slide_ = 0;       // a of the last sliding solve
};

enum class Local { coulomb, associated };

// All contacts of a system, visited in file order after the joint rows.
class ConeSweep {
 public:
  explicit ConeSweep(const System&);

  // One sweep; returns the largest natural-map residual met just before each update (m/s): an
  // estimate of velocity_error that costs one projection per contact.
  template <class State>
  double operator()(State& state, Local local) {
    double worst = 0;
    for (Index j = 0; j < s_.joint_rows(); ++j) {
      const double diagonal = joint_diagonal_[j];
      const bool moves = diagonal > 0;
      const double x = state.lambda()[3 * s_.contacts() + j];
      const double u = state.u_joint(j), rho = moves ? 1 / diagonal : 1;
      worst = std::max(worst, std::abs(bounded_residual(x, u, rho, s_.lower[j], s_.upper[j])));
      if (!moves) continue;
      const double y = std::clamp(x - u / diagonal, s_.lower[j], s_.upper[j]);
      if (y != x) state.push_joint(j, y - x);
    }
    for (Index i = 0; i < s_.contacts(); ++i) {
      LocalContact& contact = contacts_[static_cast<std::size_t>(i)];
      const bool moves = contact.rho() > 0;
      const Vector3d x = state.lambda().template segment<3>(3 * i);
      const Vector3d u = state.u(i);
      const double residual = coulomb_error(x, u, contact.mu(), moves ? contact.rho() : 1);
      worst = std::max(worst, residual);
      if (residual == 0 || !moves) continue;
      const Vector3d b = u - contact.block() * x;
      const Vector3d y = local == Local::coulomb
                             ? contact.coulomb(b)
                             : contact.associated(x, b, contact.mu() * u.tail<2>().norm());
      state.push(i, y - x);
    }
    return worst;
  }

  // |g|^2 in the metric of the scaled problem D A D, d_i = (tr A_ii/3)^(-1/2).
  double scaled_norm2(const VectorXd& g) const;

 private:
  const System& s_;
  std::vector<LocalContact> contacts_;
  VectorXd joint_diagonal_;
};

}  // namespace perpend
