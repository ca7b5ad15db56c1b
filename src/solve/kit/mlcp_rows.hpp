// A mixed linear complementarity problem taken apart for methods that only multiply and project.
//
// Eliminated rows are free ones whose unknowns follow from the others by one factorization:
//   (A_EE + e) z_E = -(b_E + A_EC z_C) + e z_E'
// with e > 0 only where A_EE has no diagonal (bilateral joints, which may be redundant), and z_E'
// from the iteration before, so that nothing of e is left in a fixed point. A budget is a row q
//   0 <= s  perp  k + a'z - sum z_P >= 0,   with +1 in its column at the rows P
// which is what the friction of one contact is in mlcp (Lu et al. 2013, eqs. 10, 11: sum pf <= mu
// pn). s is the multiplier of that sum, so the rows P are projected together onto {z >= 0, sum z <=
// budget}, and s is read off. Iterating s by itself would circle: its pairing with pf is skew.
#pragma once

#include "linear/sparse_lu.hpp"
#include "perpend/solve.hpp"

namespace perpend {

class MlcpRows {
 public:
  enum class Eliminate {
    free,     // every free row
    momentum  // free rows with a diagonal: velocities
  };
  MlcpRows(const LinearProblem&, Eliminate);

  const LinearProblem& problem() const { return p_; }
  // All rows but the eliminated ones and the budgets; those of a budget's P among them.
  const std::vector<Index>& iterated() const { return iterated_; }
  bool is_iterated(Index row) const { return kind_[static_cast<std::size_t>(row)] == Kind::plain; }

  struct Budget {
    Index row;
    std::vector<Index> members;
    std::vector<std::pair<Index, double>> sources;  // a
  };
  const std::vector<Budget>& budgets() const { return budgets_; }
  // Null for rows of other kinds.
  const Budget* budget_of(Index row) const {
    const Index at = budget_[static_cast<std::size_t>(row)];
    return at < 0 ? nullptr : &budgets_[static_cast<std::size_t>(at)];
  }

  // z_E from the rest; `bias` 0: for b = 0.
  void complete(VectorXd& z, double bias = 1) const;
  VectorXd w(const VectorXd& z) const { return p_.A * z + p_.b; }
  // own_error from w.
  double error(const VectorXd& z, const VectorXd& w) const;
  // True when that is all there is to do, or when it cannot be done: Progress is finished then.
  bool finished(Progress&) const;
  // One projected step of all iterated rows: z - r w onto bounds, and onto budgets, from the newest
  // z of the other rows. r of a budget's members is the smallest among them.
  void step(const VectorXd& w, const VectorXd& r, VectorXd& z) const;
  // Such steps from the start until Progress ends them or they diverge.
  void iterate(const VectorXd& r, Work, const char* diverges, Progress&) const;

  // Largest eigenvalue of the iterated rows, scaled by `scale`, after elimination.
  double largest_eigenvalue(const VectorXd& scale, Progress&) const;

 private:
  enum class Kind : char { eliminated, plain, budget };
  void find_budgets();
  bool is_budget(Index row, Budget&) const;

  const LinearProblem& p_;
  std::vector<Kind> kind_;
  std::vector<Index> eliminated_, iterated_;
  std::vector<char> member_;
  std::vector<Budget> budgets_;
  std::vector<Index> budget_;   // of each row: its place among the budgets, -1
  SparseMatrix to_eliminated_;  // A_E with the columns E left out
  VectorXd e_;                  // (E)
  linear::SparseLu lu_;
  bool ok_ = true;
};

}  // namespace perpend
