#include "linear/basis_lu.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>

namespace perpend::linear {
namespace basis_lu_test {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

double entry(std::uint64_t& seed) {  // in [-1, 1)
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return 2 * static_cast<double>(seed >> 11) / 9007199254740992.0 - 1;  // 2^53
}

// Slacks on the diagonal, but for every third column: those are full.
MatrixXd basis(Index n, std::uint64_t& seed) {
  MatrixXd B = -MatrixXd::Identity(n, n);
  for (Index j = 0; j < n; j += 3) {
    for (Index i = 0; i < n; ++i) B(i, j) = entry(seed);
    B(j, j) += 3;
  }
  return B;
}

TEST(BasisLu, FollowsReplacedColumns) {
  constexpr Index kSize = 30;
  std::uint64_t seed = 1;
  MatrixXd B = basis(kSize, seed);
  BasisLu lu;
  ASSERT_TRUE(lu.factorize(B.sparseView()));
  for (Index k = 0; k < 40; ++k) {
    const Index p = (7 * k) % kSize;
    VectorXd a(kSize), r(kSize);
    for (Index i = 0; i < kSize; ++i) {
      a[i] = entry(seed);
      r[i] = entry(seed);
    }
    a[p] += 4;
    VectorXd alpha = a;
    lu.solve(alpha);
    EXPECT_LT((B * alpha - a).norm(), 1e-11);
    lu.replace(p, alpha);
    B.col(p) = a;
    EXPECT_EQ(lu.updates(), k + 1);
    VectorXd x = r;
    lu.solve(x);
    // 40 updates with pivots near 1 lose two or three digits of 16.
    EXPECT_LT((B * x - r).norm(), 1e-11) << k;
  }
  ASSERT_TRUE(lu.factorize(B.sparseView()));
  EXPECT_EQ(lu.updates(), 0);
}

TEST(BasisLu, HoldsABasisOfSlacksAlone) {
  BasisLu lu;
  MatrixXd B = MatrixXd::Zero(3, 3);
  B(2, 0) = 2;
  B(0, 1) = -1;
  B(1, 2) = 4;
  ASSERT_TRUE(lu.factorize(B.sparseView()));
  VectorXd x(3);
  x << 1, 2, 3;
  lu.solve(x);
  EXPECT_EQ(x, (VectorXd(3) << 1.5, -1, 0.5).finished());
}

TEST(BasisLu, TellsSingularBases) {
  std::uint64_t seed = 1;
  MatrixXd B = basis(9, seed);
  BasisLu lu;
  MatrixXd twice = B;
  twice.col(3) = twice.col(0);
  EXPECT_FALSE(lu.factorize(twice.sparseView()));
  MatrixXd slack_twice = B;
  slack_twice.col(1) = slack_twice.col(2);
  EXPECT_FALSE(lu.factorize(slack_twice.sparseView()));
  MatrixXd empty = B;
  empty.col(4).setZero();
  EXPECT_FALSE(lu.factorize(empty.sparseView()));
  EXPECT_TRUE(lu.factorize(B.sparseView()));
}

}  // namespace basis_lu_test
}  // namespace perpend::linear
