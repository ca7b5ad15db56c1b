#include "linear/block_lu.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "linear/sparse_lu.hpp"

namespace perpend::linear {
namespace block_lu_test {

// Nonsymmetric values on a ring of bodies, repeatable and diagonally dominant.
Eigen::MatrixXd ring(int rows, const std::vector<BlockPattern::Edge>& edges) {
  std::srand(11);  // Eigen's Random
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(6 * rows, 6 * rows);
  for (int i = 0; i < rows; ++i) A.block<6, 6>(6 * i, 6 * i).setRandom();
  for (const auto& [i, j] : edges) {
    A.block<6, 6>(6 * i, 6 * j).setRandom();
    A.block<6, 6>(6 * j, 6 * i).setRandom();
  }
  for (int i = 0; i < 6 * rows; ++i) A(i, i) = 1 + A.row(i).cwiseAbs().sum();
  return A;
}

TEST(BlockLu, SolvesWhatIsNotSymmetricAsTheScalarFactorDoes) {
  const int n = 12;
  std::vector<BlockPattern::Edge> edges;
  for (int i = 0; i + 1 < n; ++i) edges.emplace_back(i, i + 1);
  edges.emplace_back(0, n - 1);
  std::sort(edges.begin(), edges.end());
  const Eigen::MatrixXd A = ring(n, edges);
  BlockPattern pattern;
  pattern.analyze(n, edges);
  BlockLu lu;
  lu.analyze(pattern);
  lu.clear();
  for (int i = 0; i < n; ++i) lu.diagonal(i) = A.block<6, 6>(6 * i, 6 * i);
  for (std::size_t e = 0; e < edges.size(); ++e) {
    const auto [i, j] = edges[e];
    lu.off_diagonal(e, i, j) = A.block<6, 6>(6 * i, 6 * j);
    lu.off_diagonal(e, j, i) = A.block<6, 6>(6 * j, 6 * i);
  }
  ASSERT_TRUE(lu.factorize());
  const Eigen::VectorXd b = Eigen::VectorXd::LinSpaced(6 * n, -2, 1);
  Eigen::VectorXd x = b, y = b;
  lu.solve(x);
  EXPECT_LT((A * x - b).norm(), 1e-13 * b.norm());  // well conditioned: rounding only

  SparseLu scalar;
  ASSERT_TRUE(scalar.factorize(Eigen::SparseMatrix<double, Eigen::RowMajor>(A.sparseView())));
  scalar.solve(y);
  EXPECT_LT((x - y).norm(), 1e-13 * y.norm());
}

// Rows in a cycle: every pivot but the last is a row below.
TEST(BlockLu, PivotsInsideADiagonalBlock) {
  std::srand(12);  // Eigen's Random
  BlockLu::Block A = 0.01 * BlockLu::Block::Random();
  for (int i = 0; i < 6; ++i) {
    A(i, i) = 0;
    A((i + 1) % 6, i) = 1 + i;
  }
  BlockPattern pattern;
  pattern.analyze(1, {});
  BlockLu lu;
  lu.analyze(pattern);
  lu.clear();
  lu.diagonal(0) = A;
  ASSERT_TRUE(lu.factorize());
  const Eigen::VectorXd b = Eigen::VectorXd::LinSpaced(6, -2, 1);
  Eigen::VectorXd x = b;
  lu.solve(x);
  EXPECT_LT((A * x - b).norm(), 1e-14 * b.norm());  // condition about 6: some last bits
}

TEST(BlockLu, SaysWhenADiagonalBlockIsSingular) {
  BlockPattern pattern;
  pattern.analyze(1, {});
  BlockLu lu;
  lu.analyze(pattern);
  lu.clear();
  EXPECT_FALSE(lu.factorize());
}

TEST(SparseLu, SaysWhenTheMatrixIsSingular) {
  Eigen::SparseMatrix<double, Eigen::RowMajor> zero(3, 3);
  zero.insert(0, 0) = 1;
  zero.insert(1, 1) = 1;
  SparseLu lu;
  EXPECT_FALSE(lu.factorize(zero));
}

}  // namespace block_lu_test
}  // namespace perpend::linear
