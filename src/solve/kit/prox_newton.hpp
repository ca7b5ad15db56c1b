// A proximal semismooth Newton method for the cone problem, over two spaces.
//
// Outer loop (proximal point, augmented Lagrangian): x <- the proximal impulses p (prox_cone.hpp).
// Inner loop: with x held, Newton's method finds the motion w that its own impulses make.
//   body space     M (w - M^-1 J^T p(w)) = 0,  matrix M + J^T G J, G = -dp/du
//   impulse space  w = lambda,  lambda - p(lambda) = 0,  matrix 1 + G A
// A cold start, and one in which nothing slides, takes its first outer step with the associated
// law: convex, a symmetric matrix (Cholesky) and an exact line search; later ones are exact
// Coulomb, with LU where something slides, and with steps shortened until the defect falls. While
// every row stays open, sticking or sliding and the defect falls quickly, only directions of
// sliding turn: the factor is used again, and such steps do not count as iterations. The penalty
// rho grows while outer steps gain little and inner ones are easy, and shrinks when they fail, as
// they do where a kink is near and no step along the Newton direction helps.
#pragma once

#include "perpend/solve.hpp"
#include "solve/kit/newton_space.hpp"
#include "solve/kit/prox_cone.hpp"

namespace perpend {

struct NewtonLimits {
  long iterations = 0;  // Newton steps; 0: none but those of Progress
  long patience = 400;  // factors that may be made without halving the smallest residual
  double penalty = 0;   // to begin with; 0: by how good the start is
  // The start is the answer of the step before: each row is taken to stay open, sticking or sliding
  // as it was, whatever these impulses make of its velocity now.
  bool sorted = false;
  long late_patience = 0;  // once the residual is a hundredth of the start's; 0: the same
};

enum class NewtonEnd {
  finished,  // Progress said so
  stalled,   // no gain within the patience
  limit,     // of NewtonLimits
  breakdown  // no factor, or not a number
};

template <class Space>
class ProxNewton {
 public:
  // False when the system has no such space.
  bool prepare(const System& system) { return space_.prepare(system); }
  Space& space() { return space_; }
  NewtonEnd run(const System&, const VectorXd& start, const NewtonLimits&, Progress&);
  // Best impulses met, and their residual (m/s).
  const VectorXd& best() const { return best_; }
  double best_residual() const { return best_residual_; }

 private:
  enum class Inner { solved, failed, finished, stalled, limit };

  double begin(const System&, const VectorXd& start, bool sorted);
  void restart_at_centre();
  void consider(const VectorXd& impulses, double residual);
  Inner solve_inner(const NewtonLimits&, Progress&);
  void evaluate();
  bool direction(Progress&);
  bool predict(Progress&);
  bool convex_step(Progress&);
  bool coulomb_step(Progress&);
  bool shorten(double reference, int trials);
  double line_search() const;
  double sliding(const VectorXd& impulses, const VectorXd& speed) const;

  Space space_;
  ProxCone cone_;
  // w, u = b + J w, what p makes of them, defect w - w(p), direction, where a step started.
  VectorXd w_, u_, w_p_, u_p_, e_, d_, du_, weight_, w_0_, u_0_, p_;
  VectorXd best_, best_speed_;
  double best_residual_ = 0, residual_ = 0, mark_ = 0, since_mark_ = 0, first_ = 0;
  long steps_ = 0;
  int inner_ = 0;                   // steps of the present inner loop
  bool factor_is_current_ = false;  // for the present derivative
  bool factor_is_close_ = false;    // for one in which the same rows are open, stick and slide
  bool factor_is_new_ = false;      // made in the present step
  bool borrowed_ = false;           // the present step took the factor of an earlier one
  double fall_ = 1;                 // of the square of the defect in the last step
  bool predict_ = false;            // the centre has just moved
};

}  // namespace perpend
