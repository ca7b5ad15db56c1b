// normal: contacts without friction, 0 <= f perp a = A f + b >= 0
// (Preda and Florian 2005, eqs. 1, 2).
//
// level=velocity (default): f are normal impulses, a the normal velocities after the step, A and b
// the normal rows of the system; every contact takes part.
// level=acceleration, the setting of Preda and Florian 2005: only contacts at rest take part (gap
// <= 1e-6 m and |u-| <= 1e-6 m/s), b is the relative normal acceleration without contact forces
// (their eq. 9). Preda and Florian solve for forces; here both sides are multiplied by the step h,
// so that z = h f are impulses and own_error is in m/s on either level. A is the same
// (their eq. 8).
//
// A group of alternatives takes part through its face u. Joint rows cannot be held.
#include <cmath>
#include <limits>

#include "formulate/scales.hpp"
#include "linear/sparse_rows.hpp"
#include "measure/rounding.hpp"
#include "perpend/formulate.hpp"

namespace perpend {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kTouching = 1e-6;  // m
constexpr double kAtRest = 1e-6;    // m/s

std::vector<Index> contacts_taking_part(const System& s, Level level) {
  std::vector<bool> alternative(static_cast<std::size_t>(s.contacts()), false);
  for (const Group& group : s.groups)
    for (const Index face : group.faces)
      alternative[static_cast<std::size_t>(face)] = face != group.u;
  std::vector<Index> contacts;
  for (Index i = 0; i < s.contacts(); ++i) {
    if (alternative[static_cast<std::size_t>(i)]) continue;
    if (level == Level::acceleration &&
        !(s.gap[i] <= kTouching && std::abs(s.normal_velocity[i]) <= kAtRest))
      continue;
    contacts.push_back(i);
  }
  return contacts;
}

}  // namespace

NormalProblem::NormalProblem(const System& s, Level level)
    : contact(contacts_taking_part(s, level)), system_(&s) {
  const Index n = static_cast<Index>(contact.size());
  std::vector<Index> place(static_cast<std::size_t>(s.contacts()), -1);
  for (Index k = 0; k < n; ++k)
    place[static_cast<std::size_t>(contact[static_cast<std::size_t>(k)])] = k;

  // The top left entry of every 3x3 block between contacts that take part.
  const Blocks blocks = to_blocks(s);
  linear::Triplets entries;
  b.resize(n);
  rho_.resize(n);
  const VectorXd rho = contact_scales(s);
  for (Index k = 0; k < n; ++k) {
    const Index i = contact[static_cast<std::size_t>(k)];
    b[k] = level == Level::velocity ? s.b[3 * i] : s.step * s.resting_acceleration[i];
    rho_[k] = rho[i];
    for (Index e = blocks.row_start[static_cast<std::size_t>(i)];
         e < blocks.row_start[static_cast<std::size_t>(i) + 1]; ++e) {
      const Index column = blocks.column[static_cast<std::size_t>(e)];
      if (column >= s.contacts() || place[static_cast<std::size_t>(column)] < 0) continue;
      const Index value = blocks.offset[static_cast<std::size_t>(e)];
      entries.emplace_back(static_cast<int>(k),
                           static_cast<int>(place[static_cast<std::size_t>(column)]),
                           blocks.values[static_cast<std::size_t>(value)]);
    }
  }
  A = linear::from_triplets(n, n, entries);
}

double NormalProblem::own_error(const VectorXd& z) const {
  const VectorXd w = A * z + b;
  double worst = 0;
  for (Index k = 0; k < size(); ++k)
    worst = larger(worst, std::abs(bounded_residual(z[k], w[k], rho_[k], 0, kInfinity)));
  return worst;
}

Bounded NormalProblem::bounded_own_error(const VectorXd& z, Sums sums) const {
  const RoundedVelocity w = rounded_product(A, z, b, sums);
  Bounded worst;
  for (Index k = 0; k < size(); ++k)
    enlarge(worst, rounded_row(w.y[k], w.delta[k], -kInfinity, z[k] / rho_[k]));
  return worst;
}

Impulses NormalProblem::impulses(const VectorXd& z) const {
  Impulses lambda = Impulses::Zero(system_->rows());
  for (Index k = 0; k < size(); ++k) lambda[3 * contact[static_cast<std::size_t>(k)]] = z[k];
  return lambda;
}

VectorXd NormalProblem::unknowns(const Impulses& lambda) const {
  VectorXd z(size());
  for (Index k = 0; k < size(); ++k)
    z[k] = std::max(0.0, lambda[3 * contact[static_cast<std::size_t>(k)]]);
  return z;
}

}  // namespace perpend
