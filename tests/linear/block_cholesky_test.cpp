#include "linear/block_cholesky.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

namespace perpend::linear {
namespace block_cholesky_test {

using Block = BlockCholesky::Block;

// A symmetric diagonally dominant matrix on a graph, repeatable.
Eigen::MatrixXd dense(int rows, const std::vector<BlockPattern::Edge>& edges) {
  std::srand(7);  // Eigen's Random
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(6 * rows, 6 * rows);
  for (const auto& [i, j] : edges) {
    A.block<6, 6>(6 * i, 6 * j).setRandom();
    A.block<6, 6>(6 * j, 6 * i) = A.block<6, 6>(6 * i, 6 * j).transpose();
  }
  for (int i = 0; i < 6 * rows; ++i) A(i, i) = 1 + A.row(i).cwiseAbs().sum();
  return A;
}

void fill(BlockCholesky& factor, const Eigen::MatrixXd& A) {
  factor.clear();
  for (int i = 0; i < factor.pattern().rows(); ++i)
    factor.diagonal(i) = A.block<6, 6>(6 * i, 6 * i);
  for (std::size_t e = 0; e < factor.pattern().edges().size(); ++e) {
    const auto [i, j] = factor.pattern().edges()[e];
    factor.edge(e) = factor.upper(e) ? A.block<6, 6>(6 * i, 6 * j) : A.block<6, 6>(6 * j, 6 * i);
  }
}

TEST(BlockCholesky, SolvesAGridAsTheDenseFactorDoes) {
  const int side = 5;
  std::vector<BlockPattern::Edge> edges;
  for (int i = 0; i < side * side; ++i) {
    if (i % side + 1 < side) edges.emplace_back(i, i + 1);
    if (i + side < side * side) edges.emplace_back(i, i + side);
  }
  const Eigen::MatrixXd A = dense(side * side, edges);
  BlockCholesky factor;
  factor.analyze(side * side, edges);
  EXPECT_LT(factor.pattern().blocks(), side * side * side * side / 2);  // it stays sparse
  fill(factor, A);
  ASSERT_TRUE(factor.factorize());
  const Eigen::VectorXd b = Eigen::VectorXd::LinSpaced(6 * side * side, -1, 1);
  Eigen::VectorXd x = b;
  factor.solve(x);
  // Diagonally dominant: the condition is small, what is left is rounding of sums of 150 terms.
  EXPECT_LT((A * x - b).norm(), 1e-13 * b.norm());
}

// What a contact that begins to slide does: a few blocks of the matrix change.
TEST(BlockCholesky, FactorizesOnlyWhatAChangeReachesAndHasTheBitsOfANewFactor) {
  const int side = 8, rows = side * side;
  std::vector<BlockPattern::Edge> edges;
  for (int i = 0; i < rows; ++i) {
    if (i % side + 1 < side) edges.emplace_back(i, i + 1);
    if (i + side < rows) edges.emplace_back(i, i + side);
  }
  Eigen::MatrixXd A = dense(rows, edges);
  BlockCholesky kept;
  kept.analyze(rows, edges);
  fill(kept, A);
  ASSERT_TRUE(kept.factorize());
  EXPECT_EQ(kept.factorized_columns(), rows);
  fill(kept, A);
  ASSERT_TRUE(kept.factorize());
  EXPECT_EQ(kept.factorized_columns(), 0);
  const Eigen::VectorXd b = Eigen::VectorXd::LinSpaced(6 * rows, -1, 1);
  int most = 0;
  for (int change = 0; change < rows; change += 5) {
    A(6 * change + 2, 6 * change + 2) += 0.5;
    fill(kept, A);
    ASSERT_TRUE(kept.factorize());
    EXPECT_GT(kept.factorized_columns(), 0);
    most = std::max(most, kept.factorized_columns());
    BlockCholesky fresh;
    fresh.analyze(rows, edges);
    fill(fresh, A);
    ASSERT_TRUE(fresh.factorize());
    Eigen::VectorXd x = b, y = b;
    kept.solve(x);
    fresh.solve(y);
    EXPECT_EQ(x, y) << "after changing row " << change;
  }
  EXPECT_LT(most, rows / 2);  // a path of the elimination tree, not the tree
}

TEST(BlockCholesky, AMatrixThatIsNotPositiveDefiniteLeavesNoTrace) {
  const std::vector<BlockPattern::Edge> path = {{0, 1}, {1, 2}};
  const Eigen::MatrixXd A = dense(3, path);
  Eigen::MatrixXd bad = A;
  bad(7, 7) = -1;
  BlockCholesky kept, fresh;
  for (BlockCholesky* factor : {&kept, &fresh}) factor->analyze(3, path);
  fill(kept, A);
  ASSERT_TRUE(kept.factorize());
  fill(kept, bad);
  EXPECT_FALSE(kept.factorize());
  for (BlockCholesky* factor : {&kept, &fresh}) {
    fill(*factor, A);
    ASSERT_TRUE(factor->factorize());
  }
  Eigen::VectorXd x = Eigen::VectorXd::Ones(18), y = x;
  kept.solve(x);
  fresh.solve(y);
  EXPECT_EQ(x, y);
}

TEST(BlockCholesky, AnotherGraphInTheSameObjectLeavesNoTrace) {
  BlockCholesky reused, fresh;
  const std::vector<BlockPattern::Edge> star = {{0, 1}, {0, 2}, {0, 3}}, path = {{0, 1}, {1, 2}};
  reused.analyze(4, star);
  fill(reused, dense(4, star));
  ASSERT_TRUE(reused.factorize());
  const Eigen::MatrixXd A = dense(3, path);
  Eigen::VectorXd x = Eigen::VectorXd::Ones(18), y = x;
  for (auto [factor, z] : {std::pair{&reused, &x}, std::pair{&fresh, &y}}) {
    factor->analyze(3, path);
    fill(*factor, A);
    ASSERT_TRUE(factor->factorize());
    factor->solve(*z);
  }
  EXPECT_EQ(x, y);
}

TEST(BlockCholesky, SaysWhenTheMatrixIsNotPositiveDefinite) {
  BlockCholesky factor;
  factor.analyze(1, {});
  factor.clear();
  factor.diagonal(0) = Block::Identity();
  factor.diagonal(0)(4, 4) = -1;
  EXPECT_FALSE(factor.factorize());
}

TEST(BlockCholesky, NothingToSolveIsSolved) {
  BlockCholesky factor;
  factor.analyze(0, {});
  factor.clear();
  EXPECT_TRUE(factor.factorize());
  Eigen::VectorXd x(0);
  factor.solve(x);
  EXPECT_EQ(x.size(), 0);
}

}  // namespace block_cholesky_test
}  // namespace perpend::linear
