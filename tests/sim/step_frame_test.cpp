#include "sim/step_frame.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <limits>
#include <set>

namespace perpend::sim {
namespace step_frame_test {

constexpr double kH = 0.01;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// A floor with the id 5 below a body with the id 6 at (1, 2, 3).
Bodies two_bodies() {
  Bodies bodies = make_frame(2, 0).bodies;
  bodies.ids = {5, 6};
  bodies.masses << 0, 2;
  bodies.positions.row(0) << 0, 0, -1;
  bodies.positions.row(1) << 1, 2, 3;
  return bodies;
}

Touch touch(double gap, std::uint64_t feature) {
  Touch t{};
  t.point.first = Vector3d(1, 2, 0);
  t.point.second = Vector3d(1, 2, gap);
  t.point.normal = Vector3d::UnitZ();
  t.point.gap = gap;
  t.point.feature = feature;
  t.mu = 0.3;
  t.tangents = {Vector3d::UnitX(), Vector3d::UnitY()};
  return t;
}

TEST(StepFrame, OfTwoBodiesAndOneTouch) {
  const Touches touches{{{nullptr, 0, 1, 0, 1}}, {touch(0.25, 1)}};
  const Frame frame = step_frame(two_bodies(), touches, {}, kH, Stepper::ap, kInfinity);
  EXPECT_EQ(invalid(frame), "");
  EXPECT_EQ(frame.step, kH);
  EXPECT_EQ(frame.stepper, Stepper::ap);
  EXPECT_EQ(frame.bodies.ids, (Integers{5, 6}));
  ASSERT_EQ(frame.contacts.count(), 1);
  EXPECT_EQ(frame.contacts.pairs.row(0), (Eigen::Matrix<std::int64_t, 1, 2>(0, 1)));
  EXPECT_EQ(frame.contacts.points.row(0), Eigen::RowVector3d(1, 2, 1)) << "from the floor's centre";
  EXPECT_EQ(frame.contacts.normals.row(0), Eigen::RowVector3d(0, 0, 1));
  EXPECT_EQ(frame.contacts.tangents(0, 0), 1);
  EXPECT_EQ(frame.contacts.tangents(0, 4), 1);
  EXPECT_EQ(frame.contacts.gap[0], 0.25);
  EXPECT_EQ(frame.contacts.mu[0], 0.3);
  EXPECT_EQ(frame.contacts.restitution.size(), 0) << "nothing bounces";
  EXPECT_TRUE(frame.contacts.group.empty());
  EXPECT_EQ(frame.joints.row_count(), 0);
}

TEST(StepFrame, OverlapsOpenNoFasterThanTheyMay) {
  const Touches touches{{{nullptr, 0, 1, 0, 2}}, {touch(-0.5, 1), touch(-0.001, 2)}};
  const Frame frame = step_frame(two_bodies(), touches, {}, kH, Stepper::st, 2);
  EXPECT_EQ(frame.contacts.gap, Eigen::Vector2d(-0.5, -0.001)) << "what the geometry says";
  EXPECT_EQ(frame.contacts.push, Eigen::Vector2d(-0.02, -0.001)) << "what the step is asked for";
  const Frame all = step_frame(two_bodies(), touches, {}, kH, Stepper::st, kInfinity);
  EXPECT_EQ(all.contacts.gap[0], -0.5);
  EXPECT_EQ(all.contacts.push.size(), 0);
}

// Relative velocity of the contact when the second body's is (v, w).
Vector3d slip(const Frame& frame, const Vector3d& v, const Vector3d& w) {
  const auto& c = frame.contacts;
  const Vector3d spin = frame.bodies.velocities.row(0).tail<3>().transpose();
  const Vector3d r1 = c.points.row(0).transpose(), r2 = second_point(frame, 0);
  return v + w.cross(r2) - spin.cross(r1) + Vector3d(c.surface_velocity.row(0));
}

// The floor of two_bodies() turns. A body goes around with it, from its place (1, 2) off the axis.
Vector3d chord(double angle) {
  return Vector3d(std::cos(angle) - 1 - 2 * std::sin(angle),
                  std::sin(angle) + 2 * (std::cos(angle) - 1), 0) /
         kH;
}

TEST(StepFrame, ATurningTableCarriesAlongTheChord) {
  const double angle = 20 * kH;
  const Vector3d spin(0, 0, 20);
  Bodies bodies = two_bodies();
  for (Index i : {0, 1}) bodies.velocities.row(i).tail<3>() = spin.transpose();
  bodies.velocities.row(1).head<3>() = -chord(-angle).transpose();  // by which it came
  const Touches touches{{{nullptr, 0, 1, 0, 1}}, {touch(0, 1)}};
  const Frame frame = step_frame(bodies, touches, {}, kH, Stepper::st, kInfinity);
  EXPECT_EQ(invalid(frame), "");
  ASSERT_EQ(frame.contacts.surface_velocity.rows(), 1);
  EXPECT_EQ(frame.contacts.points.row(0), Eigen::RowVector3d(1, 2, 1)) << "where it is";
  EXPECT_EQ(frame.contacts.points2.rows(), 0);
  EXPECT_LT(slip(frame, chord(angle), spin).norm(), 1e-13);
  EXPECT_GT(slip(frame, spin.cross(Vector3d(1, 2, 0)), spin).norm(), 1) << "the tangent";
}

TEST(StepFrame, ATableThatTurnsAwayUnderABodyHasTheVelocityOfNow) {
  Bodies bodies = two_bodies();
  bodies.velocities.row(0).tail<3>() << 0, 0, 20;
  const Touches touches{{{nullptr, 0, 1, 0, 1}}, {touch(0, 1)}};
  for (double speed : {0.0, -5.0}) {  // at rest in the room, or the other way round
    bodies.velocities.row(1).head<3>() = speed * Eigen::RowVector3d(-2, 1, 0);
    const Frame frame = step_frame(bodies, touches, {}, kH, Stepper::st, kInfinity);
    EXPECT_EQ(frame.contacts.surface_velocity.rows(), 0);
  }
}

TEST(StepFrame, ARollerCarriesStraightAhead) {
  Bodies bodies = two_bodies();
  bodies.positions.row(0) << 1, 2, -1;  // its axis, below the contact
  bodies.velocities.row(0).tail<3>() << 0, 20, 0;
  const Touches touches{{{nullptr, 0, 1, 0, 1}}, {touch(0, 1)}};
  const Frame frame = step_frame(bodies, touches, {}, kH, Stepper::st, kInfinity);
  EXPECT_EQ(frame.contacts.surface_velocity.rows(), 0);
}

TEST(StepFrame, WithoutTurningSurfacesHasNoSurfaceVelocity) {
  Bodies bodies = two_bodies();
  bodies.velocities.row(0).head<3>() << 1, 0, 0;
  bodies.velocities.row(1).tail<3>() << 0, 0, 20;
  const Touches touches{{{nullptr, 0, 1, 0, 1}}, {touch(0, 1)}};
  const Frame frame = step_frame(bodies, touches, {}, kH, Stepper::st, kInfinity);
  EXPECT_EQ(frame.contacts.surface_velocity.rows(), 0);
}

TEST(StepFrame, ContactsHaveIdsOfTheirBodiesAndFeatures) {
  const Touches touches{{{nullptr, 0, 1, 0, 2}}, {touch(0, 1), touch(0, 2)}};
  Bodies others = two_bodies();
  others.ids = {6, 5};
  std::set<std::int64_t> ids;
  for (const Bodies& bodies : {two_bodies(), others})
    for (std::int64_t id : contact_columns(touches, bodies, 0).ids) {
      EXPECT_GE(id, 0);
      ids.insert(id);
    }
  EXPECT_EQ(ids.size(), 4u);
  EXPECT_EQ(contact_columns(touches, two_bodies(), 0).ids,
            contact_columns(touches, two_bodies(), 1).ids);
}

TEST(StepFrame, AlternativesShareAGroupWithinAPair) {
  Touches touches{{{nullptr, 0, 1, 0, 4}, {nullptr, 0, 1, 4, 1}},
                  {touch(0, 1), touch(0, 2), touch(0, 3), touch(0, 4), touch(0, 5)}};
  touches.list[1].point.group = touches.list[2].point.group = 77;
  touches.list[3].point.group = touches.list[4].point.group = 88;
  touches.list[4].restitution = 0.5;
  const Contacts contacts = contact_columns(touches, two_bodies(), 0);
  EXPECT_EQ(contacts.group, (Integers{-1, 0, 0, 1, 2})) << "a label of another pair is another";
  ASSERT_EQ(contacts.restitution.size(), 5);
  EXPECT_EQ(contacts.restitution[0], 0);
  EXPECT_EQ(contacts.restitution[4], 0.5);
}

TEST(StepFrame, JointsToTheWorldGiveItARow) {
  HeldJoints joints;
  joints.world = true;
  joints.rows.resize(3);
  for (std::size_t r = 0; r < 3; ++r) {
    JointRow& row = joints.rows[r];
    row.jacobian.setConstant(static_cast<double>(r));
    row.violation = 0.1 * static_cast<double>(r);
    row.rate = -1;
    row.lower = r == 2 ? 0 : -kInfinity;
    row.upper = kInfinity;
  }
  joints.list = {{nullptr, 2, 1, 0, 2}, {nullptr, 0, 1, 2, 1}};
  const Frame frame = step_frame(two_bodies(), {}, joints, kH, Stepper::st, kInfinity);
  EXPECT_EQ(invalid(frame), "");
  ASSERT_EQ(frame.bodies.count(), 3);
  EXPECT_EQ(frame.bodies.ids, (Integers{5, 6, -1}));
  EXPECT_TRUE(frame.bodies.fixed(2));
  EXPECT_EQ(frame.bodies.masses[1], 2);
  EXPECT_EQ(frame.bodies.positions.row(2), Eigen::RowVector3d(0, 0, 0));
  EXPECT_EQ(frame.joints.rows, (Integers{2, 1}));
  EXPECT_EQ(frame.joints.pairs(0, 0), 2);
  EXPECT_EQ(frame.joints.jacobian(1, 11), 1);
  EXPECT_EQ(frame.joints.violation[2], 0.2);
  EXPECT_EQ(frame.joints.bounds(2, 0), 0);
  EXPECT_EQ(frame.joints.rate[0], -1);
}

}  // namespace step_frame_test
}  // namespace perpend::sim
