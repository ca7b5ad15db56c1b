#include "solve/kit/parts.hpp"

#include <algorithm>

#include "perpend/base.hpp"
#include "system/select.hpp"

namespace perpend {
namespace {

// Fixed bodies connect nothing.
std::vector<bool> moving_bodies(const System& s, const BodySpace& a) {
  std::vector<bool> moving(static_cast<std::size_t>(a.bodies), false);
  if (s.dynamics && !s.dynamics->body_column.empty()) {
    for (std::size_t i = 0; i < moving.size(); ++i) moving[i] = s.dynamics->body_column[i] >= 0;
    return moving;
  }
  const auto look = [&](const auto& row) {
    if (!row.w1.isZero(0)) moving[static_cast<std::size_t>(row.first)] = true;
    if (!row.w2.isZero(0)) moving[static_cast<std::size_t>(row.second)] = true;
  };
  for (const BodySpace::Contact& c : a.contacts) look(c);
  for (const BodySpace::JointRow& q : a.joints) look(q);
  for (const BodySpace::JointRow& q : a.others) look(q);
  return moving;
}

DisjointSets connected(const System& s) {
  DisjointSets sets(s.contacts() + s.joint_rows());
  if (const Blocks* a = std::get_if<Blocks>(&s.A)) {
    for (Index i = 0; i < a->block_rows(); ++i)
      for (Index e = a->row_start[static_cast<std::size_t>(i)];
           e < a->row_start[static_cast<std::size_t>(i) + 1]; ++e)
        if (const Index j = a->column[static_cast<std::size_t>(e)]; j != i) sets.join(i, j);
    return sets;
  }
  const BodySpace& a = std::get<BodySpace>(s.A);
  const std::vector<bool> moving = moving_bodies(s, a);
  std::vector<Index> first(moving.size(), -1);  // row at each body
  const auto touch = [&](Index row, Index body) {
    if (!moving[static_cast<std::size_t>(body)]) return;
    Index& other = first[static_cast<std::size_t>(body)];
    if (other < 0)
      other = row;
    else
      sets.join(other, row);
  };
  const auto touch_both = [&](Index row, const auto& bodies) {
    touch(row, bodies.first);
    touch(row, bodies.second);
  };
  Index row = 0;
  for (const BodySpace::Contact& c : a.contacts) touch_both(row++, c);
  for (const BodySpace::JointRow& q : a.joints) {
    for (const BodySpace::JointRow* pair = &q; pair; pair = a.other(*pair)) touch_both(row, *pair);
    ++row;
  }
  return sets;
}

// BodyNames of a part and its fixed ones, numbered anew in the order of their rows.
struct BodyNames {
  std::vector<Index> renamed, kept;
  explicit BodyNames(Index count) : renamed(static_cast<std::size_t>(count), -1) {}
  Index operator()(Index body) {
    Index& name = renamed[static_cast<std::size_t>(body)];
    if (name < 0) {
      name = static_cast<Index>(kept.size());
      kept.push_back(body);
    }
    return name;
  }
};

Dynamics dynamics_of(const Dynamics& d, const BodyNames& bodies) {
  Dynamics out;
  std::vector<Index> columns;
  for (const Index body : bodies.kept) {
    const Index at = d.body_column[static_cast<std::size_t>(body)];
    out.body_column.push_back(at < 0 ? -1 : static_cast<Index>(columns.size()));
    for (Index k = 0; at >= 0 && k < 6; ++k) columns.push_back(at + k);
  }
  out.velocity = d.velocity(columns);
  out.free_velocity = d.free_velocity(columns);
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t row = 0; row < columns.size(); ++row)
    for (SparseMatrix::InnerIterator it(d.mass, columns[row]); it; ++it) {
      const std::size_t first = row - row % 6;  // a body's mass is one block
      entries.emplace_back(static_cast<int>(row),
                           static_cast<int>(first + static_cast<std::size_t>(it.col() % 6)),
                           it.value());
    }
  const Index size = static_cast<Index>(columns.size());
  out.mass.resize(size, size);
  out.mass.setFromTriplets(entries.begin(), entries.end());
  return out;
}

}  // namespace

