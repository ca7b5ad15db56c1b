// L L^T of a sparse symmetric positive definite matrix of 6x6 blocks.
//
// Filled block by block in place, factorized in place, in memory that is kept from one
// factorization to the next. The pattern is analysed again only when the graph changes.
#pragma once

#include <Eigen/Core>

#include "linear/block_pattern.hpp"

namespace perpend::linear {

class BlockCholesky {
 public:
  using Block = Eigen::Matrix<double, 6, 6>;  // column by column

  void analyze(int rows, std::vector<BlockPattern::Edge> edges);
  const BlockPattern& pattern() const { return pattern_; }

  // Starts a matrix of zeros; then fill the lower triangles of diagonal(i), and of every edge
  // (i, j), i < j, A_ij where upper(edge), else A_ji = A_ij^T.
  void clear();
  Block& diagonal(int row);
  Block& edge(std::size_t edge);
  bool upper(std::size_t edge) const;

  // False when a pivot is not positive: the matrix is not positive definite in this precision.
  bool factorize();
  // x <- A^-1 x
  void solve(Eigen::VectorXd& x);

 private:
  Block& block(int b) { return values_[static_cast<std::size_t>(b)]; }

  BlockPattern pattern_;
  std::vector<Block, Eigen::aligned_allocator<Block>> values_;
  Eigen::VectorXd permuted_;
};

}  // namespace perpend::linear
