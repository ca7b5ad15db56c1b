// Springs, dampers, servos, dry friction, rotors and forces along joint coordinates, against the
// closed form of implicit Euler; joints that follow others; who cannot touch whom.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "perpend/io.hpp"
#include "perpend/sim.hpp"
#include "support/scratch.hpp"

namespace perpend {
namespace drives_test {

using testing::HasSubstr;

constexpr double kH = 1.0 / 60, kMass = 0.1;

// A ball of 0.1 kg on a slider along x, or one that turns on a hinge about y through its centre.
// Nothing pulls it.
Scene ball(Joint::Type type) {
  Scene scene;
  scene.name = "ball";
  scene.gravity.setZero();
  scene.step = kH;
  Body body;
  body.name = "ball";
  body.shape.type = Shape::Type::sphere;
  body.shape.radius = 0.2;
  body.mass = kMass;
  scene.bodies = {body};
  Joint joint;
  joint.name = "axis";
  joint.type = type;
  joint.second = 0;
  // z of the joint along x, or along y.
  const Vector3d axis = type == Joint::Type::slider ? Vector3d::UnitX() : Vector3d::UnitY();
  joint.frame.orientation = Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitZ(), axis);
  scene.joints = {joint};
  return scene;
}
double inertia_of_ball() { return 0.4 * kMass * 0.2 * 0.2; }

Joint::Drive& drive_of(Scene& scene, std::size_t joint = 0) {
  Joint& one = scene.joints[joint];
  return one.drives[free_axes(one.type)[0]];
}

struct Course {
  std::vector<JointReading> readings;  // of the first joint, before each step
  Summary summary;
};

Course go(const Scene& scene, Index steps, SimulateOptions options = {},
          const std::function<void(double, RunningJoints&)>& control = {}, Index joint = 0) {
  Course out;
  options.steps = steps + 1;
  options.control = [&](double time, RunningJoints& joints) {
    out.readings.push_back(joints.read(joint));
    if (control) control(time, joints);
  };
  out.summary = simulate(scene, options);
  return out;
}

// Implicit Euler of one mass with everything that a drive has but friction.
struct Euler {
  double mass, q = 0, v = 0;
  void step(const Joint::Drive& d) {
    const double m = mass + d.armature;
    const double pull = -d.stiffness * (q - d.position) + d.damping * d.speed;
    double plus = (m * v + kH * (pull + d.force)) / (m + kH * kH * d.stiffness + kH * d.damping);
    const double servo = pull - (kH * d.stiffness + d.damping) * plus;
    if (std::abs(servo) > d.max_force)
      plus = v + kH / m * (std::copysign(d.max_force, servo) + d.force);
    v = plus;
    q += kH * v;
  }
};

void follows_euler(Joint::Type type, const Joint::Drive& drive, double mass, double tolerance) {
  Scene scene = ball(type);
  drive_of(scene) = drive;
  const Course done = go(scene, 200);
  Euler exact{mass};
  for (std::size_t i = 0; i <= 200; ++i) {
    ASSERT_NEAR(done.readings[i].coordinate, exact.q, tolerance) << "step " << i;
    ASSERT_NEAR(done.readings[i].speed, exact.v, tolerance / kH) << "step " << i;
    exact.step(drive);
  }
}

// 1e5 N/m on 0.1 kg: explicit steps would need h < 2 ms to be stable at all.
TEST(Drives, StiffServoFollowsImplicitEuler) {
  Joint::Drive servo;
  servo.stiffness = 1e5;
  servo.position = 0.5;
  follows_euler(Joint::Type::slider, servo, kMass, 1e-9);
  follows_euler(Joint::Type::hinge, servo, inertia_of_ball(), 1e-9);
  servo.damping = 30;
  servo.speed = 0.2;
  follows_euler(Joint::Type::slider, servo, kMass, 1e-9);
  follows_euler(Joint::Type::hinge, servo, inertia_of_ball(), 1e-9);
}

TEST(Drives, SoftSpringDamperForceAndRotorFollowImplicitEuler) {
  Joint::Drive soft;
  soft.stiffness = 0.3;
  soft.damping = 0.01;
  soft.position = -0.4;
  soft.force = 0.02;
  soft.armature = 0.05;
  follows_euler(Joint::Type::slider, soft, kMass, 1e-9);
  follows_euler(Joint::Type::hinge, soft, inertia_of_ball(), 1e-9);
}

TEST(Drives, ServoGivesNoMoreThanItsLargestForce) {
  Joint::Drive servo;
  servo.stiffness = 1e3;
  servo.damping = 40;
  servo.position = 0.5;
  servo.max_force = 0.6;
  follows_euler(Joint::Type::slider, servo, kMass, 1e-8);
  Scene scene = ball(Joint::Type::slider);
  drive_of(scene) = servo;
  const Course done = go(scene, 3);
  EXPECT_NEAR(done.readings[1].force, 0.6, 1e-9);
  EXPECT_NEAR(done.readings[3].speed, 3 * kH * 0.6 / kMass, 1e-9);
}

// The error of implicit Euler is of the first order.
TEST(Drives, SpringSwingsWithItsPeriodAsTheStepGoesToZero) {
  Scene scene = ball(Joint::Type::slider);
  drive_of(scene).stiffness = 0.4;
  drive_of(scene).position = 1;
  const double period = 2 * M_PI / std::sqrt(0.4 / kMass);
  std::vector<double> errors;
  for (const Index steps : {500, 1000}) {
    SimulateOptions options;
    options.h = period / static_cast<double>(steps);
    const Course done = go(scene, steps, options);
    errors.push_back(std::abs(done.readings.back().coordinate));  // back where it began
  }
  EXPECT_LT(errors[1], 0.03);
  EXPECT_NEAR(errors[0] / errors[1], 2, 0.1);
}

TEST(Drives, DryFrictionHoldsBelowAndGivesWayAbove) {
  Scene scene = ball(Joint::Type::slider);
  drive_of(scene).friction = 2;
  drive_of(scene).force = 1.9;
  const Course holds = go(scene, 60);
  EXPECT_LT(std::abs(holds.readings[60].coordinate), 1e-9);
  EXPECT_LT(std::abs(holds.readings[60].speed), 1e-9);
  drive_of(scene).force = 2.1;
  const Course slides = go(scene, 60);
  EXPECT_NEAR(slides.readings[60].speed, 60 * kH * 0.1 / kMass, 1e-8);
}

// A pendulum of length 0.5 m with a rotor of 0.07 kg m^2, from the horizontal.
TEST(Drives, RotorAddsItsInertiaToThePendulum) {
  Scene scene = ball(Joint::Type::hinge);
  scene.gravity = {0, 0, -9.81};
  scene.joints[0].frame.position = {-0.5, 0, 0};
  drive_of(scene).armature = 0.07;
  SimulateOptions options;
  options.step.correct = 0;  // the step's own velocities
  const Course done = go(scene, 1, options);
  const double all = inertia_of_ball() + kMass * 0.25 + 0.07;
  EXPECT_NEAR(done.readings[1].speed, kH * kMass * 9.81 * 0.5 / all, 1e-12);
}

TEST(Drives, ServoCountsFullTurns) {
  Scene scene = ball(Joint::Type::hinge);
  drive_of(scene).stiffness = 20;
  drive_of(scene).damping = 2;
  Control turn;
  turn.joint = 0;
  turn.keys = {{0, 0.0, {}, {}}, {5, 20.0, {}, {}}};
  scene.control = {turn};
  const Course done = go(scene, 420);
  EXPECT_NEAR(done.readings[420].coordinate, 20, 1e-6);
}

// A ball joint with equal springs turns back about one axis, whatever the axis is.
TEST(Drives, PointJointSpringsActAlongTheRotationVector) {
  Scene scene = ball(Joint::Type::point);
  for (const std::size_t k : {3, 4, 5}) {
    scene.joints[0].drives[k].stiffness = 2;
    scene.joints[0].drives[k].damping = 0.05;
    scene.joints[0].drives[k].position = std::array{0.6, -0.9, 1.2}[k - 3];
  }
  std::vector<Vector3d> seen;
  go(scene, 300, {}, [&](double, RunningJoints& joints) {
    seen.emplace_back(joints.read(0, 3).coordinate, joints.read(0, 4).coordinate,
                      joints.read(0, 5).coordinate);
  });
  const Vector3d goal(0.6, -0.9, 1.2);
  Euler exact{inertia_of_ball()};
  Joint::Drive along;
  along.stiffness = 2;
  along.damping = 0.05;
  along.position = goal.norm();
  for (std::size_t i = 0; i <= 300; ++i) {
    EXPECT_NEAR((seen[i] - exact.q * goal.normalized()).norm(), 0, 1e-8) << "step " << i;
    exact.step(along);
  }
}

TEST(Drives, GenericJointDrivesEachOfItsSixAxes) {
  Scene scene = ball(Joint::Type::generic);
  scene.joints[0].frame.orientation.setIdentity();
  for (std::size_t k = 0; k < 6; ++k) {
    scene.joints[0].drives[k].stiffness = 5;
    scene.joints[0].drives[k].damping = 1;
    scene.joints[0].drives[k].position = 0.1 * static_cast<double>(k + 1);
  }
  std::array<double, 6> last{};
  go(scene, 600, {}, [&](double, RunningJoints& joints) {
    for (int k = 0; k < 6; ++k) last[static_cast<std::size_t>(k)] = joints.read(0, k).coordinate;
  });
  for (std::size_t k = 0; k < 6; ++k) EXPECT_NEAR(last[k], 0.1 * static_cast<double>(k + 1), 1e-6);
}

// Two balls on rails along x; the second follows the first with the ratio -0.5 and 0.1 m.
Scene coupled(bool on_a_cart) {
  Scene scene = ball(Joint::Type::slider);
  scene.bodies.push_back(scene.bodies[0]);
  scene.bodies[1].pose.position.y() = 2;
  scene.bodies[1].mass = 0.3;
  scene.joints.push_back(scene.joints[0]);
  scene.joints[1].second = 1;
  scene.joints[1].frame.position.y() = 2;
  scene.joints[1].mimic = {0, -0.5, 0};
  if (!on_a_cart) return scene;
  Body cart = scene.bodies[0];
  cart.mass = 50;
  cart.pose.position.z() = -3;
  scene.bodies.push_back(cart);
  for (Joint& joint : scene.joints) joint.first = 2;
  return scene;
}

TEST(Mimic, TwoBodiesMoveAsOneMass) {
  Scene scene = coupled(false);
  drive_of(scene).force = 0.7;
  JointReading second;
  const Course done =
      go(scene, 100, {}, [&](double, RunningJoints& joints) { second = joints.read(1); });
  const double acceleration = 0.7 / (kMass + 0.25 * 0.3);
  EXPECT_NEAR(done.readings[100].speed, 100 * kH * acceleration, 1e-9);
  EXPECT_NEAR(second.coordinate, -0.5 * done.readings[100].coordinate, 1e-9);
  EXPECT_TRUE(done.summary.notes.empty());
}

// On a cart of 50 kg on rails: what the force gives to the three of them adds to nothing.
TEST(Mimic, OnACartThatIsFreeItMovesAllThreeAndNothingIsTold) {
  Scene scene = coupled(true);
  Joint rails = scene.joints[0];
  rails.first = -1;
  rails.second = 2;
  scene.joints.push_back(rails);
  drive_of(scene).force = 0.7;
  JointReading second;
  const Course done =
      go(scene, 100, {}, [&](double, RunningJoints& joints) { second = joints.read(1); });
  // m = sum of masses, p = sum of m_i r_i, s = sum of m_i r_i^2: s - p^2/m moves along q.
  const double m = 50 + kMass + 0.3, p = kMass - 0.5 * 0.3, s = kMass + 0.25 * 0.3;
  EXPECT_NEAR(done.readings[100].speed, 100 * kH * 0.7 / (s - p * p / m), 1e-9);
  EXPECT_NEAR(second.coordinate, -0.5 * done.readings[100].coordinate, 1e-9);
  EXPECT_TRUE(done.summary.notes.empty());
}

// An arm of two links on the ground with servos, a load that rests on it, and a schedule.
Scene arm() {
  Scene scene = ball(Joint::Type::hinge);
  scene.gravity = {0, 0, -9.81};
  Body floor;
  floor.shape.type = Shape::Type::plane;
  floor.pose.position.z() = -1.2;
  scene.bodies[0].pose.position = {0.5, 0, 0};
  scene.bodies.push_back(scene.bodies[0]);
  scene.bodies[1].pose.position = {1, 0, 0};
  scene.bodies.push_back(floor);
  Joint elbow = scene.joints[0];
  elbow.name = "elbow";
  elbow.first = 0;
  elbow.second = 1;
  elbow.frame.position = {0.75, 0, 0};
  scene.joints.push_back(elbow);
  for (std::size_t k : {0, 1}) {
    drive_of(scene, k).stiffness = 50;
    drive_of(scene, k).damping = 3;
    drive_of(scene, k).friction = 0.01;
    drive_of(scene, k).armature = 0.002;
    drive_of(scene, k).max_force = 1.5;
  }
  Control swing;
  swing.joint = 0;
  swing.keys = {{0, 0.0, {}, {}}, {1, 1.4, {}, {}}, {2, -0.4, {}, {}}};
  scene.control = {swing};
  return scene;
}

TEST(Drives, SameBitsForAnyNumberOfThreadsAndAfterRestoring) {
  SimulateOptions options;
  options.steps = 150;
  const std::uint64_t whole = simulate(arm(), options).state_hash;
  options.threads = 4;
  EXPECT_EQ(simulate(arm(), options).state_hash, whole);
  options.threads = 1;
  std::optional<Snapshot> kept;
  options.save_at = 70;
  options.save = [&](const Snapshot& saved) { kept = saved; };
  simulate(arm(), options);
  const scratch::Folder folder;
  const std::string path = folder.path("s.json");
  io::write_snapshot(*kept, path);
  options.save = {};
  options.restore = io::read_snapshot(path);
  ASSERT_EQ(options.restore->joints[0].drives.size(), 1u);
  EXPECT_EQ(simulate(arm(), options).state_hash, whole);
}

TEST(Drives, RecordingHasVersionTwoAndRunsAgainBitForBit) {
  const scratch::Folder folder;
  SimulateOptions options;
  options.steps = 60;
  options.out = folder.path("arm.h5");
  simulate(arm(), options);
  const io::FrameReader reader(options.out);
  EXPECT_EQ(reader.format_version(), 2);
  EXPECT_GT(reader.read(5).frame.joints.compliance.maxCoeff(), 0);
  const Rerun again = rerun(options.out, 2);
  EXPECT_FALSE(again.first.has_value());
  EXPECT_EQ(hexadecimal(again.state_hash), again.recorded_hash);
}

TEST(Drives, BulletsOwnWorldRefusesThem) {
  SimulateOptions options;
  options.engine = "bullet";
  try {
    simulate(arm(), options);
    FAIL();
  } catch (const io::InputError& error) {
    EXPECT_STREQ(error.what(), "ball: joint 0 (axis): drive: Bullet's own world does not have it");
  }
}

// A ball above a floor, which it may touch or not.
Scene falling() {
  Scene scene = ball(Joint::Type::slider);
  scene.joints.clear();
  scene.gravity = {0, 0, -9.81};
  Body floor;
  floor.shape.type = Shape::Type::plane;
  floor.pose.position.z() = -0.5;
  scene.bodies.push_back(floor);
  return scene;
}

double height_after(const Scene& scene, const char* engine) {
  SimulateOptions options;
  options.engine = engine;
  options.steps = 60;
  double height = 0;
  options.observe = [&](const State& state) { height = state.positions(0, 2); };
  simulate(scene, options);
  return height;
}

TEST(Filters, GroupsMasksAndPairsApartSayWhoTouches) {
  for (const char* engine : {"perpend", "bullet"}) {
    SCOPED_TRACE(engine);
    const double fallen = -9.81 / 2 * 0.9;
    EXPECT_GT(height_after(falling(), engine), -0.35);
    Scene apart = falling();
    apart.apart = {{1, 0}};
    EXPECT_LT(height_after(apart, engine), fallen);
    Scene masked = falling();
    masked.bodies[0].mask = ~std::uint32_t{1};
    EXPECT_LT(height_after(masked, engine), fallen);
    Scene grouped = falling();
    grouped.bodies[0].group = 4;
    grouped.bodies[1].group = 2;
    grouped.bodies[1].mask = 4;
    EXPECT_GT(height_after(grouped, engine), -0.35);
    grouped.bodies[1].mask = 8;
    EXPECT_LT(height_after(grouped, engine), fallen);
  }
}

}  // namespace drives_test
}  // namespace perpend
