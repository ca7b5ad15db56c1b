// Joint rows without contacts and without bounds: A lambda + b = 0, one linear system.
//
// A is singular where joints are redundant (a closed loop, a door on two hinges), so it is not
// factorized itself. From impulses x with velocities y = A x + b the proximal step is
//   lambda = x - (y + du)/kappa,  kappa = C + 1/(rho m),  du = J d,
//   (M + J^T G J) d = -J^T G y,   G = 1/kappa
// with m the effective mass and C the compliance of a row: the matrix of newton_space.hpp, positive
// definite whatever the rows are. A step shrinks y by about 1/(rho e), e the least nonzero
// eigenvalue of D A D (D^2: the masses), so with a stiff rho the first step is the answer and the
// next ones refine it with the same factor. The sum of the steps is the least change of x, in the
// units of D, that solves the system. Where rows contradict each other, y does not fall.
#pragma once

#include "perpend/solve.hpp"
#include "solve/kit/newton_space.hpp"

namespace perpend {

// No contact, and no row with a bound.
bool all_bilateral(const System&);

class BilateralRows {
 public:
  // `space` is prepared with this system. False: there is no factor.
  template <class Space>
  bool factorize(const System&, Space&);
  // The same with 1 in `held` for rows that are equations, contacts too, and 0 for rows that stay
  // as they are. `masses`: effective ones of the rows.
  template <class Space>
  bool factorize(const System&, const VectorXd& masses, const VectorXd& held, Space&);
  // The proximal step lambda - x for these velocities y.
  template <class Space>
  void step(Space&, const VectorXd& y, VectorXd& change);
  // From progress.start(); false when steps stop helping before Progress says that it is enough.
  template <class Space>
  bool run(const System&, Space&, Progress&);

 private:
  VectorXd stiffness_;  // 1/kappa, 0 where a row does not take part
  VectorXd compliance_, x_, w_, y_, d_, change_;
  RowSlopes slopes_;
};

}  // namespace perpend
