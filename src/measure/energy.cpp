// energy_change = 1/2 v+^T M v+ - 1/2 v_free^T M v_free: the kinetic energy that the impulses of
// contacts and joints add to the step, in J.
//
// Never positive for an exact step of a passive problem (nothing driven, no gap to close, no joint
// to repair): y lambda = 0 where y = J v+, and A is positive semidefinite. Written as
// 1/2 (v+ - v_free)^T M (v+ + v_free), which does not subtract two large squares. Fixed bodies have
// no part in it. Masses and velocities must be known; without contacts and joints it is 0.
#include "measure/terms.hpp"

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

double least_energy_scale(const System& system, const Impulses& lambda) {
  const double curved = lambda.dot(apply(system, lambda)), down = -lambda.dot(system.b);
  if (!(down < curved)) return 1;
  return down > 0 ? down / curved : 0;
}

}  // namespace perpend
