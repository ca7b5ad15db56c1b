#include "sim/close_joints.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "sim/advance.hpp"
#include "sim/hand_made.hpp"

namespace perpend::sim {
namespace close_joints_test {

constexpr double kH = 0.01;

// A cube of 1 kg on a massless arm of 2 m, held at the origin; it swings through its lowest point
// with 4 m/s, and no force acts.
struct Pendulum {
  HandMade made;
  btRigidBody& cube = made.cube(1, 0, 0, -2);
  btPoint2PointConstraint joint{cube, btVector3(0, 0, 2)};
  Options options;
  Solvers solvers;
  Executor serial;
  StepClock clock{options};
  Solving with{solvers, clock, serial};
  std::vector<HeldRows> factor{1};
  StepSetup setup;
  Start start;
  Solution solution;

  explicit Pendulum(const btVector3& velocity = btVector3(4, 0, 0), bool foreseen = false) {
    options.tolerance = 1e-12;
    cube.setLinearVelocity(velocity);
    cube.setAngularVelocity(btVector3(0, -2, 0));
    setup.bodies = made.gathered(kH);
    setup.joints = held_joints({&joint}, setup.bodies, kH);
    setup.frame = step_frame(body_columns(setup.bodies), {}, setup.joints, kH, Stepper::st,
                             std::numeric_limits<double>::infinity());
    solvers.prepare(*solver_named("ncp/auto"), 1);
    solution = free_motion(setup.frame, setup.bodies, islands(setup.frame));
    if (foreseen) foresee(setup, solution.islands[0]);
    const std::vector<std::size_t> all = {0};
    auto answers = solve_islands(
        solution.islands, all,
        [&](std::size_t) {
          const Island& island = solution.islands[0];
          return island_problem(setup.frame, island, part(setup.frame, island), start);
        },
        with);
    solution.take(setup.frame, 0, answers[0]);
    advance(setup.bodies, solution.velocities_plus, kH);
  }
  double open() { return separation(joint); }
};

TEST(CloseJoints, AStepAlongTheTangentLeavesTheJointOpen) {
  Pendulum p;
  // Turned by a = 2 h, moved by 2 a along x: the anchor is at (2 a - 2 sin a, 0, -2 + 2 cos a).
  const double a = 2 * kH;
  EXPECT_NEAR(p.open(), std::hypot(2 * a - 2 * std::sin(a), 2 - 2 * std::cos(a)), 1e-12);
}

TEST(CloseJoints, VelocityBecomesTheChordOfAClosedMotion) {
  Pendulum p;
  const Closing closing = close_joints(p.setup, p.solution, p.start, 10, p.with, p.factor);
  EXPECT_TRUE(closing.tried);
  EXPECT_EQ(closing.islands, 1);
  EXPECT_FALSE(closing.answers.empty());
  EXPECT_LT(p.open(), 1e-10);
  const btVector3 x = p.cube.getCenterOfMassPosition();
  EXPECT_NEAR(x.length(), 2, 1e-10) << "on its circle";
  const Vector3d chord((x.x() - 0) / kH, x.y() / kH, (x.z() + 2) / kH);
  EXPECT_LT((p.solution.velocities_plus.row(0).head<3>().transpose() - chord).norm(), 1e-11);
  EXPECT_EQ(p.cube.getLinearVelocity().z(), p.solution.velocities_plus(0, 2));
  // The curvature went into the rows' rate: what the chord needs along z.
  EXPECT_GT(p.setup.frame.joints.rate.lpNorm<Eigen::Infinity>(), 0.03);
}

TEST(CloseJoints, JointsAloneTakeOneFactorizationAndLeaveNothingToProject) {
  Pendulum p;
  const Closing closing = close_joints(p.setup, p.solution, p.start, 10, p.with, p.factor);
  ASSERT_EQ(closing.answers.size(), 1u);
  EXPECT_EQ(closing.answers[0].result.work[static_cast<std::size_t>(Work::factorization)], 1);
  EXPECT_LE(closing.answers[0].result.iterations, 5);
  EXPECT_TRUE(p.solution.outcomes[0].closed);
  // The impulses answer the rows as they are now.
  const System system = assemble(part(p.setup.frame, p.solution.islands[0]));
  EXPECT_LT(relative_velocity(system, p.solution.impulses).lpNorm<Eigen::Infinity>(), 1e-12);
  // A pair that is near may have been met: the projection looks.
  Pendulum near;
  near.setup.touches.pairs = {{nullptr, 0, 0}};
  close_joints(near.setup, near.solution, near.start, 10, near.with, near.factor);
  EXPECT_FALSE(near.solution.outcomes[0].closed);
}

TEST(CloseJoints, WhatTheLastChordTookIsForeseen) {
  // It came along the chord of a turn by a = 2 h, joint closed at both ends.
  const double a = 2 * kH;
  const btVector3 chord(2 * std::sin(a) / kH, 0, -2 * (1 - std::cos(a)) / kH);
  Pendulum plain(chord), foreseen(chord, true);
  EXPECT_GT(plain.open(), a * a / 2);
  EXPECT_LT(foreseen.open(), a * plain.open());
  // In its row: the speed of the anchor that the chord leaves.
  EXPECT_NEAR(foreseen.setup.frame.joints.rate.norm(),
              std::hypot(2 * std::sin(a) - 2 * a, 2 - 2 * std::cos(a)) / kH, 1e-12);
}

TEST(CloseJoints, ABlowIsNoCurvature) {
  Pendulum p(btVector3(4, 0, 1), true);
  EXPECT_EQ(p.setup.frame.joints.rate, VectorXd::Zero(3));
}

TEST(CloseJoints, WithoutPassesNothingMoves) {
  Pendulum p;
  const double before = p.open();
  const Closing closing = close_joints(p.setup, p.solution, p.start, 0, p.with, p.factor);
  EXPECT_FALSE(closing.tried);
  EXPECT_EQ(p.open(), before);
  EXPECT_EQ(p.setup.frame.joints.rate, VectorXd::Zero(3));
}

TEST(CloseJoints, AnIslandThatCannotBeSolvedStaysAsItWas) {
  Pendulum p;
  const double before = p.open();
  const Rows6 plus = p.solution.velocities_plus;
  bool pressed = false;
  p.options.cancelled = [&pressed] { return std::exchange(pressed, true); };  // after `over` asked
  p.options.tolerance = 0;  // one iteration is not enough
  const Closing closing = close_joints(p.setup, p.solution, p.start, 10, p.with, p.factor);
  EXPECT_TRUE(closing.tried);
  EXPECT_EQ(closing.islands, 0);
  EXPECT_EQ(p.open(), before);
  EXPECT_EQ(p.solution.velocities_plus, plus);
  EXPECT_EQ(p.setup.frame.joints.rate, VectorXd::Zero(3));
  EXPECT_EQ(p.clock.status(), Status::stopped);
}

}  // namespace close_joints_test
}  // namespace perpend::sim
