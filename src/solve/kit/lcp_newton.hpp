// A semismooth Newton method for 0 <= x perp w = A x + q >= 0, written as equations F(x) = 0 with
// F_i = f(x_i, w_i), where f vanishes exactly at complementary pairs (the map): f is the
// Fischer-Burmeister function in lcp/fischer-newton, the minimum in lcp/minmap-newton.
//
//   (D_a + D_b (A + delta I)) d = -F,   x <- x + t d,   D_a, D_b the slopes of f in x and w.
// t is 1, 1/2, 1/4 ... until the merit 1/2 |F|^2 has decreased enough (Armijo) against the largest
// of the last few (Grippo, Lampariello, Lucidi 1986). Rows with D_b = 0 give d at once and are
// eliminated, so the factorization is over the rest, the active set.
//
// A of hyperstatic contacts is singular, and so are the equations. delta (relative to the largest
// |A_ij|) is a proximal term: it centres each step at x and vanishes with d, so it moves no
// solution. It is proportional to |F|, which keeps quadratic convergence where solutions are not
// isolated (Yamashita and Fukushima 2001). With a smaller one steps along what is nearly the kernel
// are so long that the search may go round in circles. It grows where the factorization fails or d
// decreases nothing. Where even the largest delta does not help, the step is against the gradient
// of the merit.
//
// The merit is not convex for friction (A is copositive, not monotone): a stationary point of it
// need not be a solution. The method then ends with `stalled`.
#pragma once

#include <deque>
#include <functional>

#include "linear/sparse_lu.hpp"
#include "perpend/solve.hpp"
#include "solve/kit/fischer.hpp"
#include "solve/kit/scaled_lcp.hpp"

namespace perpend {

class LcpNewton {
 public:
  using Map = std::function<Fischer(double x, double w)>;

  // From the start of Progress, when the problem is not too large and may be feasible.
  static void run(const LinearProblem&, Map, Progress&);

  LcpNewton(const ScaledLcp&, Map);
  // Until progress stops it or nothing decreases the merit any more.
  void run(VectorXd x, Progress&);

 private:
  struct Point {
    VectorXd x, w, F, da, db;
    double merit;
  };
  Point at(VectorXd x, VectorXd w) const;
  bool direction(const Point&, double delta, VectorXd& d, Progress&);
  // Moves `point` along d; returns t, or 0 when no t does. `slope` is the derivative of the merit.
  double search(Point&, const VectorXd& d, double slope) const;
  bool step(Point&, Progress&);

  const ScaledLcp& lcp_;
  Map map_;
  linear::SparseLu lu_;
  double unit_;                // the largest |q_i|
  std::deque<double> recent_;  // merits
};

}  // namespace perpend
