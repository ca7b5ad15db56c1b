// The Fletcher-Reeves step of nncg_step.hpp with a beta and a restart of its own for every island.
//
// Islands are the parts of a system that no impulse connects: bodies that touch or are jointed,
// fixed ones not counted. They are independent problems, and a restart that one of them needs does
// not cost the others their direction.
#pragma once

#include "system/gauss_seidel.hpp"

namespace perpend {

struct Islands {
  std::vector<Index> of_row, of_body;  // bodies: none (-1) where fixed; empty without body space
  Index count = 0;
};
Islands find_islands(const System&);

template <class State>
class IslandStep {
 public:
  IslandStep(State& state, Islands islands) : state_(state), islands_(std::move(islands)) {
    remember();
    p_ = VectorXd::Zero(x_.size());
    body_p_ = Rows6::Zero(body_x_.rows(), 6);
    previous_ = VectorXd::Constant(islands_.count, -1);
  }

  // The state holds y = sweep(x); moves it to the next x. True: some island restarted.
  bool advance() {
    const VectorXd g = state_.lambda() - x_;
    const Rows6 body_g = state_.velocity() - body_x_;
    VectorXd now = VectorXd::Zero(islands_.count);
    for (Index i = 0; i < g.size(); ++i) now[island(i)] += g[i] * g[i];
    VectorXd beta(islands_.count), keep = VectorXd::Ones(islands_.count);
    bool restarted = false;
    for (Index k = 0; k < islands_.count; ++k) {
      beta[k] = previous_[k] > 0 ? now[k] / previous_[k] : 0;
      if (beta[k] > 1) {
        beta[k] = keep[k] = 0;
        restarted = true;
      }
    }
    previous_ = now;
    for (Index i = 0; i < g.size(); ++i) p_[i] *= beta[island(i)];
    for (Index b = 0; b < body_p_.rows(); ++b) body_p_.row(b) *= body(b) < 0 ? 0 : beta[body(b)];
    state_.extrapolate(1, p_, body_p_);
    for (Index i = 0; i < g.size(); ++i) p_[i] += keep[island(i)] * g[i];
    for (Index b = 0; b < body_p_.rows(); ++b)
      if (body(b) >= 0) body_p_.row(b) += keep[body(b)] * body_g.row(b);
    if (restarted) {  // M^-1 J^T lambda from lambda: what rounding has gathered goes
      const VectorXd lambda = state_.lambda();
      state_.set(lambda);
    }
    remember();
    return restarted;
  }

 private:
  Index island(Index row) const { return islands_.of_row[static_cast<std::size_t>(row)]; }
  Index body(Index b) const { return islands_.of_body[static_cast<std::size_t>(b)]; }
  void remember() {
    x_ = state_.lambda();
    body_x_ = state_.velocity();
  }

  State& state_;
  const Islands islands_;
  VectorXd x_, p_, previous_;
  Rows6 body_x_, body_p_;
};

}  // namespace perpend
