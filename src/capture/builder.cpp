#include "capture/builder.hpp"

namespace perpend::capture {

RecordBuilder::RecordBuilder(io::Record& record, const Size& size, const Columns& columns, double h,
                             double time)
    : record_(record), columns_(columns) {
  Frame& f = record.frame;
  f = make_frame(size.bodies, size.contacts, size.rows_of_joints);
  f.step = h;
  f.time = time;
  Contacts& k = f.contacts;
  k.points2.resize(size.contacts, 3);
  k.tangents.resize(size.contacts, 6);
  k.bias.resize(size.contacts, 3);
  if (columns.restitution) k.restitution.resize(size.contacts);
  if (columns.cfm) k.cfm.resize(size.contacts, 3);
  if (columns.friction_bounds) k.friction_bounds.resize(size.contacts, 2);
  if (columns.rolling) k.rolling_mu.resize(size.contacts);
  if (columns.rolling) k.torsional_mu.resize(size.contacts);
  const Index rows = f.joints.row_count();
  f.joints.rate.resize(rows);
  f.joints.bias.resize(rows);
  if (columns.cfm) f.joints.cfm.resize(rows);
  if (columns.joint_ids) record.joint_ids.resize(size.rows_of_joints.size());
  record.answer.velocities_plus.resize(size.bodies, 6);
  record.answer.z.resize(size.contacts, 3);
  record.answer.z_joints.resize(rows);
}

void RecordBuilder::add(const BodyRow& body) {
  Bodies& b = record_.frame.bodies;
  const Index i = body_++;
  b.ids[static_cast<std::size_t>(i)] = body.id;
  b.masses[i] = body.mass;
  b.inertia.row(i) = body.inertia.reshaped<Eigen::RowMajor>().transpose();
  b.positions.row(i) = body.position.transpose();
  b.quaternions.row(i) = body.wxyz.transpose();
  b.velocities.row(i) = body.velocity.transpose();
  b.forces.row(i) = body.force.transpose();
  record_.answer.velocities_plus.row(i) = body.plus.transpose();
}

void RecordBuilder::add(const ContactRow& contact) {
  Contacts& k = record_.frame.contacts;
  const Index i = contact_++;
  k.pairs.row(i) << contact.first, contact.second;
  k.normals.row(i) = contact.n.transpose();
  k.tangents.row(i) << contact.t.transpose(), contact.o.transpose();
  k.points.row(i) = contact.r1.transpose();
  k.points2.row(i) = contact.r2.transpose();
  k.gap[i] = contact.gap;
  k.mu[i] = contact.mu;
  k.bias.row(i) = contact.bias.transpose();
  if (columns_.restitution) k.restitution[i] = contact.restitution;
  if (columns_.cfm) k.cfm.row(i) = contact.cfm.transpose();
  if (columns_.friction_bounds) k.friction_bounds.row(i) = contact.bounds.transpose();
  if (columns_.rolling) k.rolling_mu[i] = contact.rolling;
  if (columns_.rolling) k.torsional_mu[i] = contact.torsional;
  record_.answer.z.row(i) = contact.z.transpose();
}

void RecordBuilder::add_joint(Index first, Index second, std::int64_t id) {
  if (columns_.joint_ids) record_.joint_ids[static_cast<std::size_t>(joint_)] = id;
  record_.frame.joints.pairs.row(joint_++) << first, second;
}

void RecordBuilder::add(const JointRow& row) {
  Joints& j = record_.frame.joints;
  const Index i = row_++;
  j.jacobian.row(i) << row.on_first.transpose(), row.on_second.transpose();
  j.bounds.row(i) << row.lower, row.upper;
  j.violation[i] = row.violation;
  j.rate[i] = row.rate;
  j.bias[i] = row.bias;
  if (columns_.cfm) j.cfm[i] = row.cfm;
  record_.answer.z_joints[i] = row.z;
}

}  // namespace perpend::capture
