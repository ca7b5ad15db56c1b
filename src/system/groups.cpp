// Groups of alternative contacts: the face that pushes, and systems reduced to those faces.
#include "system/groups.hpp"

#include "system/select.hpp"

namespace perpend {

Index pushing_face(const std::vector<Index>& faces, const VectorXd& gap,
                   const VectorXd& predicted_gap) {
  constexpr double kOutside = -1e-6;  // m
  Index best = -1;
  for (Index face : faces)
    if (gap[face] >= kOutside && (best < 0 || predicted_gap[face] > predicted_gap[best]))
      best = face;
  if (best >= 0) return best;
  best = faces.front();
  for (Index face : faces)
    if (gap[face] > gap[best]) best = face;
  return best;
}

System without_groups(const System& system, std::vector<Index>& kept) {
  std::vector<bool> drop(static_cast<std::size_t>(system.contacts()), false);
  for (const Group& group : system.groups)
    for (Index face : group.faces) drop[static_cast<std::size_t>(face)] = face != group.u;
  kept.clear();
  for (Index i = 0; i < system.contacts(); ++i)
    if (!drop[static_cast<std::size_t>(i)]) kept.push_back(i);
  return select_contacts(system, kept);
}

}  // namespace perpend
