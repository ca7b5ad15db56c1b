// max_penetration of a frame: max(0, -(psi + h G_n^T v+)), the deepest gap the step leaves, in m.
//
// psi + h G_n^T v+ is the gap at the end of the step when normals and points stay as they are.
// G_n^T v+ = (y - c)_n, less the compliance of Model::engine, which is part of A but moves no body.
// Of a group only the largest gap must stay >= 0, so the largest counts. Gaps, c and h must be
// known; without contacts it is 0.
#include <limits>

#include "measure/terms.hpp"
#include "measure/units.hpp"

namespace perpend::measure_terms {
namespace {

// G_n^T v+ of every contact. Explicit blocks do not keep compliance apart: there J tells.
VectorXd normal_velocities(const System& system, const Impulses& lambda, const VectorXd& y) {
  const Index m = system.contacts();
  VectorXd w(m);
  const auto* bodies = std::get_if<BodySpace>(&system.A);
  if (!bodies && system.dynamics) {
    const VectorXd change =
        jacobian(system) * (velocity_plus(system, lambda) - system.dynamics->free_velocity);
    for (Index i = 0; i < m; ++i) w[i] = system.b[3 * i] - system.c[3 * i] + change[3 * i];
    return w;
  }
  for (Index i = 0; i < m; ++i) {
    w[i] = y[3 * i] - system.c[3 * i];
    if (bodies && bodies->cfm.size() > 0) w[i] -= bodies->cfm[3 * i] * lambda[3 * i];
  }
  return w;
}

}  // namespace

bool knows_penetration(const System& system) {
  return system.contacts() == 0 ||
         (system.gap.size() > 0 && system.c.size() > 0 && system.step > 0);
}

double max_penetration(const System& system, const Impulses& lambda, const VectorXd& y) {
  if (system.contacts() == 0) return 0;
  const VectorXd w = normal_velocities(system, lambda, y);
  double deepest = 0;
  for_each_unit(system, lambda, y, [&](const Unit& unit) {
    double gap = -std::numeric_limits<double>::infinity();
    for (const Index k : unit.faces) gap = std::max(gap, system.gap[k] + system.step * w[k]);
    deepest = std::max(deepest, -gap);
  });
  return deepest;
}

}  // namespace perpend::measure_terms
