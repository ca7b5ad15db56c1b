// LU of 1 + G A, the matrix of Newton's methods over the impulses (newton_space.hpp), with explicit
// A and G = -dp/du block diagonal.
//
// Rows that do not resist (G = 0: open contacts) are those of the identity: their unknowns are
// given, and the others are factorized alone, dense where that is small or nearly full.
#pragma once

#include <memory>

#include "linear/dense_lu.hpp"
#include "linear/sparse_lu.hpp"
#include "perpend/system.hpp"
#include "solve/kit/row_slopes.hpp"

namespace perpend {

class ImpulseLu {
 public:
  // A, with the three rows of each contact first. It must outlive the solves. False: singular.
  bool factorize(const SparseMatrix& A, Index contacts, const RowSlopes&);
  // x <- (1 + G A)^-1 x
  void solve(VectorXd& x);

 private:
  void multiply_slopes(VectorXd& y) const;  // y <- G y
  double count_entries() const;             // of A among the rows that resist
  // Calls add(row, column, value) for every entry of G A among the rows that resist, whose numbers
  // these are; one row of G A may meet a column several times.
  template <class Add>
  void for_each_entry(const Add& add) const;

  const SparseMatrix* A_ = nullptr;
  Index contacts_ = 0;
  RowSlopes slopes_;
  std::vector<Index> resisting_;  // rows
  std::vector<Index> number_;     // of each row among them, -1: none
  std::unique_ptr<linear::DenseLu> dense_;
  linear::SparseLu sparse_;
  VectorXd given_, made_, rest_;
};

}  // namespace perpend
