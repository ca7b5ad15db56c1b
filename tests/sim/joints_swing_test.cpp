// Every joint swings ten seconds under load, with its limit hit and with motors.
//
// A step keeps J v+ + Phi/h = 0 and then moves x by h v+ and turns by h w+. An anchor at r from its
// centre of mass goes to exp(h w) r instead of r + h w x r, so that after the step the anchors are
// apart by what the step itself has added, for each body no more than
//   |exp(h w) r - r - h w x r| <= 1/2 (|w| h)^2 |r|;
// what was there before is gone, up to a third order where the joint's axes turn. That is the bound
// without corrections; a Newton projection of positions squares it.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>

#include "sim/build.hpp"
#include "support/bullet_world.hpp"

namespace perpend {
namespace joints_swing_test {

using worlds::kGravity;
using worlds::kStep;

constexpr double kPi = 3.14159265358979323846;
// The tolerance of 1e-10 m/s in a step of 1/60 s, and rounding.
constexpr double kExact = 1e-10;  // m

// A bar of 1 m along x, with its near end at the origin.
Body bar(const std::string& name, double x = 0.5) {
  Body made;
  made.name = name;
  made.shape.half_extents = {0.5, 0.05, 0.05};
  made.mass = 2;
  made.pose.position = {x, 0, 0};
  return made;
}
// At a place in the world with its z axis along `axis`.
Joint joint(Joint::Type type, Index first, Index second, const Vector3d& place,
            const Vector3d& axis = Vector3d::UnitZ()) {
  Joint made;
  made.type = type;
  made.first = first;
  made.second = second;
  made.frame.position = place;
  made.frame.orientation = Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitZ(), axis);
  return made;
}

struct Swing {
  double violation = 0;     // m, worst
  double late = 0;          // m, worst of the last second
  double over_bound = -1;   // m, worst of violation - bound
  double energy_gain = -1;  // J, largest energy - the first
  double fastest = 0;       // rad/s
};

// `look`: after each step.
Swing swing(const Scene& scene, int correct,
            const std::function<void(const State&, DynamicsWorld&)>& look = {}) {
  EXPECT_EQ(invalid(scene), "");
  sim::Built built(scene, kStep, sim::Built::Engine::perpend);
  built.ours()->options().correct = correct;
  // Where each joint's anchor is from the centres of its bodies.
  std::vector<std::array<double, 2>> arms;
  for (const Joint& j : scene.joints) {
    std::array<double, 2> arm{};
    for (std::size_t side = 0; side < 2; ++side) {
      const Index body = side ? j.second : j.first;
      if (body >= 0)
        arm[side] = (j.frame.position - built.state().positions.row(body).transpose()).norm();
    }
    arms.push_back(arm);
  }
  Swing out;
  double first_energy = 0;
  const auto energy = [&](const State& state) {
    double sum = 0;
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
      const Body& body = scene.bodies[i];
      if (body.mass == 0) continue;
      const auto row = static_cast<Index>(i);
      const Eigen::Quaterniond q(state.quaternions(row, 0), state.quaternions(row, 1),
                                 state.quaternions(row, 2), state.quaternions(row, 3));
      const Vector3d w = q.conjugate() * Vector3d(state.velocities.row(row).tail<3>().transpose());
      sum += body.mass * (state.velocities.row(row).head<3>().squaredNorm() / 2 -
                          scene.gravity.dot(state.positions.row(row).transpose())) +
             w.dot(inertia(body) * w) / 2;
    }
    return sum;
  };
  first_energy = energy(built.state());
  for (Index step = 0; step < scene.steps; ++step) {
    built.step();
    const State state = built.state();
    const double apart = built.ours()->joint_violation();
    double bound = 0;
    for (std::size_t k = 0; k < scene.joints.size(); ++k) {
      double sum = 0, turning = 0;
      for (std::size_t side = 0; side < 2; ++side) {
        const Index body = side ? scene.joints[k].second : scene.joints[k].first;
        if (body < 0) continue;
        const double w = state.velocities.row(body).tail<3>().norm();
        out.fastest = std::max(out.fastest, w);
        sum += 0.5 * std::pow(w * kStep, 2) * arms[k][side];
        // Rows along the axes of a body that turns: what was there before turns with them.
        if (side == 0 && scene.joints[k].type != Joint::Type::hinge) turning = w * kStep;
      }
      bound = std::max(bound, (1 + turning) * sum);
    }
    out.violation = std::max(out.violation, apart);
    out.over_bound = std::max(out.over_bound, apart - bound);
    if (step >= scene.steps - 60) out.late = std::max(out.late, apart);
    out.energy_gain = std::max(out.energy_gain, energy(state) - first_energy);
    if (look) look(state, *built.ours());
  }
  return out;
}

