// A primal-dual interior point method over second-order cones, for the cone problem.
//
// In the variables of a contact with mu > 0, all of them m/s (rho the effective mass),
//   a = (sqrt(mu) x_n, x_T/sqrt(mu))/rho,   c = ((u_n + mu |u_T|)/sqrt(mu), sqrt(mu) u_T)
// Coulomb's law is L ∋ a ⊥ c ∈ L with the second-order cone L (de Saxce, Feng 1998), that is
// a o c = 0. Inside the cones a o c = tau e is followed to tau = 0:
//   R = A x + b - u(c) = 0,  u(c) = (sqrt(mu) (c_0 - |c_T|), c_T/sqrt(mu))
//   a o c = sigma tau e, linearized in Nesterov and Todd's scaling W (second_order_cone.hpp)
// u(c) carries de Saxce's term: its derivative N = du/dc is part of the Newton matrix, or lags by
// an iteration (`lagged`, without the derivative of |c_T|; then the matrix is symmetric and is
// factorized by Cholesky). Eliminating dc = q - W^-2 da leaves
//   (A + B) dx = -R + N q,   B = N W^-2 da/dx, block diagonal
// which is solved as (1 + G A) dx = G (-R + N q), G = B^-1 (implicit_rows.hpp): in body space by
// 6x6 blocks, with explicit A by a sparse LU. Mehrotra's predictor-corrector (1992) chooses sigma.
// mu = 0 leaves x_n >= 0 alone. A finite bound of a joint row is a half-line with a barrier, a
// bilateral row has none and gets a proximal term, equal bounds fix their row.
//
// What made it work (see also Acary, Jourdain and others on such methods): one unit for all
// contacts, so that a light body counts as much as a heavy one; det computed as a product; a start
// lifted into the cones by the largest residual; rows between two bounds start between them, where
// the distances to both add up to the width and stay so; sigma of at least 0.3 after a short step
// and with such rows. Where steps tend to zero the Newton matrix does not lose digits, it becomes
// singular: the path turns round, and only another method or another start helps. Near the surface
// of a cone the error is about sqrt(tau) where complementarity is not strict: from some point on a
// Newton method does better.
#pragma once

#include "perpend/solve.hpp"
#include "solve/kit/implicit_rows.hpp"
#include "solve/kit/second_order_cone.hpp"

namespace perpend {

struct InteriorLimits {
  long steps = 0;        // 0: none but those of Progress
  double enough = 0;     // m/s: an error at which to end
  double lift = 1;       // times the lift of the start
  bool careful = false;  // no second-order term, sigma of at least 0.3 from the first step
  bool lagged = false;   // de Saxce's term
};

enum class InteriorEnd {
  finished,  // Progress said so
  enough,    // the error is small enough for another method
  limit,     // of InteriorLimits
  jammed,    // steps became short or gained nothing
  breakdown  // no factor, or not a number
};

template <class Space>
class InteriorPoint {
 public:
  // The space must be prepared for the system.
  InteriorEnd run(const Problem&, const System&, Space&, const VectorXd& start,
                  const InteriorLimits&, Progress&);
  // The iterate with the smallest error, or the start, and its error (m/s).
  const VectorXd& best() const { return best_; }
  double best_error() const { return best_error_; }

 private:
  struct Cone {
    Index row = 0;                                                // of x
    double rho = 0, inverse_rho = 0, root = 0, inverse_root = 0;  // root: sqrt(mu)
    Vector3d a = Vector3d::Zero(), c = a, da = a, dc = a, q = a;
    NesterovTodd scaling;
    Vector3d t = a;  // (0, direction of sliding), zero when de Saxce's term lags

    Vector3d to_cone(const Vector3d& x) const;   // a of x
    Vector3d impulse(const Vector3d& at) const;  // x of a
    Vector3d velocity() const;
    Vector3d forward(const Vector3d& v) const;    // N v
    Vector3d backward(const Vector3d& du) const;  // N^-1 du
  };
  // x >= at (sign 1) or x <= at (sign -1): p = sign (x - at)/rho and its velocity z, p z = tau.
  struct Bound {
    Index row;
    double rho, sign, at, p, z;
    double dp = 0, dz = 0, q = 0;
  };

  void begin(const VectorXd& start, double lift_factor);
  void put_impulses();
  double error() const;  // of x, m/s
  void measure_residual();
  bool linearize();
  void solve();
  double longest(double part) const;
  double gap(double alpha) const;
  void advance(double alpha);

  const System* system_ = nullptr;
  Space* space_ = nullptr;
  RowSlopes G_;
  bool lagged_ = false, two_sided_ = false;
  std::vector<Cone> cones_;
  std::vector<Bound> bounds_;
  std::vector<Index> free_;  // joint rows that may move
  VectorXd mass_;            // effective, of contacts and joint rows
  VectorXd compliance_, x_, y_, B_, R_, r_, f_, d_, du_, e_, w_, best_;
  double best_error_ = 0;
};

}  // namespace perpend
