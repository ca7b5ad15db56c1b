// One path of mlcp/path: from a point of the normal map towards a zero of its linearization.
//
// The normal map of w = A z + b, l <= z <= u is N(x) = A z + b + x - z with z = pi(x), the nearest
// point of the box; x is a zero exactly when z = pi(x) solves the problem with w = z - x. N is
// affine on each cell (every x_i below, within or above its bounds). The path of Ralph (1994) is
//   N_e(p(t)) = (1 - t) r,   r = N(p(0)),   N_e(x) = N(x) + e (pi(x) - pi(p(0)))
// with a proximal term e >= 0. It is followed from cell to cell by complementary pivoting (Dirkse
// and Ferris 1995, section 3), with z, the slacks w (below) and v (above), and s as variables:
//   A_e z + b_e - w + v = s c,   l <= z <= u,   0 <= w perp z - l,   0 <= v perp u - z.
// From a point: c = r/|r| and s = (1 - t)|r| goes from |r| to 0. From a ray (Lemke's start): free z
// and all other slacks are basic, c = B k with k = 1 for slacks, and s comes down from infinity.
//
// Ties are decided by a second basic solution: val + e val2 for an infinitesimal e, where val2 is
// any generic vector that points inwards. That is the lexicographic rule with one column.
#pragma once

#include <utility>
#include <vector>

#include "linear/basis_lu.hpp"
#include "perpend/formulate.hpp"

namespace perpend {

enum class Cell : signed char { lower, between, upper };

// x of the normal map, in scaled units, with the cell it is counted to where it lies on a facet.
struct NormalPoint {
  VectorXd x;
  std::vector<Cell> cell;
};

class PathSearch {
 public:
  enum class Move { pivoted, solved, ray, singular };

  // Scaled by powers of two so that z and w are velocities (RowScale): own_error is then the
  // largest entry of z - pi(z - w).
  explicit PathSearch(const LinearProblem&);
  static double bytes(const LinearProblem&);

  Index size() const { return n_; }
  // N(x), and with it w in place of A z + b for z = pi(x).
  VectorXd residual(const VectorXd& x) const;
  VectorXd project(const VectorXd& x) const { return x.cwiseMax(lower_).cwiseMin(upper_); }
  VectorXd scaled(const VectorXd& z) const { return z.cwiseQuotient(column_scale_); }
  VectorXd unscaled(const VectorXd& z) const;
  // The point of z: variables inside their bounds are basic. One whose column meets no basic row
  // (the speed of an open contact) would make that singular: the row it touches with the smallest
  // |w| joins it.
  NormalPoint point_of(const VectorXd& z) const;
  // Where z - w lies: the cell that z and w together predict.
  NormalPoint predicted(const VectorXd& z) const;
  // |z - pi(z - w)|.
  double natural(const VectorXd& z) const;
  // Free variables between their bounds, all others at the bound nearest to 0, slacks alone basic.
  NormalPoint cold() const;
  // A certificate that nothing is solved exactly. Let y be the direction, cut to rows where the
  // sign of w is prescribed. If y.w <= -m for every z in the box, then some row of it has the wrong
  // sign by m/|y|_1, whatever z. Returns that, m/s, or 0.
  double excludes(const VectorXd& direction) const;

  // The path that starts at a point; the ray that ends in the cell of a point. False when the
  // basis is singular. What follows is `step` until it is no longer `pivoted`.
  bool start_at(const NormalPoint&, double proximal);
  bool start_ray(const NormalPoint&, double proximal);
  // s is let in; the complement of what left last enters.
  Move step();

  // z that solves the linearization on the start's cell, whatever its bounds: Newton's step.
  VectorXd newton() const;

  double t() const { return t_of(s()); }
  double s() const;  // m/s
  // An upper bound of the own error, m/s.
  double violation() const;
  NormalPoint point() const;                   // on the path
  VectorXd direction() const { return ray_; }  // of z, when a ray was met
  // Points of the path where t first was 1/2, 1/4, ..., and where it was largest.
  struct Mark {
    double t;
    NormalPoint point;
  };
  const std::vector<Mark>& marks() const { return marks_; }
  Mark furthest() const;
  long degenerate() const { return degenerate_; }  // steps without length, in a row
  long take_factorizations() { return std::exchange(factorizations_, 0); }

 private:
  using Matrix = linear::BasisLu::Matrix;
  enum Kind { kZ, kW, kV, kS };
  struct Leaving {
    Index position = -1;
    double step = 0, step2 = 0;
    bool flip = false;  // the entering z reaches its other bound first
  };

  Index id(Kind kind, Index i) const { return kind * n_ + i; }
  Kind kind(Index variable) const { return static_cast<Kind>(variable / n_); }
  Index basic(Index position) const { return basic_[static_cast<std::size_t>(position)]; }
  double t_of(double s) const;
  void range(Index variable, double& low, double& high) const;
  void add_column(Index variable, double factor, VectorXd& to) const;
  VectorXd product(const VectorXd& val) const;  // B val
  VectorXd right_side() const;                  // what B val is, s outside the basis included
  void set_cells(const NormalPoint&, double proximal);
  bool refactorize();
  bool solve_column(VectorXd& alpha);
  void correct();
  double inward(double low, double high, double value);
  Leaving leaving(const VectorXd& alpha);
  void mark(const VectorXd& delta, double step);
  void advance(const VectorXd& delta, const Leaving&);
  Move first_of_ray();
  void leave(Index variable, Index i, bool at_low);
  NormalPoint point(const VectorXd& val, double moved = 0) const;

  Index n_;
  Matrix A_;
  VectorXd b_, lower_, upper_, column_scale_;
  double largest_;  // |b| and finite bounds
  double tie_ = 0;  // what a step may leave outside a bound

  double proximal_ = 0;
  VectorXd anchor_;     // z at the start, for the proximal term
  VectorXd c_, cover_;  // of s; k of a ray start
  std::vector<Index> basic_;
  VectorXd val_, val2_;  // basic solution
  VectorXd z_out_;       // of z that are not basic: their bound
  std::vector<bool> z_in_;
  linear::BasisLu lu_;
  Index entering_ = -1, s_position_ = -1;
  double direction_ = 1, s_out_ = 0, s_first_ = 0;
  bool ray_start_ = false, fresh_ = true;
  int since_correction_ = 0;
  long degenerate_ = 0, factorizations_ = 0;
  std::uint64_t random_ = 1;
  VectorXd ray_;
  std::vector<Mark> marks_;
  Mark best_;
};

}  // namespace perpend
