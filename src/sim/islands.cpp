#include "sim/islands.hpp"

#include <algorithm>
#include <numeric>

#include "perpend/base.hpp"

namespace perpend::sim {
namespace {

template <class Column>
Column rows_of(const Column& column, const std::vector<Index>& rows) {
  if (column.size() == 0) return {};
  return column(rows, Eigen::all);
}

Integers rows_of(const Integers& column, const std::vector<Index>& rows) {
  Integers out;
  if (column.empty()) return out;
  out.reserve(rows.size());
  for (Index row : rows) out.push_back(column[static_cast<std::size_t>(row)]);
  return out;
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

  std::vector<Index> island_of(static_cast<std::size_t>(n), -1);
  std::vector<Island> list;
  const auto of = [&](const Pairs& pairs, Index i) {
    const Index moving = frame.bodies.fixed(pairs(i, 0)) ? pairs(i, 1) : pairs(i, 0);
    return sets.of(moving);
  };
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

Frame part(const Frame& frame, const Island& island) {
  Frame out;
  out.step = frame.step;
  out.time = frame.time;
  out.stepper = frame.stepper;
  const Bodies& b = frame.bodies;
  out.bodies.ids = rows_of(b.ids, island.bodies);
  out.bodies.masses = rows_of(b.masses, island.bodies);
  out.bodies.inertia = rows_of(b.inertia, island.bodies);
  out.bodies.positions = rows_of(b.positions, island.bodies);
  out.bodies.quaternions = rows_of(b.quaternions, island.bodies);
  out.bodies.velocities = rows_of(b.velocities, island.bodies);
  out.bodies.forces = rows_of(b.forces, island.bodies);
  const auto renumber = [&](Pairs pairs) {
    for (Index i = 0; i < pairs.rows(); ++i)
      for (Index side : {0, 1}) {
        const auto at =
            std::lower_bound(island.bodies.begin(), island.bodies.end(), pairs(i, side));
        pairs(i, side) = at - island.bodies.begin();
      }
    return pairs;
  };
  const Contacts& c = frame.contacts;
  out.contacts.pairs = renumber(rows_of(c.pairs, island.contacts));
  out.contacts.normals = rows_of(c.normals, island.contacts);
  out.contacts.points = rows_of(c.points, island.contacts);
  out.contacts.gap = rows_of(c.gap, island.contacts);
  out.contacts.mu = rows_of(c.mu, island.contacts);
  out.contacts.points2 = rows_of(c.points2, island.contacts);
  out.contacts.tangents = rows_of(c.tangents, island.contacts);
  out.contacts.restitution = rows_of(c.restitution, island.contacts);
  out.contacts.group = rows_of(c.group, island.contacts);
  out.contacts.ids = rows_of(c.ids, island.contacts);
  const Joints& j = frame.joints;
  out.joints.pairs = renumber(rows_of(j.pairs, island.joints));
  out.joints.rows = rows_of(j.rows, island.joints);
  out.joints.jacobian = rows_of(j.jacobian, island.joint_rows);
  out.joints.bounds = rows_of(j.bounds, island.joint_rows);
  out.joints.violation = rows_of(j.violation, island.joint_rows);
  out.joints.rate = rows_of(j.rate, island.joint_rows);
  return out;
}

}  // namespace perpend::sim
