// What counts once: an ordinary contact, or a group of alternatives (docs/errors.md).
//
// The normal pair of a unit is (sum of lambda_n over its faces, max of w = y_n over its faces):
// only the largest gap of a group must stay >= 0 (Nguyen and Trinkle 2010, eq. 14). A face of a
// group that carries an impulse is judged with its own impulse, its own friction velocity, and the
// normal velocity of the group. When no face carries one, face u is judged with the impulse 0. For
// an ordinary contact all this is the contact itself.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "perpend/system.hpp"

namespace perpend::measure_terms {

struct Unit {
  std::span<const Index> faces;  // contacts
  Index u;                       // the face that stands for the unit when nothing pushes
  double lambda_n;               // sum over the faces
  double w;                      // largest normal velocity of the faces
};

inline Vector3d triple(const VectorXd& rows, Index contact) { return rows.segment<3>(3 * contact); }

// Calls visit(unit): ordinary contacts in file order, then groups.
template <class Visit>
void for_each_unit(const System& system, const Impulses& lambda, const VectorXd& y, Visit visit) {
  std::vector<char> grouped;
  if (!system.groups.empty()) {
    grouped.assign(static_cast<std::size_t>(system.contacts()), 0);
    for (const Group& group : system.groups)
      for (const Index k : group.faces) grouped[static_cast<std::size_t>(k)] = 1;
  }
  for (Index i = 0; i < system.contacts(); ++i)
    if (grouped.empty() || !grouped[static_cast<std::size_t>(i)])
      visit(Unit{{&i, 1}, i, lambda[3 * i], y[3 * i]});
  for (const Group& group : system.groups) {
    Unit unit{group.faces, group.u, 0, y[3 * group.u]};
    for (const Index k : group.faces) {
      unit.lambda_n += lambda[3 * k];
      unit.w = std::max(unit.w, y[3 * k]);
    }
    visit(unit);
  }
}

// Calls visit(contact, impulse, velocity) for the faces of a unit that are judged.
template <class Visit>
void for_each_face(const Unit& unit, const Impulses& lambda, const VectorXd& y, Visit visit) {
  const auto judge = [&](Index k) {
    visit(k, triple(lambda, k), Vector3d(unit.w, y[3 * k + 1], y[3 * k + 2]));
  };
  bool pushes = false;
  for (const Index k : unit.faces) {
    if (lambda[3 * k] == 0 && lambda[3 * k + 1] == 0 && lambda[3 * k + 2] == 0) continue;
    pushes = true;
    judge(k);
  }
  if (!pushes) judge(unit.u);
}

}  // namespace perpend::measure_terms
