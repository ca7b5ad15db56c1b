// L U of a sparse matrix of 6x6 blocks whose pattern, not whose values, is symmetric.
//
// As BlockCholesky, with pivoting inside the diagonal blocks only. The order of elimination is that
// of the pattern, so a matrix that is far from having a positive definite symmetric part may lose
// digits: who uses it checks the residual.
#pragma once

#include <Eigen/Core>

#include "linear/block_pattern.hpp"

namespace perpend::linear {

class BlockLu {
 public:
  using Block = Eigen::Matrix<double, 6, 6>;

  // The pattern must outlive the factor.
  void analyze(const BlockPattern&);

  // Starts a matrix of zeros; then fill diagonal(i) and both blocks of every edge.
  void clear();
  Block& diagonal(int row);
  // A_ij of an edge (i, j) or (j, i).
  Block& off_diagonal(std::size_t edge, int i, int j);

  // False when a diagonal block is singular.
  bool factorize();
  // x <- A^-1 x
  void solve(Eigen::VectorXd& x);

 private:
  Block& lower(int b) { return lower_[static_cast<std::size_t>(b)]; }
  Block& upper(int b) { return upper_[static_cast<std::size_t>(b)]; }

  const BlockPattern* pattern_ = nullptr;
  // lower: diagonal blocks (inverted by factorize) and below; upper: A_kj at the block of (j, k).
  std::vector<Block, Eigen::aligned_allocator<Block>> lower_, upper_;
  std::vector<int> target_;
  Eigen::VectorXd permuted_;
};

}  // namespace perpend::linear