Parts parts_of(const System& s) {
  const Index count = s.contacts() + s.joint_rows();
  DisjointSets sets = connected(s);
  std::vector<Index> label(static_cast<std::size_t>(count));
  std::vector<std::size_t> sizes;
  for (Index i = 0; i < count; ++i) {
    const Index smallest = sets.of(i);
    Index& mine = label[static_cast<std::size_t>(i)];
    if (smallest == i) {
      mine = static_cast<Index>(sizes.size());
      sizes.push_back(0);
    } else {
      mine = label[static_cast<std::size_t>(smallest)];
    }
    ++sizes[static_cast<std::size_t>(mine)];
  }
  Parts out;
  out.start.push_back(0);
  for (const std::size_t size : sizes) out.start.push_back(out.start.back() + size);
  std::vector<std::size_t> next(out.start.begin(), out.start.end() - 1);
  out.rows.resize(label.size());
  for (std::size_t i = 0; i < label.size(); ++i)
    out.rows[next[static_cast<std::size_t>(label[i])]++] = static_cast<Index>(i);
  return out;
}

System part(const System& s, std::span<const Index> rows) {
  const Index m = s.contacts();
  std::vector<Index> contacts, joints, scalar;
  for (const Index row : rows) {
    if (row < m)
      contacts.push_back(row);
    else
      joints.push_back(row - m);
    for (Index k = 0; k < (row < m ? 3 : 1); ++k)
      scalar.push_back((row < m ? 3 * row : 2 * m + row) + k);
  }
  System out;
  if (const Blocks* blocks = std::get_if<Blocks>(&s.A)) {
    out.A = select_rows(*blocks, rows);
  } else {
    const BodySpace& whole = std::get<BodySpace>(s.A);
    BodySpace& a = out.A.emplace<BodySpace>();
    BodyNames bodies(whole.bodies);
    const auto take = [&](auto row) {
      row.first = bodies(row.first);
      row.second = bodies(row.second);
      return row;
    };
    for (const Index i : contacts)
      a.contacts.push_back(take(whole.contacts[static_cast<std::size_t>(i)]));
    for (const Index j : joints) {
      BodySpace::JointRow& q =
          a.joints.emplace_back(take(whole.joints[static_cast<std::size_t>(j)]));
      if (q.other < 0) continue;
      a.others.push_back(take(whole.others[static_cast<std::size_t>(q.other)]));
      q.other = static_cast<Index>(a.others.size()) - 1;
    }
    a.bodies = static_cast<Index>(bodies.kept.size());
    if (whole.cfm.size()) a.cfm = whole.cfm(scalar);
    if (s.dynamics && !s.dynamics->body_column.empty())
      out.dynamics = dynamics_of(*s.dynamics, bodies);
  }
  out.b = s.b(scalar);
  out.mu = s.mu(contacts);
  out.lower = s.lower(joints);
  out.upper = s.upper(joints);
  out.step = s.step;
  if (s.gap.size()) out.gap = s.gap(contacts);
  if (s.c.size()) out.c = s.c(scalar);
  if (s.carried.size()) out.carried = s.carried(scalar);
  if (s.resting_acceleration.size()) out.resting_acceleration = s.resting_acceleration(contacts);
  if (s.normal_velocity.size()) out.normal_velocity = s.normal_velocity(contacts);
  if (s.friction_bounds.rows()) out.friction_bounds = s.friction_bounds(contacts, Eigen::all);
  return out;
}

Impulses gather(const System& whole, std::span<const Index> rows, const Impulses& lambda) {
  const Index m = whole.contacts();
  Impulses out(static_cast<Index>(3 * rows.size()));
  Index at = 0;
  for (const Index row : rows)
    for (Index k = 0; k < (row < m ? 3 : 1); ++k)
      out[at++] = lambda[(row < m ? 3 * row : 2 * m + row) + k];
  out.conservativeResize(at);
  return out;
}

void scatter(const System& whole, std::span<const Index> rows, const Impulses& part,
             Impulses& lambda) {
  const Index m = whole.contacts();
  Index at = 0;
  for (const Index row : rows)
    for (Index k = 0; k < (row < m ? 3 : 1); ++k)
      lambda[(row < m ? 3 * row : 2 * m + row) + k] = part[at++];
}

}  // namespace perpend
