// The alternating direction method of multipliers on the cone problem, for ncp/admm (ncp_admm.cpp
// has its equations) and for solvers that use it as a part.
#pragma once

#include "perpend/solve.hpp"
#include "solve/kit/nncg_loop.hpp"
#include "solve/kit/shifted_system.hpp"

namespace perpend {

struct AdmmOptions {
  double relaxation = 1.7;  // alpha
  double penalty = 1;       // first value of rho
  long period = 3;          // iterations between updates of de Saxce's term
  Index memory = 10;        // iterations that Anderson acceleration remembers
};

class Admm {
 public:
  // Until Progress ends it, or where the pace is lost. False: there is no factor at `penalty()`.
  bool run(const System&, const VectorXd& start, const AdmmOptions&, Progress&,
           Pace* pace = nullptr);
  double penalty() const { return rho_; }
  // Impulses with the smallest step met, and that step (m/s).
  const VectorXd& best() const { return best_; }
  double best_residual() const { return best_residual_; }

 private:
  ShiftedSystem matrix_;
  double rho_ = 1;
  VectorXd best_;
  double best_residual_ = 0;
};

}  // namespace perpend
