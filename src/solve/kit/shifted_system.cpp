#include "solve/kit/shifted_system.hpp"

namespace perpend {
namespace {

// Above this part of the largest entry a difference between A and its transpose is not rounding.
constexpr double kAsymmetry = 1e-14;

}  // namespace

void ShiftedSystem::prepare(const System& s) {
  system_ = &s;
  body_space_ = space_.prepare(s);
  if (body_space_) {
    slopes_.contact.assign(static_cast<std::size_t>(s.contacts()), Matrix3d::Zero());
    slopes_.joint.assign(static_cast<std::size_t>(s.joint_rows()), 0);
    return;
  }
  A_ = to_sparse(s);
  const SparseMatrix across = SparseMatrix(A_.transpose()) - A_;
  const auto largest = [](const SparseMatrix& matrix) {
    return matrix.nonZeros() ? matrix.coeffs().abs().maxCoeff() : 0.0;
  };
  symmetric_ = largest(across) <= kAsymmetry * largest(A_);
}

bool ShiftedSystem::factorize(const VectorXd& C) {
  if (!body_space_) {
    SparseMatrix shift(A_.rows(), A_.rows());
    shift.setIdentity();
    shift.diagonal() = C;
    const SparseMatrix matrix = A_ + shift;
    if (!symmetric_) return lu_.factorize(matrix);
    cholesky_ = std::make_unique<linear::SparseCholesky>(matrix);
    return cholesky_->ok();
  }
  const VectorXd& cfm = std::get<BodySpace>(system_->A).cfm;
  G_ = C;
  if (cfm.size()) G_ += cfm;
  G_ = G_.cwiseInverse();
  for (std::size_t i = 0; i < slopes_.contact.size(); ++i)
    slopes_.contact[i] = G_.segment<3>(3 * static_cast<Index>(i)).asDiagonal();
  for (std::size_t j = 0; j < slopes_.joint.size(); ++j)
    slopes_.joint[j] = G_[static_cast<Index>(3 * slopes_.contact.size() + j)];
  return space_.factorize(slopes_);
}

void ShiftedSystem::solve(const VectorXd& q, VectorXd& lambda) {
  if (!body_space_) {
    if (symmetric_) {
      lambda = cholesky_->solve(q);
    } else {
      lambda = q;
      lu_.solve(lambda);
    }
    return;
  }
  u_ = G_.cwiseProduct(q);
  space_.respond(u_, w_);
  w_ = -w_;
  space_.step(w_, d_);
  space_.differential(d_, u_);
  lambda = G_.cwiseProduct(q - u_);
}

}  // namespace perpend
