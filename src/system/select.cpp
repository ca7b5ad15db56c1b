#include "system/select.hpp"

namespace perpend {
namespace {

std::vector<Index> rows_of(const System& s, const std::vector<Index>& kept) {
  std::vector<Index> rows;
  rows.reserve(3 * kept.size() + static_cast<std::size_t>(s.joint_rows()));
  for (Index i : kept)
    for (Index k = 0; k < 3; ++k) rows.push_back(3 * i + k);
  for (Index j = 0; j < s.joint_rows(); ++j) rows.push_back(3 * s.contacts() + j);
  return rows;
}

BodySpace select(const BodySpace& a, const std::vector<Index>& kept,
                 const std::vector<Index>& rows) {
  BodySpace out{a.bodies, {}, a.joints, a.others, {}};
  out.contacts.reserve(kept.size());
  for (Index i : kept) out.contacts.push_back(a.contacts[static_cast<std::size_t>(i)]);
  if (a.cfm.size()) out.cfm = a.cfm(rows);
  return out;
}

Blocks select(const Blocks& a, const std::vector<Index>& kept, const std::vector<Index>&) {
  std::vector<Index> rows = kept;
  for (Index j = a.contacts; j < a.block_rows(); ++j) rows.push_back(j);
  return select_rows(a, rows);
}

}  // namespace

Blocks select_rows(const Blocks& a, std::span<const Index> rows) {
  std::vector<Index> renamed(static_cast<std::size_t>(a.block_rows()), -1);
  Blocks out;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    renamed[static_cast<std::size_t>(rows[k])] = static_cast<Index>(k);
    ++(rows[k] < a.contacts ? out.contacts : out.joint_rows);
  }
  out.row_start.push_back(0);
  for (const Index row : rows) {
    for (Index e = a.row_start[static_cast<std::size_t>(row)];
         e < a.row_start[static_cast<std::size_t>(row) + 1]; ++e) {
      const Index old_column = a.column[static_cast<std::size_t>(e)];
      const Index column = renamed[static_cast<std::size_t>(old_column)];
      if (column < 0) continue;
      if (old_column == row) out.diagonal.push_back(static_cast<Index>(out.column.size()));
      out.column.push_back(column);
      out.offset.push_back(static_cast<Index>(out.values.size()));
      const auto first = a.values.begin() + a.offset[static_cast<std::size_t>(e)];
      out.values.insert(out.values.end(), first,
                        first + a.dimension(row) * a.dimension(old_column));
    }
    out.row_start.push_back(static_cast<Index>(out.column.size()));
  }
  return out;
}

System select_contacts(const System& s, const std::vector<Index>& kept) {
  const std::vector<Index> rows = rows_of(s, kept);
  System out;
  out.A = std::visit(
      [&](const auto& form) -> std::variant<BodySpace, Blocks> { return select(form, kept, rows); },
      s.A);
  out.b = s.b(rows);
  out.mu = s.mu(kept);
  out.lower = s.lower;
  out.upper = s.upper;
  out.step = s.step;
  if (s.gap.size()) out.gap = s.gap(kept);
  if (s.c.size()) out.c = s.c(rows);
  if (s.carried.size()) out.carried = s.carried(rows);
  if (s.resting_acceleration.size()) out.resting_acceleration = s.resting_acceleration(kept);
  if (s.normal_velocity.size()) out.normal_velocity = s.normal_velocity(kept);
  if (s.friction_bounds.rows()) out.friction_bounds = s.friction_bounds(kept, Eigen::all);
  for (Index i : kept)
    if (!s.frame_contact.empty())
      out.frame_contact.push_back(s.frame_contact[static_cast<std::size_t>(i)]);
  out.frame_contacts = s.frame_contacts;
  out.dynamics = s.dynamics;
  if (out.dynamics && out.dynamics->generalized_jacobian.rows()) {
    SparseMatrix pick(static_cast<Index>(rows.size()), s.rows());
    for (std::size_t i = 0; i < rows.size(); ++i) pick.insert(static_cast<Index>(i), rows[i]) = 1;
    out.dynamics->generalized_jacobian = pick * s.dynamics->generalized_jacobian;
    out.dynamics->generalized_response = s.dynamics->generalized_response * pick.transpose();
  }
  return out;
}

}  // namespace perpend
