// Semismooth Newton on F(x, A x + b) = 0 over all impulses x (contact_function.hpp), with a
// proximal regularization and a non-monotone line search.
//
//   (D_x/r + D_u (A + eps/r)) d = -F,  x <- x + a d
//
// The term eps (x - x_k)/r makes the matrix regular where A is not (rows that press against each
// other without moving anything are many) and vanishes at a solution, so that it costs accuracy
// nothing. Divided by what multiplies d alone, the equation is (1 + G A) d = f (implicit_rows.hpp).
#pragma once

#include <array>

#include "perpend/solve.hpp"
#include "solve/kit/contact_function.hpp"
#include "solve/kit/implicit_rows.hpp"

namespace perpend {

struct SemismoothLimits {
  long iterations = 0;  // Newton steps; 0: none but those of Progress
  long patience = 0;    // steps that may pass without halving the smallest |F|; 0: no end
};

enum class SemismoothEnd {
  finished,  // Progress said so
  stalled,   // no gain within the patience, or no step lowers |F| with any regularization
  limit,     // of SemismoothLimits
  breakdown  // no factor, or not a number
};

template <class Space>
class SemismoothNewton {
 public:
  // False when the system has no such space.
  bool prepare(const System&);
  SemismoothEnd run(const VectorXd& start, ConeFunction, double eps, const SemismoothLimits&,
                    Progress&);
  // The iterate with the smallest |F|.
  const VectorXd& best() const { return best_; }
  double best_norm() const { return best_norm_; }

 private:
  double norm(const VectorXd& x, const VectorXd& y) const;
  bool factorize(double eps);
  double line_search();

  const System* system_ = nullptr;
  ConeFunction function_ = ConeFunction::alart_curnier;
  ImplicitRows<Space> rows_;
  RowSlopes G_;
  VectorXd mass_, compliance_;  // of every contact and joint row; of every row
  VectorXd x_, y_, f_, d_, dy_, trial_x_, trial_y_, best_;
  std::array<double, 6> memory_{};  // |F| of the last steps
  double best_norm_ = 0;
};

}  // namespace perpend
