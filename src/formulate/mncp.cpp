// mncp: the cone law of ncp with velocities and joint impulses kept, z = (v, lambda).
//
//   M (v - v_free) = J^T lambda                                            (Lu et al. 2013, eq. 14)
//   y = J v + c + cfm lambda,  and for (lambda, y) the law of ncp        (Lu et al. 2013, sec. 4.2)
// v are the velocities of the moving bodies (or generalized velocities) after the step; what fixed
// bodies do is in c. cfm is zero but for Model::engine.
//
// own_error is that of ncp, velocity_error, at the y that follows from lambda alone: v is then what
// the impulses make of it, and an iterate cannot buy a small error with a v of its own.
#include "formulate/scales.hpp"
#include "perpend/formulate.hpp"

namespace perpend {

MixedConeProblem::MixedConeProblem(const System& s) : cone_(s) {
  const System& reduced = system();
  mass = reduced.dynamics->mass;
  jacobian = perpend::jacobian(reduced);
  free_velocity = reduced.dynamics->free_velocity;
  c = constant_velocity(reduced);
  cfm = compliance(reduced);
}

Index MixedConeProblem::size() const { return mass.rows() + cone_.size(); }

double MixedConeProblem::own_error(const VectorXd& z) const {
  return cone_.own_error(z.tail(cone_.size()));
}

Bounded MixedConeProblem::bounded_own_error(const VectorXd& z, Sums sums) const {
  return cone_.bounded_own_error(z.tail(cone_.size()), sums);
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
