// The index sets of lcp/dantzig: C holds the indices whose x_i is basic (w_i is zero there), and
// the inverse of A_CC is kept and bordered.
//
// Besides the complementary basis of C, one index i is being driven to w_i = 0:
//   i outside C   x_i grows, x_C = -A_CC^-1 (q_C + A_Ci x_i);
//   i inside C    w_i grows, x_C = -A_CC^-1 (q_C - w_i e_i).
#pragma once

#include <utility>

#include "linear/dense_lu.hpp"
#include "solve/kit/scaled_lcp.hpp"

namespace perpend {

class PrincipalPivots {
 public:
  explicit PrincipalPivots(const ScaledLcp&);
  static double bytes(const LinearProblem& p) { return 4 * p.dense_bytes(); }

  bool inside(Index j) const { return place_[static_cast<std::size_t>(j)] >= 0; }
  // Change of x when x_i (i outside) or w_i (i inside) grows by one.
  VectorXd direction(Index i) const;
  // x from q: with x_i held (i outside), or w_i held (i inside); i = -1: nothing is driven.
  VectorXd solve(const VectorXd& q, Index i, double held) const;
  // Exchanges w_j and x_j. False, and nothing is changed, when the pivot is zero to rounding.
  bool exchange(Index j);
  // Exchanges i and j at once, a block pivot of order two. False when that is singular.
  bool exchange(Index i, Index j);
  // A x, of which most entries are zero.
  VectorXd product(const VectorXd& x) const;
  long take_factorizations() { return std::exchange(factorizations_, 0); }

 private:
  bool refactorize(const std::vector<Index>& members);
  VectorXd gather(const VectorXd& v) const;
  VectorXd apply(const VectorXd& right) const;  // A_CC^-1 right, refined once
  VectorXd column(Index j) const;               // A_Cj

  const ScaledLcp& lcp_;
  Eigen::SparseMatrix<double> columns_;  // A by columns
  std::vector<Index> members_, place_;
  Eigen::MatrixXd inverse_;
  int since_ = 0;  // exchanges since the inverse was made from A
  long factorizations_ = 0;
};

}  // namespace perpend
