// A sparse basis that changes column by column: LU and a product-form eta file.
//
// B = [a_1 ... a_n]. When column p is replaced by a, with alpha = B^-1 a,
//   B_new^-1 = E B^-1,   E = I but for column p:  E_pp = 1/alpha_p,  E_ip = -alpha_i/alpha_p
// (Dantzig, Orchard-Hays 1954). Each E costs as much as alpha has entries; B is factorized anew
// after some tens of them, by whoever holds the columns.
//
// Columns with a single entry (slacks: most of a basis) are peeled off before the factorization:
// with their rows first, B is [D F; 0 C], and only C is given to the sparse LU.
#pragma once

#include <Eigen/SparseCore>
#include <vector>

#include "linear/sparse_lu.hpp"

namespace perpend::linear {

class BasisLu {
 public:
  using Matrix = Eigen::SparseMatrix<double>;
  using Index = Eigen::Index;

  // False when B is singular to working precision: the answer to a right-hand side of size 1
  // is larger than kLargest (columns and rows are expected to be of comparable sizes).
  bool factorize(const Matrix& B);
  // x becomes B^-1 x.
  void solve(Eigen::VectorXd& x) const;
  // Column p is replaced by the one whose B^-1 a is alpha. Precondition: alpha_p is not 0.
  void replace(Index p, const Eigen::VectorXd& alpha);

  Index updates() const { return static_cast<Index>(etas_.size()); }
  // Entries in the eta file, against which a new factorization is weighed.
  Index eta_entries() const { return static_cast<Index>(index_.size()); }

  static constexpr double kLargest = 1e11;

 private:
  struct Eta {
    Index position;
    double pivot;
    std::size_t end;  // of its entries in index_, value_
  };
  void solve_factor(Eigen::VectorXd& x) const;

  Index n_ = 0;
  std::vector<Index> slack_column_, slack_row_;  // peeled, in pairs
  std::vector<double> slack_value_;
  std::vector<Index> core_column_, core_row_;
  Matrix F_;  // core columns in all rows, of which the slack rows are read
  SparseLu lu_;
  std::vector<Eta> etas_;
  std::vector<int> index_;
  std::vector<double> value_;
};

}  // namespace perpend::linear
