#include "linear/pseudo_inverse.hpp"

#include <gtest/gtest.h>

namespace perpend::linear {
namespace pseudo_inverse_test {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// Rounding of sums of a few terms near 1.
constexpr double kRounding = 1e-14;

PseudoInverse::Matrix sparse(const MatrixXd& dense) { return dense.sparseView(); }

TEST(PseudoInverse, IsTheInverseOfARegularMatrix) {
  const MatrixXd A = (MatrixXd(2, 2) << 2, 1, 1, 3).finished();
  const PseudoInverse inverse(sparse(A));
  EXPECT_EQ(inverse.rank(), 2);
  const VectorXd x = inverse.solve(VectorXd(Eigen::Vector2d(3, 4)));  // (1, 1)
  EXPECT_NEAR(x[0], 1, kRounding);
  EXPECT_NEAR(x[1], 1, kRounding);
}

TEST(PseudoInverse, SharesEvenlyBetweenTwoCopiesOfARow) {
  const MatrixXd A = MatrixXd::Constant(2, 2, 0.5);
  const PseudoInverse inverse(sparse(A));
  EXPECT_EQ(inverse.rank(), 1);
  const VectorXd x = inverse.solve(VectorXd(Eigen::Vector2d(1, 1)));
  EXPECT_NEAR(x[0], 1, kRounding);
  EXPECT_NEAR(x[1], 1, kRounding);
}

TEST(PseudoInverse, TakesTheMeanOfContradictingRows) {
  const MatrixXd A = MatrixXd::Constant(2, 2, 0.5);
  const VectorXd x = PseudoInverse(sparse(A)).solve(VectorXd(Eigen::Vector2d(1, 3)));
  // A x = (2, 2), the nearest to (1, 3) that A reaches.
  EXPECT_NEAR((A * x - Eigen::Vector2d(2, 2)).norm(), 0, kRounding);
}

TEST(PseudoInverse, FindsTheRankOfRowsInUnitsThatDifferByAMillion) {
  // A grain of 1e-6 kg and a rock of 1e6 kg, each held twice: diag 1e6 and 1e-6.
  MatrixXd A = MatrixXd::Zero(4, 4);
  A.topLeftCorner(2, 2).setConstant(1e6);
  A.bottomRightCorner(2, 2).setConstant(1e-6);
  EXPECT_EQ(PseudoInverse(sparse(A)).rank(), 2);
  // The same in one component, coupled by a row that sees both.
  const MatrixXd G = (MatrixXd(3, 2) << 1, 0, 0, 1, 1, 1).finished();
  const MatrixXd B = G * Eigen::Vector2d(1e6, 1e-6).asDiagonal() * G.transpose();
  EXPECT_EQ(PseudoInverse(sparse(B)).rank(), 2);
}

TEST(PseudoInverse, LeavesARowThatNothingMovesAlone) {
  MatrixXd A = MatrixXd::Zero(2, 2);
  A(0, 0) = 4;
  const VectorXd x = PseudoInverse(sparse(A)).solve(VectorXd(Eigen::Vector2d(2, 5)));
  EXPECT_NEAR(x[0], 0.5, kRounding);
  EXPECT_EQ(x[1], 0);
}

TEST(PseudoInverse, SolvesManySparseColumnsAtOnce) {
  // Two components; the first column touches the first only, the second both, the third none.
  MatrixXd A = MatrixXd::Zero(3, 3);
  A.topLeftCorner(2, 2) << 2, 1, 1, 3;
  A(2, 2) = 4;
  const MatrixXd X = (MatrixXd(3, 3) << 3, 3, 0, 4, 4, 0, 0, 8, 0).finished();
  const MatrixXd expected = (MatrixXd(3, 3) << 1, 1, 0, 1, 1, 0, 0, 2, 0).finished();
  const PseudoInverse::Matrix Y = PseudoInverse(sparse(A)).solve(sparse(X));
  EXPECT_NEAR((MatrixXd(Y) - expected).norm(), 0, kRounding);
  EXPECT_EQ(Y.nonZeros(), 5);
}

TEST(PseudoInverse, HoldsNothing) {
  const PseudoInverse inverse(PseudoInverse::Matrix(0, 0));
  EXPECT_EQ(inverse.rank(), 0);
  EXPECT_EQ(inverse.solve(VectorXd()).size(), 0);
}

}  // namespace pseudo_inverse_test
}  // namespace perpend::linear
