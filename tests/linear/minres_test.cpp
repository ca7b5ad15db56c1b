#include "linear/minres.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>

namespace perpend::linear {
namespace minres_test {

using Eigen::MatrixXd;
using Eigen::VectorXd;

SymmetricOperator product_with(const MatrixXd& A) {
  return [&A](const VectorXd& x, VectorXd& out) { out.noalias() = A * x; };
}

// Q diag(values) Q^T with a fixed orthogonal Q.
MatrixXd with_spectrum(const VectorXd& values) {
  const Eigen::Index n = values.size();
  MatrixXd mix(n, n);
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < n; ++j)
      mix(i, j) = std::sin(static_cast<double>(1 + i + 7 * j * j));
  const MatrixXd Q = Eigen::HouseholderQR<MatrixXd>(mix).householderQ();
  return Q * values.asDiagonal() * Q.transpose();
}

TEST(Minres, NeedsAsManyProductsAsThereAreDistinctEigenvalues) {
  // Three of them, of both signs: three steps, and one product for the first residual.
  VectorXd values(9);
  values << 2, 2, 2, -1, -1, -1, 5, 5, 5;
  const MatrixXd A = with_spectrum(values);
  const VectorXd b = VectorXd::LinSpaced(9, 1, 2);
  VectorXd x = VectorXd::Zero(9);
  const MinresOutcome out = minres(product_with(A), b, x, 1e-12, 100);
  EXPECT_EQ(out.products, 4);
  EXPECT_LT((A * x - b).norm(), 1e-12 * 5 * b.norm());
}

TEST(Minres, ResidualsFallAndAreWhatTheRecurrenceSays) {
  const MatrixXd A = with_spectrum(VectorXd::LinSpaced(30, -3, 8));
  const VectorXd b = VectorXd::LinSpaced(30, -1, 1);
  double before = b.norm();
  for (int limit = 2; limit <= 31; ++limit) {
    VectorXd x = VectorXd::Zero(30);
    const MinresOutcome out = minres(product_with(A), b, x, 0, limit);
    const double residual = (A * x - b).norm();
    EXPECT_LE(residual, before * (1 + 1e-12));
    // Lanczos loses orthogonality slowly: 30 steps at |A| = 8.
    EXPECT_NEAR(out.residual, residual, 1e-10);
    before = residual;
  }
}

TEST(Minres, SingularSystemsGiveTheLeastResidual) {
  VectorXd values = VectorXd::LinSpaced(12, 1, 4);
  values.head(4).setZero();
  const MatrixXd A = with_spectrum(values);
  const VectorXd inside = A * VectorXd::Ones(12);
  VectorXd x = VectorXd::Zero(12);
  minres(product_with(A), inside, x, 1e-12, 100);
  EXPECT_LT((A * x - inside).norm(), 1e-10);
  // With a part outside the range that part is what remains: |(1 - A A^+) b|.
  const VectorXd b = VectorXd::LinSpaced(12, 1, 3);
  const VectorXd least = A.completeOrthogonalDecomposition().solve(b);
  x.setZero();
  minres(product_with(A), b, x, 1e-12, 13);
  EXPECT_NEAR((A * x - b).norm(), (A * least - b).norm(), 1e-8);
}

TEST(Minres, StartsWhereItIsToldAndKnowsWhenItIsThere) {
  const MatrixXd A = with_spectrum(VectorXd::LinSpaced(6, 1, 2));
  const VectorXd answer = VectorXd::LinSpaced(6, -1, 1);
  VectorXd x = answer;
  const VectorXd b = A * answer;
  const MinresOutcome out = minres(product_with(A), b, x, 1e-10, 100);
  EXPECT_LT((x - answer).norm(), 1e-14);
  EXPECT_LE(out.products, 7);
  VectorXd zero = VectorXd::Zero(6);
  EXPECT_EQ(minres(product_with(A), VectorXd::Zero(6), zero, 1e-10, 100).products, 1);
  EXPECT_EQ(zero.norm(), 0);
}

}  // namespace minres_test
}  // namespace perpend::linear
