// The mixed cone problem in units in which all its numbers compare (mncp's own solvers share it).
//
//   M w = J^T x,   y = J w + b + c x,   the law of each row for (x, y)
// with v = v_free + S w, lambda = D x, y = D^-1 (this y), S = diag(M)^(-1/2), D = rho^(1/2): M and
// J M^-1 J^T have diagonals near 1, impulses and velocities are both square roots of energies.
#pragma once

#include "perpend/formulate.hpp"
#include "solve/kit/scaled_cone.hpp"

namespace perpend {

struct MixedCone {
  explicit MixedCone(const MixedConeProblem& problem)
      : contacts(problem.system().contacts()),
        mu(problem.system().mu),
        free_velocity(problem.free_velocity) {
    const System& s = problem.system();
    d = effective_masses(s).cwiseSqrt();
    S = VectorXd(problem.mass.diagonal()).cwiseSqrt().cwiseInverse();
    M = S.asDiagonal() * problem.mass * S.asDiagonal();
    J = d.asDiagonal() * problem.jacobian * S.asDiagonal();
    b = d.cwiseProduct(s.b);
    c = d.cwiseAbs2().cwiseProduct(problem.cfm);
    const auto joint_d = d.tail(s.joint_rows());
    lower = s.lower.cwiseQuotient(joint_d);
    upper = s.upper.cwiseQuotient(joint_d);
  }

  Index velocities() const { return S.size(); }
  Index rows() const { return d.size(); }
  // (v, lambda) of (w, x), and x of (v, lambda).
  VectorXd unknowns(const VectorXd& w, const VectorXd& x) const {
    VectorXd z(velocities() + rows());
    z << free_velocity + S.cwiseProduct(w), d.cwiseProduct(x);
    return z;
  }
  VectorXd scaled(const VectorXd& z) const { return z.tail(rows()).cwiseQuotient(d); }

  // velocity_error at (x, y), m/s.
  double residual(const VectorXd& x, const VectorXd& y) const {
    return scaled_residual(mu, d, lower, upper, x, y);
  }

  Index contacts;
  VectorXd mu, free_velocity;
  VectorXd d, S;  // diagonals
  SparseMatrix M, J;
  VectorXd b, c, lower, upper;
};

}  // namespace perpend