// Angle by which body `i` has turned about an axis of the world that it keeps.
double angle(const State& state, Index i, const Vector3d& axis) {
  const Eigen::Quaterniond q(state.quaternions(i, 0), state.quaternions(i, 1),
                             state.quaternions(i, 2), state.quaternions(i, 3));
  return std::remainder(2 * std::atan2(q.vec().dot(axis), q.w()), 2 * kPi);
}

void expect_within_bounds(const Scene& scene) {
  const Swing plain = swing(scene, 0), corrected = swing(scene, 2);
  EXPECT_LT(plain.over_bound, kExact);
  EXPECT_LT(corrected.violation, 1e-6);
}

TEST(SwingingJoints, HingeHitsItsLimitAndStaysThere) {
  Scene scene;
  scene.bodies = {bar("bar")};
  scene.joints = {joint(Joint::Type::hinge, -1, 0, Vector3d::Zero(), Vector3d::UnitY())};
  scene.joints[0].limits[5] = {-kPi / 3, kPi / 3};
  expect_within_bounds(scene);
  for (int correct : {0, 2}) {
    double farthest = 0, last = 0;
    swing(scene, correct, [&](const State& state, DynamicsWorld&) {
      last = angle(state, 0, Vector3d::UnitY());  // falls about +y
      farthest = std::max(farthest, std::abs(last));
    });
    // The angle is linear in the turn: no error of second order but the one of the axis.
    EXPECT_LT(farthest, kPi / 3 + 1e-9);
    EXPECT_NEAR(last, kPi / 3, 1e-9);
  }
}

TEST(SwingingJoints, ChainOfHinges) {
  Scene scene;
  for (int i = 0; i < 4; ++i) {
    scene.bodies.push_back(bar("link " + std::to_string(i), 0.5 + i));
    scene.joints.push_back(
        joint(Joint::Type::hinge, i - 1, i, Vector3d(i, 0, 0), Vector3d::UnitY()));
    if (i > 0) scene.joints.back().limits[5] = {-0.5, 0.5};
  }
  expect_within_bounds(scene);
}

TEST(SwingingJoints, PointJointInSpace) {
  Scene scene;
  scene.bodies = {bar("bar")};
  scene.bodies[0].velocity << 0, 1, 0, 3, 0, 2;  // about the anchor, with a spin of its own
  scene.joints = {joint(Joint::Type::point, -1, 0, Vector3d::Zero())};
  expect_within_bounds(scene);
  EXPECT_GT(swing(scene, 0).violation, 1e-4);  // the bound is not an empty one
}

TEST(SwingingJoints, SliderFallsOntoItsStop) {
  Scene scene;
  scene.bodies = {bar("bar")};
  scene.joints = {joint(Joint::Type::slider, -1, 0, Vector3d::Zero(), Vector3d(0, 0.3, 1))};
  scene.joints[0].limits[2] = {-0.4, 0.4};
  expect_within_bounds(scene);
  const Vector3d axis = Vector3d(0, 0.3, 1).normalized();
  double lowest = 0, last = 0;
  swing(scene, 0, [&](const State& state, DynamicsWorld&) {
    last = (state.positions.row(0).transpose() - Vector3d(0.5, 0, 0)).dot(axis);
    lowest = std::min(lowest, last);
  });
  EXPECT_GT(lowest, -0.4 - 1e-9);
  EXPECT_NEAR(last, -0.4, 1e-9);
}

