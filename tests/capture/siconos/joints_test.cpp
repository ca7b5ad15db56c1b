// Joints recorded from Siconos: forces that are known by hand, and its problem of contacts and
// joints solved by a method of ours.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "capture/proof.hpp"
#include "capture/robots.hpp"
#include "capture/siconos/own_rows.hpp"
#include "capture/siconos/record.hpp"
#include "perpend/solve.hpp"

namespace perpend::capture::from_siconos {
namespace joints_test {

constexpr double kG = 9.81, kMass = 2,
                 kArm = 0.5;  // the pendulum's centre is kArm beside its pivot
const Vector3d kSize(1, 0.2, 0.1);
// About the pivot, axis y: that of a box about its centre, and Steiner's part.
const double kInertia = kMass * ((1 + 0.01) / 12 + kArm * kArm);

// A box beside a pivot at the origin that turns it about y; positive angles lower it. The pivot's
// other side is the world, or a body that stands still, as the first or the second of the joint.
enum class Side { world_first, body_first, world_second, body_second };
Scene pendulum(Side side, double h = 0.01) {
  Scene scene;
  scene.name = "pendulum";
  scene.step = h;
  Body box;
  box.name = "box";
  box.shape.half_extents = kSize / 2;
  box.mass = kMass;
  box.pose.position = {kArm, 0, 0};
  scene.bodies.push_back(box);
  Body wall;
  wall.name = "wall";
  wall.shape.half_extents.setConstant(0.2);  // it overlaps the box: they do not touch each other
  scene.bodies.push_back(wall);
  Joint joint;
  joint.name = "pivot";
  const Index other = side == Side::body_first || side == Side::body_second ? 1 : -1;
  const bool reversed = side == Side::world_second || side == Side::body_second;
  joint.first = reversed ? 0 : other;
  joint.second = reversed ? other : 0;
  // z along y, so that the second turns down by positive angles; the first by negative ones.
  joint.frame.orientation =
      Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitZ(), Vector3d(0, reversed ? -1 : 1, 0));
  scene.joints.push_back(joint);
  if (other < 0) scene.bodies.pop_back();
  return scene;
}

// Force and torque about its centre of mass that all joints give to a body, of a frame.
Vector6 joint_force(const io::Record& record, std::int64_t id) {
  const Joints& j = record.frame.joints;
  Vector6 out = Vector6::Zero();
  Index row = 0;
  for (Index k = 0; k < j.count(); ++k)
    for (std::int64_t i = 0; i < j.rows[static_cast<std::size_t>(k)]; ++i, ++row)
      for (Index side = 0; side < 2; ++side)
        if (record.frame.bodies.ids[static_cast<std::size_t>(j.pairs(k, side))] == id)
          out += j.jacobian.row(row).segment<6>(6 * side).transpose() *
                 record.answer.z_joints[row] / record.frame.step;
  return out;
}
// Impulse of the only row with such bounds, over h.
double force_between(const io::Record& record, double lower, double upper) {
  double found = std::numeric_limits<double>::quiet_NaN();
  for (Index row = 0; row < record.frame.joints.row_count(); ++row)
    if (record.frame.joints.bounds(row, 0) == lower && record.frame.joints.bounds(row, 1) == upper)
      found = record.answer.z_joints[row] / record.frame.step;
  return found;
}

constexpr double kInfinity = std::numeric_limits<double>::infinity();

class Pendulum : public testing::TestWithParam<Side> {
 protected:
  const Engine engine = siconos_engine();
  io::Record first_step(const Scene& scene, const std::string& solver = "nsgs-exact") const {
    return records_of(engine, task_of(engine, scene, solver), 1).front();
  }
};
INSTANTIATE_TEST_SUITE_P(Sides, Pendulum,
                         testing::Values(Side::world_first, Side::body_first, Side::world_second,
                                         Side::body_second));

// Let go beside its pivot it turns by a = m g d/I, and the pivot carries m (g - a d). Siconos takes
// the rows at the end of the step, which an angle of a h^2/2 = 7e-8 has turned by then.
TEST_P(Pendulum, PivotCarriesWhatTheFallLeavesOfTheWeight) {
  const io::Record step = first_step(pendulum(GetParam(), 1e-4));
  const double a = kMass * kG * kArm / kInertia;
  const Vector6 force = joint_force(step, 0);
  EXPECT_NEAR(force[2], kMass * (kG - a * kArm), 1e-6);
  EXPECT_NEAR(force[0], 0, 1e-4);  // m a^2 d h: what turns the velocity
  EXPECT_NEAR(force[1], 0, 1e-12);
  EXPECT_NEAR(step.answer.velocities_plus(0, 4), a * 1e-4, 1e-9);
  EXPECT_LT(momentum_gap(step), 1e-12);
}

TEST_P(Pendulum, LimitHoldsItUp) {
  Scene scene = pendulum(GetParam());
  scene.joints[0].limits[5] = {-1, 0};
  const io::Record step = first_step(scene);
  EXPECT_NEAR(force_between(step, 0, kInfinity), kMass * kG * kArm, 1e-10);
  EXPECT_NEAR(joint_force(step, 0)[2], kMass * kG, 1e-10);
  // The pivot alone would turn it: about the centre of mass both together do nothing.
  EXPECT_NEAR(joint_force(step, 0)[4], 0, 1e-10);
  EXPECT_NEAR(step.answer.velocities_plus.row(0).norm(), 0, 1e-12);
}

TEST_P(Pendulum, MotorHoldsItUpOrLiftsItOrIsTooWeak) {
  Scene scene = pendulum(GetParam());
  const double weight = kMass * kG * kArm, h = scene.step;
  scene.joints[0].motors[5] = {true, 0, 2 * weight};
  EXPECT_NEAR(std::abs(force_between(first_step(scene), -2 * weight * h, 2 * weight * h)), weight,
              1e-10);
  // A speed it cannot reach in one step: all its torque goes into the box.
  scene.joints[0].motors[5] = {true, -5, 2 * weight};
  io::Record step = first_step(scene);
  EXPECT_NEAR(std::abs(force_between(step, -2 * weight * h, 2 * weight * h)), 2 * weight, 1e-12);
  EXPECT_NEAR(step.answer.velocities_plus(0, 4), -weight * h / kInertia, 1e-3 * h);
  scene.joints[0].motors[5] = {true, -0.01, 2 * weight};
  step = first_step(scene);
  EXPECT_NEAR(step.answer.velocities_plus(0, 4), -0.01, 1e-10);
  scene.joints[0].motors[5] = {true, 0, 0.5 * weight};
  step = first_step(scene);
  EXPECT_NEAR(step.answer.velocities_plus(0, 4), 0.5 * weight * h / kInertia, 1e-3 * h);
  EXPECT_LT(momentum_gap(step), 1e-12);
}

// The angle about z of a joint with three rotations is the hinge's; about the others it is locked.
TEST_P(Pendulum, GenericJointWithOneFreeRotationIsAHinge) {
  Scene hinge = pendulum(GetParam());
  hinge.joints[0].limits[5] = {-1, 0.3};
  Scene generic = hinge;
  Joint& joint = generic.joints[0];
  joint.type = Joint::Type::generic;
  for (std::size_t k = 0; k < 5; ++k) joint.limits[k] = {0, 0};
  const std::vector<io::Record> a = records_of(engine, task_of(engine, hinge, "nsgs-exact"), 50);
  const std::vector<io::Record> b = records_of(engine, task_of(engine, generic, "nsgs-exact"), 50);
  bool stopped = false;
  for (std::size_t k = 0; k < a.size(); ++k) {
    EXPECT_LT((a[k].answer.velocities_plus.row(0) - b[k].answer.velocities_plus.row(0)).norm(),
              1e-9)
        << k;
    const double torque = force_between(a[k], 0, kInfinity);
    if (std::isnan(torque)) continue;
    EXPECT_NEAR(torque, force_between(b[k], 0, kInfinity), 1e-6 * torque);
    stopped = true;
  }
  EXPECT_TRUE(stopped);
}

// A slider along the line of fall with a limit below, a fixed joint, a point with the body straight
// under it: each carries the weight.
TEST_P(Pendulum, OtherJointsCarryTheWeight) {
  Scene scene = pendulum(GetParam());
  Joint& joint = scene.joints[0];
  for (const Joint::Type type : {Joint::Type::slider, Joint::Type::fixed, Joint::Type::point}) {
    joint.type = type;
    const bool reversed = joint.first == 0;
    if (type == Joint::Type::slider) {
      joint.frame.orientation = Eigen::Quaterniond::FromTwoVectors(
          Vector3d::UnitZ(), Vector3d(0, 0, reversed ? 1 : -1));  // positive ways go down
      joint.limits[2] = {-1, 0};
    }
    if (type == Joint::Type::point) scene.bodies[0].pose.position = {0, 0, -kArm};
    const io::Record step = first_step(scene);
    EXPECT_NEAR(joint_force(step, 0)[2], kMass * kG, 1e-9) << name(type);
    EXPECT_NEAR(step.answer.velocities_plus.row(0).norm(), 0, 1e-10) << name(type);
    if (type == Joint::Type::slider) {
      EXPECT_NEAR(force_between(step, 0, kInfinity), kMass * kG, 1e-9);
    }
    EXPECT_LT(momentum_gap(step), 1e-12) << name(type);
  }
}

// A limit's distance is that of the moment when the step began.
TEST(SiconosJoints, DistanceToALimitShrinksByItsSpeed) {
  const Engine engine = siconos_engine();
  Scene scene = pendulum(Side::world_first, 1e-3);
  scene.joints[0].limits[5] = {-1, 0.01};
  double last = -1;
  int seen = 0;
  run_scene(engine, task_of(engine, scene), 60, [&](const io::Record& record) {
    const Joints& j = record.frame.joints;
    for (Index row = 0; row < j.row_count(); ++row)
      if (j.bounds(row, 0) == 0) {
        // positions take the mean of the velocities before and after
        const double angle = std::asin(-record.frame.bodies.positions(0, 2) / kArm);
        EXPECT_NEAR(j.violation[row], 0.01 - angle, 1e-5);
        last = j.violation[row];
        ++seen;
      }
  });
  EXPECT_GT(seen, 3);
  EXPECT_NEAR(last, 0, 1e-3);
}

// A body that is moved by itself takes another along, on a joint.
TEST(SiconosJoints, AMovedBodyIsWithoutMassAndHasItsVelocity) {
  Scene scene = pendulum(Side::body_first);
  scene.joints[0].type = Joint::Type::fixed;
  Motion motion;
  motion.keys.resize(1);
  motion.keys[0].velocity << 0.3, 0, 0.2, 0, 0, 0.5;
  scene.bodies[1].motion = motion;
  const Engine engine = siconos_engine();
  const io::Record last = records_of(engine, task_of(engine, scene, "nsgs-exact"), 20).back();
  ASSERT_EQ(last.frame.bodies.ids[1], 1);
  EXPECT_EQ(last.frame.bodies.masses[1], 0);
  EXPECT_LT((last.frame.bodies.velocities.row(1).transpose() - motion.keys[0].velocity).norm(),
            1e-12);
  EXPECT_NEAR(last.frame.bodies.positions(1, 0), 0.3 * 19 * scene.step, 1e-12);
  EXPECT_NEAR(last.answer.velocities_plus(0, 5), 0.5, 1e-9);
  EXPECT_NEAR(last.answer.velocities_plus(0, 2), 0.2, 1e-9);
  EXPECT_LT(momentum_gap(last), 1e-12);
}

TEST(SiconosJoints, JointsOfASceneHaveItsIds) {
  for (const char* scene : {"snake", "ragdolls"}) expect_joint_ids(siconos_engine(), scene);
}

}  // namespace joints_test
}  // namespace perpend::capture::from_siconos
