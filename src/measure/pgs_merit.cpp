// pgs_merit = |PGS(lambda) - lambda|^2, the square of the residual of Silcowitz-Hansen et al. 2010
// (r below their eq. 21).
//
// One sweep of the box model (box_sweep.hpp) from a copy of lambda. Their merit function is half of
// it. Groups are reduced to their face u first (without_groups); impulses of the other faces are
// left out, as the box model has no place for them.
#include "measure/box_sweep.hpp"
#include "measure/terms.hpp"

namespace perpend::measure_terms {
namespace {

double sweep(const System& system, const Impulses& lambda, Bounds bounds) {
  return with_state(system, [&](auto& state) {
    state.set(lambda);
    return box_sweep(system, row_diagonal(system), state, bounds);
  });
}

}  // namespace

double pgs_merit(const System& system, const Impulses& lambda, Bounds bounds) {
  if (system.groups.empty()) return sweep(system, lambda, bounds);
  std::vector<Index> kept;
  const System reduced = without_groups(system, kept);
  Impulses kept_lambda(reduced.rows());
  for (Index i = 0; i < reduced.contacts(); ++i)
    kept_lambda.segment<3>(3 * i) = lambda.segment<3>(3 * kept[static_cast<std::size_t>(i)]);
  kept_lambda.tail(reduced.joint_rows()) = lambda.tail(reduced.joint_rows());
  return sweep(reduced, kept_lambda, bounds);
}

}  // namespace perpend::measure_terms