// A slider on a hinged arm: its axis turns.
TEST(SwingingJoints, SliderOnASwingingArm) {
  Scene scene;
  scene.bodies = {bar("arm"), bar("bead", 0.5)};
  scene.bodies[1].shape.half_extents = {0.1, 0.1, 0.1};
  scene.joints = {joint(Joint::Type::hinge, -1, 0, Vector3d::Zero(), Vector3d::UnitY()),
                  joint(Joint::Type::slider, 0, 1, Vector3d(0.5, 0, 0), Vector3d::UnitX())};
  scene.joints[1].limits[2] = {-0.3, 0.4};
  const Swing corrected = swing(scene, 2);
  EXPECT_LT(corrected.violation, 1e-6);
  // Along a turning axis the bead's way is bent as well: another (w h) (v h), and its limit counts.
  const Swing plain = swing(scene, 0);
  const double speed = 2 * std::sqrt(2 * kGravity * 0.9);
  EXPECT_LT(plain.violation, plain.fastest * kStep * (plain.fastest * kStep + speed * kStep));
}

TEST(SwingingJoints, GenericWithLockedAndLimitedAxes) {
  Scene scene;
  scene.gravity = {4, 1, -9};
  scene.bodies = {bar("bar")};
  scene.bodies[0].velocity[4] = 1;
  scene.joints = {joint(Joint::Type::generic, -1, 0, Vector3d(0.1, 0, 0))};
  auto& limits = scene.joints[0].limits;
  limits[0] = {-0.2, 0.3};  // slides along x
  limits[1] = {0, 0};
  limits[2] = {0, 0};
  limits[3] = {0, 0};
  limits[4] = {-0.7, 0.7};  // turns about y and a little about z
  limits[5] = {-0.2, 0.2};
  expect_within_bounds(scene);
  double farthest = 0, last = 0;
  const Swing corrected = swing(scene, 2, [&](const State& state, DynamicsWorld&) {
    last = angle(state, 0, Vector3d::UnitY());
    farthest = std::max(farthest, std::abs(last));
  });
  EXPECT_LT(farthest, 0.7 + 0.02);  // a turn about z changes the first angle to second order
  EXPECT_GT(farthest, 0.6);
  EXPECT_LT(corrected.late, 1e-9);
}

// Three bars one after the other, fixed to each other and to the wall: nothing moves.
TEST(SwingingJoints, FixedJointsMakeACantilever) {
  Scene scene;
  for (int i = 0; i < 3; ++i) {
    scene.bodies.push_back(bar("bar " + std::to_string(i), 0.5 + i));
    scene.joints.push_back(joint(Joint::Type::fixed, i - 1, i, Vector3d(i, 0, 0)));
  }
  double sag = 0;
  const Swing plain = swing(scene, 0, [&](const State& state, DynamicsWorld&) {
    sag = std::max(sag, -state.positions(2, 2));
  });
  EXPECT_LT(plain.violation, 1e-9);
  EXPECT_LT(sag, 1e-8);
}

TEST(SwingingJoints, FixedJointHoldsOnASwingingArm) {
  Scene scene;
  scene.bodies = {bar("arm"), bar("hand", 1.5)};
  scene.joints = {joint(Joint::Type::hinge, -1, 0, Vector3d::Zero(), Vector3d::UnitY()),
                  joint(Joint::Type::fixed, 0, 1, Vector3d(1, 0, 0))};
  expect_within_bounds(scene);
}

// Released at rest, horizontally. Positions move with the velocity at the end of the step, which
// makes the energy swing about its mean by h/2 times the power of the weight, m g v h/2 at most; it
// must not grow beyond that, nor from swing to swing.
TEST(SwingingJoints, APendulumGainsNoEnergy) {
  Scene scene;
  scene.bodies = {bar("bar")};
  scene.joints = {joint(Joint::Type::hinge, -1, 0, Vector3d::Zero(), Vector3d::UnitY())};
  const Swing whole = swing(scene, 0);
  EXPECT_GT(whole.fastest, 3);
  const double swings_by = kStep / 2 * 2 * kGravity * whole.fastest * 0.5;
  EXPECT_LT(whole.energy_gain, swings_by);
  for (int correct : {1, 2, 10}) EXPECT_LT(swing(scene, correct).energy_gain, swings_by) << correct;
  scene.steps = 60;
  EXPECT_EQ(swing(scene, 0).energy_gain, whole.energy_gain);  // the first second has the largest
}

