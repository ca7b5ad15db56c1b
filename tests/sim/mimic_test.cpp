// Joints that follow others (mimic) push both, whatever number of bodies they move: grippers on a
// hand that moves, against virtual work, Lagrange's equations and conserved momentum.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "perpend/io.hpp"
#include "perpend/sim.hpp"
#include "support/scratch.hpp"

namespace perpend {
namespace mimic_test {

constexpr double kGravity = 9.81;
const Vector3d kX = Vector3d::UnitX(), kY = Vector3d::UnitY(), kZ = Vector3d::UnitZ();

Body block(const char* name, double mass, const Vector3d& half, const Vector3d& centre) {
  Body body;
  body.name = name;
  body.shape.type = Shape::Type::box;
  body.shape.half_extents = half;
  body.mass = mass;
  body.mu = 0.8;
  body.pose.position = centre;
  return body;
}

Joint along(const char* name, Joint::Type type, const Vector3d& axis, Index first, Index second,
            const Vector3d& place) {
  Joint joint;
  joint.name = name;
  joint.type = type;
  joint.first = first;
  joint.second = second;
  joint.frame.position = place;
  joint.frame.orientation = Eigen::Quaterniond::FromTwoVectors(kZ, axis);
  return joint;
}

Joint::Drive servo(double stiffness, double damping, double position, double most) {
  Joint::Drive drive;
  drive.stiffness = stiffness;
  drive.damping = damping;
  drive.position = position;
  drive.max_force = most;
  return drive;
}

struct Grip {
  Summary summary;
  std::vector<ContactForce> contacts;  // of the last step
  std::vector<JointReading> readings;  // before it
  // On this body, by the other one.
  Vector3d force(std::uint32_t on, std::uint32_t by) const {
    Vector3d sum = Vector3d::Zero();
    for (const ContactForce& c : contacts) {
      if (c.first == by && c.second == on) sum += c.force;
      if (c.first == on && c.second == by) sum -= c.force;
    }
    return sum;
  }
};

Grip run(const Scene& scene, double seconds, SimulateOptions options = {}) {
  Grip out;
  options.steps = static_cast<Index>(std::round(seconds / scene.step));
  options.watch = [&](const Moment& moment) { out.contacts = moment.contacts; };
  options.control = [&](double, RunningJoints& joints) {
    out.readings.clear();
    for (std::size_t i = 0; i < scene.joints.size(); ++i)
      out.readings.push_back(joints.read(static_cast<Index>(i)));
  };
  out.summary = simulate(scene, options);
  return out;
}

enum Part : std::uint32_t { kHand, kLeft, kRight, kCube, kFloor };

// A hand on a lift, two fingers on slides, and a cube on the floor between them, off the middle. A
// servo of 20 N closes the left finger, and the right one follows.
Scene gripper() {
  Scene scene;
  scene.name = "gripper";
  scene.step = 0.005;
  Body floor;
  floor.name = "floor";
  floor.shape.type = Shape::Type::plane;
  floor.pose.position.z() = -0.15;
  floor.mu = 1;
  scene.bodies = {block("hand", 2, {0.05, 0.05, 0.025}, {0, 0, 0}),
                  block("left", 0.1, {0.01, 0.02, 0.06}, {-0.07, 0, -0.09}),
                  block("right", 0.1, {0.01, 0.02, 0.06}, {0.07, 0, -0.09}),
                  block("cube", 0.5, {0.025, 0.025, 0.025}, {0.01, 0, -0.124}), floor};
  scene.joints = {along("lift", Joint::Type::slider, kZ, -1, kHand, {0, 0, 0}),
                  along("left", Joint::Type::slider, kX, kHand, kLeft, {-0.07, 0, -0.09}),
                  along("right", Joint::Type::slider, -kX, kHand, kRight, {0.07, 0, -0.09})};
  scene.joints[0].drives[2] = servo(5000, 300, 0, 200);
  scene.joints[1].drives[2] = servo(3000, 60, 0.05, 20);
  scene.joints[2].mimic = {1, 1, 0};
  return scene;
}

// The 20 N of the servo are shared: each finger presses with 10 N where nothing else holds the
// cube.
TEST(Mimic, BothFingersOfAHandOnALiftPressAlikeAndComeToRest) {
  Scene scene = gripper();
  Control lift;
  lift.joint = 0;
  lift.keys = {{1, 0.0, {}, {}}, {2, 0.1, {}, {}}};
  scene.control = {lift};
  const Grip held = run(scene, 4);
  EXPECT_EQ(held.summary.unconverged, 0);
  EXPECT_TRUE(held.summary.notes.empty());
  EXPECT_NEAR(held.force(kCube, kLeft).x(), 10, 1e-6);
  EXPECT_NEAR(held.force(kCube, kRight).x(), -10, 1e-6);
  EXPECT_NEAR(held.force(kCube, kFloor).norm(), 0, 1e-9);  // it is in the air
  EXPECT_NEAR(held.readings[1].force, 20, 1e-6);
  EXPECT_NEAR(held.readings[2].coordinate, held.readings[1].coordinate, 1e-9);
  EXPECT_LT(held.summary.kinetic_energy, 1e-12);
}

// A finger is blocked by a wall, the other is in the air: all of the servo's force arrives there,
// times one over the ratio.
TEST(Mimic, WhatBlocksTheFollowerBlocksTheDriver) {
  for (const double ratio : {1.0, 0.5, 2.0}) {
    Scene scene = gripper();
    scene.bodies[kCube] = block("wall", 0, {0.01, 0.1, 0.05}, {0.05, 0, -0.09});
    scene.bodies[kFloor].mu = 0;  // friction there could hold the fingers, too
    scene.joints[2].mimic.ratio = ratio;
    scene.joints[0].drives[2].max_force = Joint::kUnlimited;
    const Grip held = run(scene, 3);
    EXPECT_NEAR(held.force(kCube, kRight).x(), -20 / ratio, 1e-6) << ratio;
    EXPECT_LT(held.summary.kinetic_energy, 1e-12) << ratio;
  }
}

// The driver reaches its own limit first: fingers and cube do not touch, and nothing chatters.
TEST(Mimic, ADriverAtItsLimitHoldsBothFingers) {
  Scene scene = gripper();
  scene.joints[1].limits[2] = {0, 0.01};
  const Grip held = run(scene, 2);
  EXPECT_NEAR(held.readings[1].coordinate, 0.01, 1e-9);
  EXPECT_NEAR(held.readings[2].coordinate, 0.01, 1e-9);
  EXPECT_EQ(held.force(kCube, kRight).norm() + held.force(kCube, kLeft).norm(), 0);
  EXPECT_LT(held.summary.kinetic_energy, 1e-12);
}

// Four fingers of one driver around the cube, the last of which follows one that follows: what they
// press with adds to the driver's 20 N.
TEST(Mimic, FourFingersOnOneDriverOneOfThemThroughAnother) {
  Scene scene = gripper();
  scene.bodies[kCube].pose.position.x() = 0.002;
  scene.bodies[kFloor].mu = 0;
  scene.bodies.push_back(block("front", 0.1, {0.02, 0.01, 0.06}, {0, -0.07, -0.09}));
  scene.bodies.push_back(block("back", 0.1, {0.02, 0.01, 0.06}, {0, 0.07, -0.09}));
  scene.joints.push_back(along("front", Joint::Type::slider, kY, kHand, 5, {0, -0.07, -0.09}));
  scene.joints.push_back(along("back", Joint::Type::slider, -kY, kHand, 6, {0, 0.07, -0.09}));
  scene.joints[3].mimic = {1, 1, 0};
  scene.joints[4].mimic = {3, 1, 0};
  const Grip held = run(scene, 3);
  EXPECT_NEAR(held.force(kCube, kLeft).x() - held.force(kCube, kRight).x() +
                  held.force(kCube, 5).y() - held.force(kCube, 6).y(),
              20, 1e-5);
  EXPECT_NEAR(held.readings[4].coordinate, held.readings[1].coordinate, 1e-9);
  EXPECT_LT(held.summary.kinetic_energy, 1e-12);
}

// A slide follows a hinge of the same carrier: 0.05 m for each rad. 2 N m at the hinge press with
// 2/0.05 = 40 N on what blocks the slide.
TEST(Mimic, ASlideThatFollowsAHingePressesByItsTorque) {
  Scene scene = gripper();
  scene.bodies[kCube] = block("wall", 0, {0.01, 0.1, 0.05}, {0.05, 0, -0.09});
  scene.joints[0].drives[2].max_force = Joint::kUnlimited;
  scene.joints[1] = along("left", Joint::Type::hinge, kY, kHand, kLeft, {-0.07, 0, -0.03});
  scene.joints[1].drives[5] = servo(0, 1, 0, Joint::kUnlimited);
  scene.joints[1].drives[5].force = 2;
  scene.joints[2].mimic = {1, 0.05, 0};
  scene.gravity.setZero();
  const Grip held = run(scene, 3);
  EXPECT_NEAR(held.force(kCube, kRight).x(), -40, 1e-5);
  EXPECT_NEAR(held.readings[2].coordinate, 0.05 * held.readings[1].coordinate, 1e-9);
  EXPECT_LT(held.summary.kinetic_energy, 1e-12);
}

// Two balanced wheels on a free carrier, each at 0.5 m of it, a torque on the first. With the spin
// w of the carrier and q' of the first wheel, I = I0 + (m1 + m2) d^2 + I1 + I2 where m1 = m2: I w +
// (I1 + r I2) q' = 0 and (I1 + r I2) w + (I1 + r^2 I2) q' = h tau n.
TEST(Mimic, WheelsOnAFreeCarrierFollowLagrangesEquations) {
  for (const double ratio : {-1.0, 0.5, 3.0}) {
    Scene scene;
    scene.step = 0.01;
    scene.gravity.setZero();
    scene.bodies = {block("carrier", 2, {0.5, 0.1, 0.1}, {0, 0, 0}),
                    block("first", 1, {0.1, 0.1, 0.2}, {0.5, 0, 0}),
                    block("second", 1, {0.3, 0.3, 0.1}, {-0.5, 0, 0})};
    scene.joints = {along("first", Joint::Type::hinge, kZ, 0, 1, {0.5, 0, 0}),
                    along("second", Joint::Type::hinge, kZ, 0, 2, {-0.5, 0, 0})};
    scene.joints[0].drives[5].force = 0.02;
    scene.joints[1].mimic = {0, ratio, 0};
    State last;
    SimulateOptions options;
    options.steps = 50;
    options.observe = [&](const State& state) { last = state; };
    EXPECT_EQ(simulate(scene, options).unconverged, 0);
    const double i1 = (0.1 * 0.1 + 0.1 * 0.1) / 3, i2 = (0.3 * 0.3 + 0.3 * 0.3) / 3;
    const double i = 2 * (0.25 + 0.01) / 3 + 2 * 0.25 + i1 + i2, p = i1 + ratio * i2;
    const double q = 0.5 * 0.02 / (i1 + ratio * ratio * i2 - p * p / i), w = -p * q / i;
    EXPECT_NEAR(last.velocities(0, 5), w, 1e-9) << ratio;
    EXPECT_NEAR(last.velocities(1, 5), w + q, 1e-9) << ratio;
    EXPECT_NEAR(last.velocities(2, 5), w + ratio * q, 1e-9) << ratio;
  }
}

// Bars that hang off their hinges on a free base, spinning: nothing outside acts.
TEST(Mimic, KeepsMomentumAndEnergyOfAFreeMechanism) {
  constexpr double kSpin = 2, kRatio = 0.5;
  Scene scene;
  scene.step = 1e-3;
  scene.gravity.setZero();
  scene.bodies = {block("base", 1, {0.3, 0.2, 0.1}, {0, 0, 0}),
                  block("first", 0.5, {0.05, 0.4, 0.05}, {0.3, 0.4, 0}),
                  block("second", 0.8, {0.05, 0.3, 0.05}, {-0.3, -0.3, 0})};
  for (const Index k : {1, 2}) {
    const Vector3d place(k == 1 ? 0.3 : -0.3, 0, 0), spin = (k == 1 ? kSpin : kRatio * kSpin) * kZ;
    Body& bar = scene.bodies[static_cast<std::size_t>(k)];
    bar.velocity << spin.cross(bar.pose.position - place), spin;
    scene.joints.push_back(along(bar.name.c_str(), Joint::Type::hinge, kZ, 0, k, place));
  }
  scene.joints[1].mimic = {0, kRatio, 0};
  const auto totals = [&](const State& s) {
    Eigen::Matrix<double, 7, 1> out = Eigen::Matrix<double, 7, 1>::Zero();
    for (Index i = 0; i < 3; ++i) {
      const Body& body = scene.bodies[static_cast<std::size_t>(i)];
      const Vector3d half = body.shape.half_extents;
      const Vector3d v = s.velocities.row(i).head<3>(), w = s.velocities.row(i).tail<3>();
      const Vector3d x = s.positions.row(i);
      const double about_z = body.mass * (half.x() * half.x() + half.y() * half.y()) / 3;
      out.head<3>() += body.mass * v;
      out.segment<3>(3) += x.cross(body.mass * v) + about_z * w;  // all of it in the plane
      out[6] += body.mass * v.squaredNorm() / 2 + about_z * w.squaredNorm() / 2;
    }
    return out;
  };
  Eigen::Matrix<double, 7, 1> first, last;
  double first_base = 0, last_base = 0;
  SimulateOptions options;
  options.steps = 2000;
  options.observe = [&](const State& state) {
    last = totals(state);
    last_base = state.velocities(0, 5);
    if (state.time > 0) return;
    first = last;
    first_base = last_base;
  };
  simulate(scene, options);
  EXPECT_LT((last - first).head<6>().norm(), 1e-9);
  EXPECT_NEAR(last[6] / first[6], 1, 1e-3);
  EXPECT_GT(std::abs(last_base - first_base), 0.1);  // there was something to keep
}

// Two pairs of bodies that nothing else ties: the follower's is pushed by what the other one lacks.
TEST(Mimic, TiesFourBodiesThatAreNowhereElseJoined) {
  constexpr double kRatio = -0.5, kOffset = 0.002, kForce = 3;
  Scene scene;
  scene.step = 0.01;
  scene.gravity.setZero();
  const double masses[4] = {1, 2, 4, 0.5};
  for (int i = 0; i < 4; ++i)
    scene.bodies.push_back(
        block("body", masses[i], {0.1, 0.1, 0.1}, {1.0 * (i % 2), 0, 2.0 * (i / 2)}));
  scene.joints = {along("leader", Joint::Type::slider, kX, 0, 1, {0.5, 0, 0}),
                  along("follower", Joint::Type::slider, kX, 2, 3, {0.5, 0, 2})};
  scene.joints[0].drives[2].force = kForce;
  scene.joints[1].mimic = {0, kRatio, kOffset};
  std::vector<State> states;
  SimulateOptions options;
  options.steps = 20;
  options.observe = [&](const State& state) { states.push_back(state); };
  EXPECT_EQ(simulate(scene, options).unconverged, 0);
  const auto q = [&](const State& s, Index k) {
    return s.positions(k + 1, 0) - s.positions(k, 0) - 1;
  };
  for (const State& s : states) {
    if (s.time == 0) continue;
    EXPECT_NEAR(q(s, 2), kRatio * q(s, 0) + kOffset, 1e-9);
    for (const Index k : {0, 2})  // of each pair along x
      EXPECT_NEAR(masses[k] * s.velocities(k, 0) + masses[k + 1] * s.velocities(k + 1, 0), 0, 1e-9);
  }
}

// What is written can be read, solved again and repeated bit for bit; others stay as they were.
TEST(Mimic, RecordingsHaveVersionThreeWhereFourBodiesAreTied) {
  const scratch::Folder folder;
  Scene scene = gripper();
  SimulateOptions options;
  options.steps = 3;
  options.out = folder.path("three.h5");
  simulate(scene, options);
  const io::FrameReader reader(options.out);
  EXPECT_EQ(reader.format_version(), 3);
  EXPECT_THAT(io::validate(options.out), testing::IsEmpty());
  const Frame frame = reader.read(2).frame;
  ASSERT_EQ(frame.joints.pairs2.rows(), frame.joints.count());
  EXPECT_EQ(invalid(frame), "");
  EXPECT_TRUE(rerun(options.out).same());
  scene.joints[2].mimic.joint = -1;
  options.out = folder.path("two.h5");
  simulate(scene, options);
  for (Index i : {0, 1, 2})
    EXPECT_EQ(io::FrameReader(options.out).read(i).frame.joints.pairs2.rows(), 0);
}

}  // namespace mimic_test
}  // namespace perpend
