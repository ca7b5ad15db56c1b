// The Fletcher-Reeves step over a fixed-point map (Silcowitz-Hansen et al. 2010, section 4, lines
// 6-13):
//
//   y = sweep(x), g = y - x, beta = |g|^2/|g_prev|^2
//   beta > 1: x = y, p = 0 (restart);  else x = y + beta p, p = beta p + g
// and the same with the beta of Polak and Ribiere (Nocedal, Wright, eq. 5.44):
//   beta = g.(g - g_prev)/|g_prev|^2, restart still where |g| grows.
//
// In body space the extrapolation is done on M^-1 J^T lambda as well as on lambda, so that it costs
// O(bodies + contacts) and no product with A (Silcowitz-Hansen et al. 2010, section 5). A restart
// rebuilds M^-1 J^T lambda from lambda, which also removes the rounding that extrapolations leave
// behind.
#pragma once

#include <algorithm>

#include "system/gauss_seidel.hpp"

namespace perpend {

template <class State>
class NncgStep {
 public:
  explicit NncgStep(State& state) : state_(state) { begin(); }

  // x, before the sweep that is under way or comes next.
  const VectorXd& x() const { return x_; }

  // Starts anew at the state's lambda.
  void begin() {
    remember();
    p_ = VectorXd::Zero(x_.size());
    body_p_ = Rows6::Zero(body_x_.rows(), 6);
    previous_ = -1;
  }

  // The state holds y = sweep(x); moves it to the next x. norm2(g) = |g|^2. True: restarted.
  template <class Norm2>
  bool advance(const Norm2& norm2) {
    g_ = state_.lambda() - x_;
    const double now = norm2(g_);
    const double beta = previous_ > 0 ? now / previous_ : 0;
    return move(now, beta > 1, beta);
  }
  // The same with the other beta; dot(g, h) is the product whose norm that is.
  template <class Dot>
  bool advance_polak_ribiere(const Dot& dot) {
    g_.swap(g_previous_);
    g_ = state_.lambda() - x_;
    const double now = dot(g_, g_);
    const bool first = !(previous_ > 0);
    const double beta = first ? 0 : (now - dot(g_, g_previous_)) / previous_;
    return move(now, !first && now > previous_, beta);
  }

 private:
  bool move(double now, bool restart, double beta) {
    previous_ = now;
    if (restart) {
      const VectorXd y = state_.lambda();
      state_.set(y);
      p_.setZero();
      body_p_.setZero();
      remember();
      return true;
    }
    body_g_ = state_.velocity() - body_x_;
    if (beta != 0) state_.extrapolate(beta, p_, body_p_);
    p_ = beta * p_ + g_;
    body_p_ = beta * body_p_ + body_g_;
    remember();
    return false;
  }
  void remember() {
    x_ = state_.lambda();
    body_x_ = state_.velocity();
  }

  State& state_;
  VectorXd x_, p_, g_, g_previous_;
  Rows6 body_x_, body_p_, body_g_;
  double previous_ = -1;  // |g|^2 of the step before; negative: none
};

}  // namespace perpend
