#include "sim/islands.hpp"

#include <algorithm>
#include <numeric>

#include "perpend/base.hpp"

namespace perpend::sim {
namespace {

template <class Column>
Column rows_of(const Column& column, const std::vector<Index>& rows) {
  if (column.size() == 0) return {};
  Column out(static_cast<Index>(rows.size()), column.cols());
  for (std::size_t i = 0; i < rows.size(); ++i)
    out.row(static_cast<Index>(i)) = column.row(rows[i]);
  return out;
}

Integers rows_of(const Integers& column, const std::vector<Index>& rows) {
  Integers out;
  if (column.empty()) return out;
  out.reserve(rows.size());
  for (Index row : rows) out.push_back(column[static_cast<std::size_t>(row)]);
  return out;
}

template <class Table, class... Columns>
void copy_rows(const Table& from, const std::vector<Index>& rows, Table& to,
               Columns Table::*... columns) {
  ((to.*columns = rows_of(from.*columns, rows)), ...);
}

// Whether these rows of a column are the same in both.
template <class Column>
bool same_rows(const Column& a, const std::vector<Index>& rows_a, const Column& b,
               const std::vector<Index>& rows_b) {
  if ((a.size() == 0) != (b.size() == 0)) return false;
  if (a.size() == 0) return true;
  for (std::size_t i = 0; i < rows_a.size(); ++i)
    if (a.row(rows_a[i]) != b.row(rows_b[i])) return false;
  return true;
}

bool same_rows(const Integers& a, const std::vector<Index>& rows_a, const Integers& b,
               const std::vector<Index>& rows_b) {
  if (a.empty() != b.empty()) return false;
  for (std::size_t i = 0; !a.empty() && i < rows_a.size(); ++i)
    if (a[static_cast<std::size_t>(rows_a[i])] != b[static_cast<std::size_t>(rows_b[i])])
      return false;
  return true;
}

// Groups of alternatives are numbered over a whole frame.
bool grouped(const Contacts& contacts, const std::vector<Index>& rows) {
  return !contacts.group.empty() && std::any_of(rows.begin(), rows.end(), [&](Index i) {
    return contacts.group[static_cast<std::size_t>(i)] >= 0;
  });
}

bool same(const Frame& a, const Island& one, const Frame& b, const Island& two) {
  if (one.bodies != two.bodies || one.contacts.size() != two.contacts.size() ||
      one.joints.size() != two.joints.size() || one.joint_rows.size() != two.joint_rows.size() ||
      grouped(a.contacts, one.contacts) || grouped(b.contacts, two.contacts))
    return false;
  const auto contacts = [&](auto... columns) {
    return (same_rows(a.contacts.*columns, one.contacts, b.contacts.*columns, two.contacts) && ...);
  };
  const auto rows = [&](auto... columns) {
    return (same_rows(a.joints.*columns, one.joint_rows, b.joints.*columns, two.joint_rows) && ...);
  };
  return contacts(&Contacts::ids, &Contacts::pairs, &Contacts::normals, &Contacts::points,
                  &Contacts::points2, &Contacts::tangents, &Contacts::mu, &Contacts::restitution,
                  &Contacts::surface_velocity) &&
         same_rows(a.contacts.asked_gap(), one.contacts, b.contacts.asked_gap(), two.contacts) &&
         same_rows(a.joints.pairs, one.joints, b.joints.pairs, two.joints) &&
         same_rows(a.joints.rows, one.joints, b.joints.rows, two.joints) &&
         rows(&Joints::jacobian, &Joints::bounds, &Joints::violation, &Joints::rate,
              &Joints::compliance, &Joints::jacobian2) &&
         same_rows(a.joints.pairs2, one.joints, b.joints.pairs2, two.joints);
}

}  // namespace

std::vector<Island> islands(const Frame& frame) {
  const Index n = frame.bodies.count();
  DisjointSets sets(n);  // islands are named by their first body
  const auto join = [&](const Pairs& pairs) {
    for (Index i = 0; i < pairs.rows(); ++i)
      if (!frame.bodies.fixed(pairs(i, 0)) && !frame.bodies.fixed(pairs(i, 1)))
        sets.join(pairs(i, 0), pairs(i, 1));
  };
  join(frame.contacts.pairs);
  join(frame.joints.pairs);
  join(frame.joints.pairs2);

  std::vector<Index> island_of(static_cast<std::size_t>(n), -1);
  std::vector<Island> list;
  const auto moving = [&](const Pairs& pairs, Index i) {
    return frame.bodies.fixed(pairs(i, 0)) ? pairs(i, 1) : pairs(i, 0);
  };
  const auto of = [&](const Pairs& pairs, Index i) { return sets.of(moving(pairs, i)); };
  for (Index i = 0; i < frame.joints.pairs2.rows(); ++i)
    sets.join(moving(frame.joints.pairs, i), moving(frame.joints.pairs2, i));
  // An island exists when something acts in it.
  std::vector<char> used(static_cast<std::size_t>(n), 0);
  for (const Pairs* pairs : {&frame.contacts.pairs, &frame.joints.pairs})
    for (Index i = 0; i < pairs->rows(); ++i) used[static_cast<std::size_t>(of(*pairs, i))] = 1;
  for (Index body = 0; body < n; ++body) {
    if (frame.bodies.fixed(body)) continue;
    const auto root = static_cast<std::size_t>(sets.of(body));
    if (!used[root]) continue;
    if (island_of[root] < 0) {
      island_of[root] = static_cast<Index>(list.size());
      list.emplace_back();
    }
    list[static_cast<std::size_t>(island_of[root])].bodies.push_back(body);
  }
  const auto island = [&](const Pairs& pairs, Index i) -> Island& {
    return list[static_cast<std::size_t>(island_of[static_cast<std::size_t>(of(pairs, i))])];
  };
  const auto touch = [&](Island& where, const Pairs& pairs, Index i) {
    for (Index side : {0, 1})
      if (frame.bodies.fixed(pairs(i, side))) where.bodies.push_back(pairs(i, side));
  };
  for (Index i = 0; i < frame.contacts.count(); ++i) {
    Island& where = island(frame.contacts.pairs, i);
    where.contacts.push_back(i);
    touch(where, frame.contacts.pairs, i);
  }
  Index row = 0;
  for (Index k = 0; k < frame.joints.count(); ++k) {
    Island& where = island(frame.joints.pairs, k);
    where.joints.push_back(k);
    touch(where, frame.joints.pairs, k);
    if (frame.joints.pairs2.rows()) touch(where, frame.joints.pairs2, k);
    for (Index j = 0; j < frame.joints.rows[static_cast<std::size_t>(k)]; ++j)
      where.joint_rows.push_back(row++);
  }
  for (Island& one : list) {
    std::sort(one.bodies.begin(), one.bodies.end());
    one.bodies.erase(std::unique(one.bodies.begin(), one.bodies.end()), one.bodies.end());
  }
  return list;
}

std::vector<std::size_t> largest_first(const std::vector<Island>& list) {
  std::vector<std::size_t> order(list.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto rows = [&](std::size_t k) {
    return 3 * list[k].contacts.size() + list[k].joint_rows.size();
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return rows(a) > rows(b); });
  return order;
}

std::vector<Index> unchanged(const Frame& before, const std::vector<Island>& islands_before,
                             const Frame& now, const std::vector<Island>& islands_now) {
  std::vector<Index> island_of(static_cast<std::size_t>(before.bodies.count()), -1);
  for (std::size_t k = 0; k < islands_before.size(); ++k)
    for (Index body : islands_before[k].bodies)
      if (!before.bodies.fixed(body))
        island_of[static_cast<std::size_t>(body)] = static_cast<Index>(k);
  std::vector<Index> out(islands_now.size(), -1);
  if (before.bodies.count() != now.bodies.count()) return out;
  for (std::size_t k = 0; k < islands_now.size(); ++k)
    for (Index body : islands_now[k].bodies) {
      if (now.bodies.fixed(body)) continue;
      const Index old = island_of[static_cast<std::size_t>(body)];
      if (old >= 0 &&
          same(before, islands_before[static_cast<std::size_t>(old)], now, islands_now[k]))
        out[k] = old;
      break;
    }
  return out;
}

bool is_all(const Frame& frame, const Island& island) {
  return static_cast<Index>(island.bodies.size()) == frame.bodies.count() &&
         static_cast<Index>(island.contacts.size()) == frame.contacts.count() &&
         static_cast<Index>(island.joints.size()) == frame.joints.count();
}

Frame part(const Frame& frame, const Island& island) {
  if (is_all(frame, island)) return frame;
  Frame out;
  out.step = frame.step;
  out.time = frame.time;
  out.stepper = frame.stepper;
  copy_rows(frame.bodies, island.bodies, out.bodies, &Bodies::ids, &Bodies::masses,
            &Bodies::inertia, &Bodies::positions, &Bodies::quaternions, &Bodies::velocities,
            &Bodies::forces);
  copy_rows(frame.contacts, island.contacts, out.contacts, &Contacts::pairs, &Contacts::normals,
            &Contacts::points, &Contacts::gap, &Contacts::mu, &Contacts::points2,
            &Contacts::tangents, &Contacts::restitution, &Contacts::group, &Contacts::ids,
            &Contacts::push, &Contacts::surface_velocity);
  copy_rows(frame.joints, island.joints, out.joints, &Joints::pairs, &Joints::rows,
            &Joints::pairs2);
  copy_rows(frame.joints, island.joint_rows, out.joints, &Joints::jacobian, &Joints::bounds,
            &Joints::violation, &Joints::rate, &Joints::compliance, &Joints::jacobian2);
  for (Pairs* pairs : {&out.contacts.pairs, &out.joints.pairs, &out.joints.pairs2})
    for (Index i = 0; i < pairs->rows(); ++i)
      for (Index side : {0, 1}) {
        std::int64_t& body = (*pairs)(i, side);
        body = std::lower_bound(island.bodies.begin(), island.bodies.end(), body) -
               island.bodies.begin();
      }
  return out;
}

}  // namespace perpend::sim
