#include "capture/bullet/gathered.hpp"

#include <algorithm>

namespace perpend::capture {
namespace {

template <class T>
std::size_t held(const std::vector<T>& column) {
  return column.capacity() * sizeof(T);
}

void fill_bodies(const std::vector<BodyRow>& bodies, io::Record& record) {
  Bodies& b = record.frame.bodies;
  record.answer.velocities_plus.resize(b.count(), 6);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const BodyRow& body = bodies[i];
    const auto row = static_cast<Index>(i);
    b.masses[row] = body.mass;
    b.inertia.row(row) = body.inertia.reshaped<Eigen::RowMajor>().transpose();
    b.positions.row(row) = body.position.transpose();
    b.quaternions.row(row) = body.quaternion.transpose();
    b.velocities.row(row) = body.velocity.transpose();
    b.forces.row(row) = body.force.transpose();
    record.answer.velocities_plus.row(row) = body.plus.transpose();
  }
}

}  // namespace

void BulletGathered::clear() {
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

std::size_t BulletGathered::bytes() const {
  std::size_t of_mixed = held(mixed);
  for (const MixedGroup& one : mixed) of_mixed += held(one.bounds);
  return sizeof *this + of_mixed + held(ids) + held(bodies) + held(contacts) + held(along_o) +
         held(joints) + held(joint_rows) + held(groups) + held(started);
}

bool BulletGathered::fell_back() const {
  return std::any_of(groups.begin(), groups.end(),
                     [](const BulletGroup& group) { return group.fell_back; });
}

std::int64_t BulletGathered::iterations() const {
  std::int64_t most = 0;
  for (const BulletGroup& group : groups) {
    if (group.iterations < 0) return -1;
    most = std::max(most, group.iterations);
  }
  return most;
}

void BulletGathered::fill_mixed(const std::vector<Eigen::Vector2d>& scales, Frame& frame) const {
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

void BulletGathered::fill(io::Record& record) {
  std::vector<BodyRow> rows;
  rows.reserve(bodies.size());
  for (const BodyCopy& body : bodies) rows.push_back(body_row(body, h));
  const auto body = [&](Index i) -> const BodyRow& { return rows[static_cast<std::size_t>(i)]; };

  Integers counts;
  for (const JointOfBullet& joint : joints) counts.push_back(joint.rows);
  const auto m = static_cast<Index>(contacts.size());
  const auto r = static_cast<Index>(joint_rows.size());
  record.frame = make_frame(static_cast<Index>(bodies.size()), m, counts);
  record.frame.step = h;
  record.frame.time = time;
  record.frame.bodies.ids = ids;
  fill_bodies(rows, record);

  Contacts& k = record.frame.contacts;
  k.points2.resize(m, 3);
  k.tangents.resize(m, 6);
  k.restitution.resize(m);
  k.bias.resize(m, 3);
  k.cfm.resize(m, 3);
  k.friction_bounds.resize(m, 2);
  record.answer.z.resize(m, 3);
  start = Impulses::Zero(3 * m + r);
  std::vector<Eigen::Vector2d> scales;  // of the directions of friction
  bool rolls = false;
  for (Index i = 0; i < m; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const ContactCopy& copy = contacts[at];
    const FrictionCopy* along = at < along_o.size() ? &along_o[at] : nullptr;
    const ContactRow c = contact_row(copy, along, body(copy.first), body(copy.second));
    k.pairs.row(i) << copy.first, copy.second;
    k.gap[i] = copy.distance;
    k.mu[i] = c.mu;
    k.restitution[i] = c.restitution;
    k.normals.row(i) = c.n.transpose();
    k.tangents.row(i) << c.t.transpose(), c.o.transpose();
    k.points.row(i) = c.r1.transpose();
    k.points2.row(i) = c.r2.transpose();
    k.bias.row(i) = c.bias.transpose();
    k.cfm.row(i) = c.cfm.transpose();
    k.friction_bounds.row(i) = c.bounds.transpose();
    const Vector3d now(copy.normal.impulse, copy.along_t.row.impulse,
                       along ? along->row.impulse : 0);
    record.answer.z.row(i) = impulses(c, now).transpose();
    if (at < started.size()) start.segment<3>(3 * i) = impulses(c, started[at]);
    if (!mixed.empty()) scales.push_back(c.scale);
    rolls = rolls || copy.rolling != 0 || copy.spinning != 0;
  }
  if (rolls) {
    k.rolling_mu.resize(m);
    k.torsional_mu.resize(m);
    for (Index i = 0; i < m; ++i) {
      k.rolling_mu[i] = contacts[static_cast<std::size_t>(i)].rolling;
      k.torsional_mu[i] = contacts[static_cast<std::size_t>(i)].spinning;
    }
  }

  Joints& j = record.frame.joints;
  j.rate.resize(r);
  j.cfm.resize(r);
  j.bias.resize(r);
  record.answer.z_joints.resize(r);
  Index at = 0;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const JointOfBullet& joint = joints[i];
    j.pairs.row(static_cast<Index>(i)) << joint.first, joint.second;
    for (std::int64_t n = 0; n < joint.rows; ++n, ++at) {
      const JointCopy& copy = joint_rows[static_cast<std::size_t>(at)];
      const JointRow row = joint_row(copy, body(joint.first), body(joint.second));
      j.jacobian.row(at) = copy.jacobian.transpose();
      j.bounds.row(at) << row.lower, row.upper;
      j.violation[at] = row.violation;
      j.rate[at] = row.rate;
      j.cfm[at] = row.cfm;
      j.bias[at] = row.bias;
      record.answer.z_joints[at] = copy.row.impulse;
    }
  }
  fill_mixed(scales, record.frame);
  record.answer.iterations = iterations();
  record.answer.answered = answered;
}

}  // namespace perpend::capture