// Nor does it lose any where its joint is closed by corrections: in the last swing of ten seconds
// the centre of the bar comes up to where it was let go, but for the same m g v h/2, which is
// v h/2 in height.
TEST(SwingingJoints, APendulumComesBackUp) {
  Scene scene;
  scene.bodies = {bar("bar")};
  scene.joints = {joint(Joint::Type::hinge, -1, 0, Vector3d::Zero(), Vector3d::UnitY())};
  for (int correct : {1, 2, 10}) {
    Index step = 0;
    double highest = -1, fastest = 0;
    const Swing whole = swing(scene, correct, [&](const State& state, DynamicsWorld&) {
      if (++step > 450) highest = std::max(highest, state.positions(0, 2));  // 2.5 s: a swing
      fastest = std::max(fastest, state.velocities.row(0).head<3>().norm());
    });
    EXPECT_GT(highest, -fastest * kStep / 2) << correct;
    if (correct > 1) {
      EXPECT_LT(whole.late, 1e-9);
    }
  }
}

// A wheel of moment I = m r^2 / 2 under torque T: it reaches the target after I w / T.
TEST(Motors, HingeReachesItsSpeed) {
  Scene scene;
  scene.gravity.setZero();
  Body wheel;
  wheel.name = "wheel";
  wheel.shape.type = Shape::Type::cylinder;
  wheel.shape.radius = 0.5;
  wheel.shape.height = 0.1;
  wheel.mass = 4;
  scene.bodies = {wheel};
  scene.joints = {joint(Joint::Type::hinge, -1, 0, Vector3d::Zero())};
  scene.joints[0].motors[5] = {true, 3, 2};  // rad/s, N m
  const double moment = 0.5 * 4 * 0.25;
  scene.steps = 60;
  Index step = 0;
  swing(scene, 1, [&](const State& state, DynamicsWorld&) {
    ++step;
    const double expected = std::min(3.0, 2 / moment * static_cast<double>(step) * kStep);
    EXPECT_NEAR(state.velocities(0, 5), expected, 1e-8);
  });
}

// An arm that is too heavy for its motor falls with what the motor leaves of the weight; one that
// is not turns at the motor's speed.
TEST(Motors, HingeSaturatesUnderLoad) {
  for (double torque : {5.0, 60.0}) {
    Scene scene;
    scene.bodies = {bar("arm")};
    scene.joints = {joint(Joint::Type::hinge, -1, 0, Vector3d::Zero(), Vector3d::UnitY())};
    scene.joints[0].motors[5] = {true, -0.5, torque};  // upwards
    scene.steps = 1;
    const double weight = 2 * kGravity * 0.5;
    const double moment = inertia(scene.bodies[0])(1, 1) + 2 * 0.25;
    swing(scene, 0, [&](const State& state, DynamicsWorld& world) {
      const double w = state.velocities(0, 4);
      const bool strong = torque > weight + moment * 0.5 / kStep;
      EXPECT_NEAR(w, strong ? -0.5 : kStep * (weight - torque) / moment, 1e-8);
      EXPECT_EQ(world.report().joint_rows, 6);
    });
  }
}

TEST(Motors, SliderLiftsAWeight) {
  for (double force : {10.0, 200.0}) {
    Scene scene;
    scene.bodies = {bar("lift")};
    scene.joints = {joint(Joint::Type::slider, -1, 0, Vector3d::Zero())};
    scene.joints[0].motors[2] = {true, 0.7, force};
    scene.steps = 60;
    State last;
    swing(scene, 0, [&](const State& state, DynamicsWorld&) { last = state; });
    const double weight = 2 * kGravity;
    // After one second.
    EXPECT_NEAR(last.velocities(0, 2), force > weight ? 0.7 : -(weight - force) / 2, 1e-7);
  }
}

// Against a stop the motor's force is all the stop feels.
TEST(Motors, PressAgainstAStop) {
  Scene scene;
  scene.gravity.setZero();
  scene.bodies = {bar("press")};
  scene.joints = {joint(Joint::Type::slider, -1, 0, Vector3d::Zero())};
  scene.joints[0].motors[2] = {true, 1, 50};
  scene.joints[0].limits[2] = {-0.1, 0.25};
  scene.steps = 120;
  State last;
  const Swing ran = swing(scene, 1, [&](const State& state, DynamicsWorld&) { last = state; });
  EXPECT_NEAR(last.positions(0, 2), 0.25, 1e-9);
  EXPECT_NEAR(last.velocities(0, 2), 0, 1e-9);
  EXPECT_LT(ran.late, 1e-9);
}

}  // namespace joints_swing_test
}  // namespace perpend
