#include "sim/settle_groups.hpp"

namespace perpend::sim {

bool GroupSettler::settle(System& system, Impulses& impulses) {
  constexpr double kOutside = -1e-6;  // m, as where u is first chosen
  constexpr double kOpen = -1e-8;     // m/s, far above what solvers leave
  if (had_.empty())
    for (const Group& group : system.groups) had_.emplace_back(group.faces.size(), false);
  const VectorXd y = relative_velocity(system, impulses);
  bool changed = false;
  for (std::size_t g = 0; g < system.groups.size(); ++g) {
    Group& group = system.groups[g];
    Index best = -1;
    for (std::size_t f = 0; f < group.faces.size(); ++f) {
      const Index face = group.faces[f];
      if (face == group.u) had_[g][f] = true;
      if (had_[g][f] || system.gap[face] < kOutside || y[3 * face] < kOpen) continue;
      if (best < 0 || y[3 * face] > y[3 * best]) best = face;
    }
    if (impulses[3 * group.u] <= 0 || best < 0) continue;
    impulses.segment<3>(3 * group.u).setZero();
    group.u = best;
    changed = true;
  }
  return changed;
}

}  // namespace perpend::sim
