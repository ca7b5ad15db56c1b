// The basis of lcp/lemke: w - A z - d z0 = q in scaled form, B^-1 kept, exchanged row by row.
//
// Variables are numbered w_j: j, z_j: n + j, z0: 2n. Before z0 enters and after it has left, the
// basis is complementary: it holds exactly one of w_j, z_j for every j.
#pragma once

#include <utility>

#include "linear/dense_lu.hpp"
#include "perpend/formulate.hpp"

namespace perpend {

class LemkeBasis {
 public:
  enum class Move { pivoted, solved, ray, singular };

  // Scaled by powers of two so that z, w and z0 are velocities (RowScale).
  explicit LemkeBasis(const LinearProblem&);
  static double bytes(const LinearProblem& p) { return 4 * p.dense_bytes(); }

  // Complementary bases to start from: all w, d = 1; the one that z suggests, d = B e; the present
  // one, d = B e. False when singular.
  void start_cold();
  bool start_from(const VectorXd& z);
  bool restart();

  // z0 enters where w is violated most; solved when it is nowhere.
  Move enter_artificial();
  // The complement of what left enters; solved when z0 leaves.
  Move step();
  // Solves the basis again from the matrix itself, with refinement.
  bool polish();

  bool feasible() const;
  // Whether z0 was the last to leave.
  bool left_artificial() const { return left_ == 2 * n_; }
  // z of the basic solution, negative rounding clipped.
  VectorXd z() const;
  // How far w may be below A z + b: an upper bound of the own error, m/s.
  double violation() const;
  long take_factorizations() { return std::exchange(factorizations_, 0); }

 private:
  using ColumnMatrix = Eigen::SparseMatrix<double>;

  Index variable(Index row) const { return basic_[static_cast<std::size_t>(row)]; }
  VectorXd column(Index variable) const;
  VectorXd product(const VectorXd& x) const;  // B x

  struct Split {
    std::vector<Index> positions;  // of z and z0 in the basis
    std::vector<Index> rows;       // K: rows whose w is not in the basis
    std::vector<Index> place;      // of each row: its number in K, -1 in W
  };
  Split split() const;
  Eigen::MatrixXd core(const Split&) const;  // C
  VectorXd solve_core(const Split&, const linear::DenseLu&, const VectorXd&) const;

  VectorXd apply_inverse(const VectorXd& a) const;
  bool refactorize();
  bool solve_column(Index variable, VectorXd& result);
  void correct_solution();
  Index leaving_row(const VectorXd& a) const;
  Index hidden_tie(const VectorXd& a) const;
  Index lexicographic_minimum(const std::vector<Index>& rows, const VectorXd& a) const;
  void exchange(Index row, Index entering, const VectorXd& a, double step);

  Index n_;
  ColumnMatrix A_;
  VectorXd column_scale_, q_, d_;
  double tie_;  // what a step may leave negative
  std::vector<Index> basic_;
  VectorXd x_;  // basic solution, B x = q
  linear::RowMatrix inverse_;
  Index left_ = -1;  // the variable that left last
  bool fresh_ = true;
  int pivots_ = 0;  // since x was checked
  long factorizations_ = 0;
};

}  // namespace perpend
