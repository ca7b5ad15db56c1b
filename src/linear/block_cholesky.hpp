// L L^T of a sparse symmetric positive definite matrix of 6x6 blocks.
//
// Filled block by block and factorized in memory that is kept from one factorization to the next.
// The pattern is analysed again only when the graph changes, and only those columns are factorized
// again that changed since the last time, or that a changed one reaches: when a few contacts stick
// or slide that did not before, the rest of the factor stays. The bits are those of a factor made
// anew, because every column takes the same updates in the same order.
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
  int factorized_columns() const { return factorized_; }  // by the last factorize()
  // x <- A^-1 x
  void solve(Eigen::VectorXd& x);

 private:
  using Blocks = std::vector<Block, Eigen::aligned_allocator<Block>>;
  Block& block(int b) { return values_[static_cast<std::size_t>(b)]; }
  void find_changes();

  BlockPattern pattern_;
  Blocks input_, known_, values_;  // as filled now, as filled for the present factor, the factor
  bool has_factor_ = false;
  std::vector<char> changed_;  // columns
  int factorized_ = 0;
  std::vector<int> target_;
  Eigen::VectorXd permuted_;
};

}  // namespace perpend::linear
