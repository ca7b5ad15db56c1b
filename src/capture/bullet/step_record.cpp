#include "capture/bullet/step_record.hpp"

#include <algorithm>

namespace perpend::capture::from_bullet {
namespace {

template <class T>
std::size_t held(const std::vector<T>& column) {
  return column.capacity() * sizeof(T);
}

}  // namespace

void BulletStepRecord::clear() {
  ids.clear();
  bodies.clear();
  contacts.clear();
  along_o.clear();
  joints.clear();
  joint_rows.clear();
  groups.clear();
  mixed.clear();
  started.clear();
  h = 0;
}

std::size_t BulletStepRecord::bytes() const {
  std::size_t of_mixed = held(mixed);
  for (const MixedGroup& one : mixed) of_mixed += held(one.bounds);
  return sizeof *this + of_mixed + held(ids) + held(bodies) + held(contacts) + held(along_o) +
         held(joints) + held(joint_rows) + held(groups) + held(started);
}

bool BulletStepRecord::fell_back() const {
  return std::any_of(groups.begin(), groups.end(),
                     [](const BulletGroup& group) { return group.fell_back; });
}

std::int64_t BulletStepRecord::iterations() const {
  std::int64_t most = 0;
  for (const BulletGroup& group : groups) {
    if (group.iterations < 0) return -1;
    most = std::max(most, group.iterations);
  }
  return most;
}

void BulletStepRecord::fill_mixed(const std::vector<Eigen::Vector2d>& scales, Frame& frame) const {
  for (const MixedGroup& one : mixed) {
    const BulletGroup& group = one.group;
    for (Index k = 0; k < group.contacts; ++k) {
      const Index row = group.first_contact + k;
      frame.contacts.cfm(row, 0) = mixed_cfm;
      for (Index d = 0; d < 2; ++d)
        if (const double scale = scales[static_cast<std::size_t>(row)][d]; scale > 0) {
          frame.contacts.cfm(row, d + 1) = mixed_cfm / (scale * scale);
          frame.contacts.friction_bounds(row, d) =
              scale * one.bounds[static_cast<std::size_t>(k)][d];
        }
    }
    frame.joints.cfm.segment(group.first_joint_row, group.joint_rows).setConstant(mixed_cfm);
  }
}

void BulletStepRecord::fill(io::Record& record) {
  std::vector<BulletBody> rows;
  rows.reserve(bodies.size());
  for (const EngineBody& body : bodies) rows.push_back(body_row(body, h));
  const auto body = [&](Index i) -> const BulletBody& { return rows[static_cast<std::size_t>(i)]; };
  Integers counts;
  for (const JointOfBullet& joint : joints) counts.push_back(joint.rows);
  RecordBuilder::Columns columns;
  columns.rolling = std::any_of(contacts.begin(), contacts.end(), [](const EngineContact& copy) {
    return copy.rolling != 0 || copy.spinning != 0;
  });
  columns.joint_ids = std::any_of(joints.begin(), joints.end(),
                                  [](const JointOfBullet& joint) { return joint.id >= 0; });
  const auto m = static_cast<Index>(contacts.size());
  RecordBuilder builder(record, {static_cast<Index>(bodies.size()), m, counts}, columns, h, time);

  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].id = ids[i];
    builder.add(rows[i]);
  }
  start = Impulses::Zero(3 * m + static_cast<Index>(joint_rows.size()));
  std::vector<Eigen::Vector2d> scales;  // of the directions of friction
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const EngineContact& copy = contacts[i];
    const BulletContact contact = contact_row(copy, i < along_o.size() ? &along_o[i] : nullptr,
                                              body(copy.first), body(copy.second));
    builder.add(contact);
    if (i < started.size())
      start.segment<3>(3 * static_cast<Index>(i)) = impulses(contact, started[i]);
    if (!mixed.empty()) scales.push_back(contact.scale);
  }
  std::size_t row = 0;
  for (const JointOfBullet& joint : joints) {
    builder.add_joint(joint.first, joint.second, joint.id);
    for (std::int64_t k = 0; k < joint.rows; ++k)
      builder.add(joint_row(joint_rows[row++], body(joint.first), body(joint.second)));
  }
  fill_mixed(scales, record.frame);
  record.answer.iterations = iterations();
  record.answer.answered = answered;
}

}  // namespace perpend::capture::from_bullet
