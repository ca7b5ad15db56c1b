// The record that is built of rows: every number at its place, columns that an engine has not left
// out.
#include "capture/builder.hpp"

#include <gtest/gtest.h>

#include "perpend/capture.hpp"

namespace perpend::capture {
namespace builder_test {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// A box of 2 kg rests on a floor: four newtons of weight over h = 0.5 s, held by one contact.
BodyRow floor_row() {
  BodyRow out;
  out.id = 10;
  return out;
}
BodyRow box_row() {
  BodyRow out;
  out.id = 11;
  out.mass = 2;
  out.inertia << 1, 0.1, 0.2, 0.1, 3, 0.3, 0.2, 0.3, 5;
  out.position << 0, 0, 1;
  out.wxyz << 0.5, 0.5, -0.5, 0.5;
  out.velocity << 0, 0, 0, 1, 2, 3;
  out.force << 0, 0, -4, 0, 0, 0;
  out.plus = out.velocity;
  return out;
}
ContactRow contact_row() {
  ContactRow out;
  out.first = 0;
  out.second = 1;
  out.n << 0, 0, 1;
  out.t << 1, 0, 0;
  out.o << 0, 1, 0;
  out.r1 << 0, 0, 0.25;
  out.r2 << 0, 0, -0.75;
  out.gap = -0.001;
  out.mu = 0.6;
  out.restitution = 0.2;
  out.rolling = 0.01;
  out.torsional = 0.02;
  out.bias << 0.1, 0.2, 0.3;
  out.cfm << 1e-3, 2e-3, 3e-3;
  out.z << 2, 0, 0;
  out.bounds << 7, kInfinity;
  return out;
}
JointRow motor_row() {
  JointRow out;
  out.on_first << 1, 2, 3, 4, 5, 6;
  out.on_second << 7, 8, 9, 10, 11, 12;
  out.lower = -13;
  out.upper = 14;
  out.violation = 15;
  out.rate = 16;
  out.bias = 17;
  out.cfm = 18;
  out.z = 19;
  return out;
}

io::Record built(const RecordBuilder::Columns& columns) {
  io::Record record;
  RecordBuilder builder(record, {2, 1, {2}}, columns, 0.5, 3.0);
  builder.add(floor_row());
  builder.add(box_row());
  builder.add(contact_row());
  builder.add_joint(1, 0);
  builder.add(JointRow());
  builder.add(motor_row());
  return record;
}

TEST(RecordBuilder, BodiesAreRowsOfTheFrame) {
  const io::Record record = built({});
  const Bodies& b = record.frame.bodies;
  EXPECT_EQ(record.frame.step, 0.5);
  EXPECT_EQ(record.frame.time, 3.0);
  EXPECT_EQ(b.ids, (Integers{10, 11}));
  EXPECT_TRUE(b.fixed(0));
  EXPECT_EQ(b.masses[1], 2);
  Rows<9> inertia(2, 9);
  inertia << 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0.1, 0.2, 0.1, 3, 0.3, 0.2, 0.3, 5;
  EXPECT_EQ(b.inertia, inertia);
  EXPECT_EQ(b.positions(1, 2), 1);
  EXPECT_EQ(b.quaternions.row(0), (Eigen::RowVector4d(1, 0, 0, 0)));
  EXPECT_EQ(b.quaternions.row(1), (Eigen::RowVector4d(0.5, 0.5, -0.5, 0.5)));
  EXPECT_EQ(b.velocities(1, 5), 3);
  EXPECT_EQ(b.forces(1, 2), -4);
  EXPECT_EQ(record.answer.velocities_plus.row(1), b.velocities.row(1));
}

TEST(RecordBuilder, ContactsAreRowsOfTheFrameAndOfTheAnswer) {
  RecordBuilder::Columns columns;
  columns.rolling = true;
  const io::Record record = built(columns);
  const Contacts& k = record.frame.contacts;
  EXPECT_EQ(k.pairs(0, 0), 0);
  EXPECT_EQ(k.pairs(0, 1), 1);
  EXPECT_EQ(k.normals.row(0), (Eigen::RowVector3d(0, 0, 1)));
  EXPECT_EQ(k.tangents(0, 0), 1);
  EXPECT_EQ(k.tangents(0, 4), 1);
  EXPECT_EQ(k.points(0, 2), 0.25);
  EXPECT_EQ(k.points2(0, 2), -0.75);
  EXPECT_EQ(k.gap[0], -0.001);
  EXPECT_EQ(k.mu[0], 0.6);
  EXPECT_EQ(k.restitution[0], 0.2);
  EXPECT_EQ(k.rolling_mu[0], 0.01);
  EXPECT_EQ(k.torsional_mu[0], 0.02);
  EXPECT_EQ(k.bias.row(0), (Eigen::RowVector3d(0.1, 0.2, 0.3)));
  EXPECT_EQ(k.cfm.row(0), (Eigen::RowVector3d(1e-3, 2e-3, 3e-3)));
  EXPECT_EQ(k.friction_bounds.row(0), (Eigen::RowVector2d(7, kInfinity)));
  EXPECT_EQ(record.answer.z.row(0), (Eigen::RowVector3d(2, 0, 0)));
}

TEST(RecordBuilder, JointRowsFollowTheirJoint) {
  const io::Record record = built({});
  const Joints& j = record.frame.joints;
  EXPECT_EQ(j.rows, (Integers{2}));
  EXPECT_EQ(j.pairs(0, 0), 1);
  EXPECT_EQ(j.pairs(0, 1), 0);
  EXPECT_TRUE(j.jacobian.row(0).isZero(0));
  EXPECT_EQ(j.bounds.row(0), (Eigen::RowVector2d(-kInfinity, kInfinity)));
  for (Index k = 0; k < 12; ++k) EXPECT_EQ(j.jacobian(1, k), static_cast<double>(k + 1));
  EXPECT_EQ(j.bounds.row(1), (Eigen::RowVector2d(-13, 14)));
  EXPECT_EQ(j.violation[1], 15);
  EXPECT_EQ(j.rate[1], 16);
  EXPECT_EQ(j.bias[1], 17);
  EXPECT_EQ(j.cfm[1], 18);
  EXPECT_EQ(record.answer.z_joints, Eigen::Vector2d(0, 19));
}

TEST(RecordBuilder, LeavesOutColumnsThatAnEngineHasNot) {
  EXPECT_EQ(built({}).frame.contacts.rolling_mu.size(), 0);
  RecordBuilder::Columns none;
  none.restitution = none.cfm = none.friction_bounds = false;
  const Frame frame = built(none).frame;
  EXPECT_EQ(frame.contacts.restitution.size(), 0);
  EXPECT_EQ(frame.contacts.cfm.rows(), 0);
  EXPECT_EQ(frame.contacts.friction_bounds.rows(), 0);
  EXPECT_EQ(frame.contacts.torsional_mu.size(), 0);
  EXPECT_EQ(frame.joints.cfm.size(), 0);
  EXPECT_EQ(frame.contacts.bias.rows(), 1);
  EXPECT_EQ(frame.joints.rate.size(), 2);
}

// The weight of four newtons over half a second is the two newton seconds of the contact.
TEST(RecordBuilder, ClosesTheMomentumOfARestingBox) {
  io::Record record;
  RecordBuilder builder(record, {2, 1, {}}, {}, 0.5, 0);
  BodyRow box = box_row();
  box.velocity.setZero();
  box.plus.setZero();
  builder.add(floor_row());
  builder.add(box);
  builder.add(contact_row());
  EXPECT_EQ(invalid(record.frame), "");
  EXPECT_EQ(momentum_gap(record), 0);
}

// What an engine wrote before is gone.
TEST(RecordBuilder, ReplacesTheFrameOfARecordThatIsUsedAgain) {
  io::Record record = built({});
  RecordBuilder(record, {0, 0, {}}, {}, 0.25, 1);
  EXPECT_EQ(record.frame.bodies.count(), 0);
  EXPECT_EQ(record.frame.contacts.count(), 0);
  EXPECT_EQ(record.frame.joints.row_count(), 0);
  EXPECT_EQ(record.answer.z.rows(), 0);
  EXPECT_EQ(record.frame.step, 0.25);
}

}  // namespace builder_test
}  // namespace perpend::capture
