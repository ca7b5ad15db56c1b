// mncp: the cone law of ncp with velocities and joint impulses kept, z = (v, lambda).
//
//   M (v - v_free) = J^T lambda                                                   (002, eq. 14)
//   y = J v + c + cfm lambda,  and for (lambda, y) the law of ncp                 (002, sec. 4.2)
// v are the velocities of the moving bodies (or generalized velocities) after the step; what fixed
// bodies do is in c = b - J v_free. cfm is zero but for Model::engine.
//
// own_error is the largest of the residuals of ncp, taken at this y, and of the momentum rows
// divided by their mass, |M (v - v_free) - J^T lambda|_i / M_ii: all in m/s.
#include <cmath>

#include "formulate/scales.hpp"
#include "perpend/formulate.hpp"

namespace perpend {

MixedConeProblem::MixedConeProblem(const System& s) : cone_(s) {
  const System& reduced = system();
  mass = reduced.dynamics->mass;
  jacobian = perpend::jacobian(reduced);
  free_velocity = reduced.dynamics->free_velocity;
  c = reduced.b - jacobian * free_velocity;
  cfm = compliance(reduced);
}

Index MixedConeProblem::size() const { return mass.rows() + cone_.size(); }

double MixedConeProblem::own_error(const VectorXd& z) const {
  const System& s = system();
  const VectorXd v = z.head(mass.rows()), lambda = z.tail(s.rows());
  const VectorXd y = jacobian * v + c + cfm.cwiseProduct(lambda);
  const VectorXd momentum = mass * (v - free_velocity) - jacobian.transpose() * lambda;
  const VectorXd rho = contact_scales(s), joint_rho = joint_scales(s);
  double worst = 0;
  for (Index i = 0; i < mass.rows(); ++i)
    worst = larger(worst, std::abs(momentum[i]) / mass.coeff(i, i));
  for (Index i = 0; i < s.contacts(); ++i) {
    const Vector3d impulse = lambda.segment<3>(3 * i);
    Vector3d u = y.segment<3>(3 * i);
    u[0] += s.mu[i] * u.tail<2>().norm();
    worst = larger(worst, (impulse - project_cone(impulse - rho[i] * u, s.mu[i])).norm() / rho[i]);
  }
  for (Index j = 0; j < s.joint_rows(); ++j) {
    const Index row = 3 * s.contacts() + j;
    worst =
        larger(worst, bounded_residual(lambda[row], y[row], joint_rho[j], s.lower[j], s.upper[j]));
  }
  return worst;
}

Impulses MixedConeProblem::impulses(const VectorXd& z) const {
  return cone_.impulses(z.tail(cone_.size()));
}

VectorXd MixedConeProblem::unknowns(const Impulses& lambda) const {
  const VectorXd reduced = cone_.unknowns(lambda);
  VectorXd z(size());
  z << velocity_plus(system(), reduced), reduced;
  return z;
}

}  // namespace perpend
