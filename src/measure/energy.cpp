// energy_change = 1/2 v+^T M v+ - 1/2 v_free^T M v_free: the kinetic energy that the impulses of
// contacts and joints add to the step, in J.
//
// Never positive for an exact step of a passive problem (nothing driven, no gap to close, no joint
// to repair): y lambda = 0 where y = J v+, and A is positive semidefinite. Written as
// 1/2 (v+ - v_free)^T M (v+ + v_free), which does not subtract two large squares. Fixed bodies have
// no part in it. Masses and velocities must be known; without contacts and joints it is 0.
#include "measure/terms.hpp"
#include "perpend/measure/response.hpp"
#include "system/gauss_seidel.hpp"

namespace perpend::measure_terms {

bool knows_energy(const System& system) { return system.rows() == 0 || system.dynamics; }

double energy_change(const System& system, const Impulses& lambda) {
  if (system.rows() == 0) return 0;
  return energy_of_change(system, velocity_plus(system, lambda) - system.dynamics->free_velocity);
}

double energy_of_change(const System& system, const VectorXd& change) {
  const Dynamics& d = *system.dynamics;
  return change.dot(d.mass * (2 * d.free_velocity + change)) / 2;
}

}  // namespace perpend::measure_terms

namespace perpend {

double impulse_energy(const System& system, const Impulses& lambda) {
  return lambda.dot(apply(system, lambda) / 2 + system.b);
}

namespace {

double scale_of(double curved, double down) {
  if (!(down < curved)) return 1;
  return down > 0 ? down / curved : 0;
}

}  // namespace

double least_energy_scale(const System& system, const Impulses& lambda) {
  return scale_of(lambda.dot(apply(system, lambda)), -lambda.dot(system.b));
}

double least_energy_scale(const System& system, const Impulses& lambda, const Response& of) {
  return scale_of(lambda.dot(of.y - system.b), -lambda.dot(system.b));
}

Response response(const System& system, const Impulses& lambda) {
  const Dynamics& d = *system.dynamics;
  const BodySpace* a = std::get_if<BodySpace>(&system.A);
  if (!a) return {relative_velocity(system, lambda), d.generalized_response * lambda};
  Response out{VectorXd(system.rows()), VectorXd(d.mass.rows())};
  BodySpaceState state(system, *a);
  state.set(lambda);
  for (Index i = 0; i < system.contacts(); ++i) out.y.segment<3>(3 * i) = state.u(i);
  for (Index j = 0; j < system.joint_rows(); ++j)
    out.y[3 * system.contacts() + j] = state.u_joint(j);
  for (std::size_t i = 0; i < d.body_column.size(); ++i)
    if (d.body_column[i] >= 0)
      out.change.segment<6>(d.body_column[i]) =
          state.velocity().row(static_cast<Index>(i)).transpose();
  return out;
}

void scale(Response& response, const System& system, double t) {
  response.y = system.b + t * (response.y - system.b);
  response.change *= t;
}

}  // namespace perpend
