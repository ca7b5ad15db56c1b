// One projected Gauss-Seidel sweep of the box model (Silcowitz-Hansen et al. 2010, eq. 17 with B =
// D + L, row by row).
//
//   lambda_i <- clamp(lambda_i - y_i / A_ii, l_i, u_i),   y = A lambda + b kept up to date
//
// Order: joint rows, then contacts as they stand in the file, rows n, t, o. Bounds: joint rows
// lower, upper; normal rows 0, inf; friction rows +-mu lambda_n, read after the normal row of the
// same contact was updated (Bounds::newest) or before (Bounds::lagged: l(lambda^k) and u(lambda^k)
// of eq. 18; a negative lambda_n of an extrapolated iterate counts as 0, else the interval would be
// empty). A finite friction bound of the engine takes the place of mu lambda_n. A row with zero
// diagonal is skipped: no impulse changes its velocity.
//
// A row is projected before the next one uses it: the forward loop that the paper describes below
// eq. 17. Eqs. 17 and 18 as printed project the whole vector after an unprojected sweep, and their
// fixed points are not the solutions of eq. 7 (tests/solve/box_pgs_test.cpp).
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "perpend/measure.hpp"
#include "system/gauss_seidel.hpp"

namespace perpend {

// Bounds of |lambda_t| and |lambda_o| of a contact that presses with lambda_n.
inline Eigen::Vector2d friction_limits(const System& system, Index contact, double lambda_n) {
  const double coulomb = system.mu[contact] * std::max(0.0, lambda_n);
  Eigen::Vector2d limits(coulomb, coulomb);
  if (system.friction_bounds.rows() > 0)
    for (Index k = 0; k < 2; ++k)
      if (std::isfinite(system.friction_bounds(contact, k)))
        limits[k] = system.friction_bounds(contact, k);
  return limits;
}

// The diagonal of A, row by row, for `box_sweep`.
inline VectorXd row_diagonal(const System& system) {
  VectorXd d(system.rows());
  for (Index i = 0; i < system.contacts(); ++i)
    d.segment<3>(3 * i) = contact_block(system, i).diagonal();
  for (Index j = 0; j < system.joint_rows(); ++j)
    d[3 * system.contacts() + j] = joint_diagonal(system, j);
  return d;
}

// One sweep over `state` (gauss_seidel.hpp), which holds lambda. Returns |PGS(lambda) - lambda|^2.
template <class State>
double box_sweep(const System& system, const VectorXd& diagonal, State& state, Bounds bounds) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const VectorXd& lambda = state.lambda();
  const Index m = system.contacts();
  double squared_change = 0;
  for (Index j = 0; j < system.joint_rows(); ++j) {
    const Index row = 3 * m + j;
    if (diagonal[row] == 0) continue;
    const double x = lambda[row] - state.u_joint(j) / diagonal[row];
    const double change = std::clamp(x, system.lower[j], system.upper[j]) - lambda[row];
    if (change == 0) continue;
    state.push_joint(j, change);
    squared_change += change * change;
  }
  for (Index i = 0; i < m; ++i) {
    const auto relax = [&](Index k, double lower, double upper) {
      const Index row = 3 * i + k;
      if (diagonal[row] == 0) return;
      const double x = lambda[row] - state.u(i, k) / diagonal[row];
      const double change = std::clamp(x, lower, upper) - lambda[row];
      if (change == 0) return;
      state.push(i, k, change);
      squared_change += change * change;
    };
    const double lagged = lambda[3 * i];
    relax(0, 0, kInfinity);
    const Eigen::Vector2d limits =
        friction_limits(system, i, bounds == Bounds::newest ? lambda[3 * i] : lagged);
    relax(1, -limits[0], limits[0]);
    relax(2, -limits[1], limits[1]);
  }
  return squared_change;
}

}  // namespace perpend
