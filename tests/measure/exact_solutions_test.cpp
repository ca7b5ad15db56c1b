// Exact Coulomb solutions: every error is 0, and energy_change is what a textbook says.
//
// Each solution is written next to its frame; the numbers of scenes.hpp make the arithmetic exact,
// so "0" is compared with 0.
#include <gtest/gtest.h>

#include "measure/scenes.hpp"

namespace perpend {
namespace exact_solutions_test {

using namespace scenes;

void expect_no_error(const Frame& frame, const Impulses& lambda, double energy_change,
                     double pgs_merit = 0) {
  ASSERT_EQ(invalid(frame), "");
  const System body_space = assemble(frame);
  for (const System& system : {body_space, with_blocks(body_space)}) {
    Errors expected;
    for (const MeasureInfo& info : measures()) expected[info.measure] = 0;
    expected[Measure::energy_change] = energy_change;
    expected[Measure::pgs_merit] = pgs_merit;
    const Errors errors = measure(system, lambda);
    for (const MeasureInfo& info : measures()) {
      if (info.measure == Measure::own_error || info.measure == Measure::lcp_merit) continue;
      // Blocks do not tell which joint rows are rotations.
      if ((info.measure == Measure::joint_error || info.measure == Measure::joint_turn_error) &&
          system.joint_rows() > 0 && std::holds_alternative<Blocks>(system.A)) {
        EXPECT_FALSE(errors.has(info.measure)) << info.name;
        continue;
      }
      EXPECT_EQ(errors[info.measure], expected[info.measure]) << info.name;
    }
  }
}

// b = (-1, 1/4, 0): (2, -1/2, 0) stops it, |lambda_f| = 1/2 <= 1. v_free = (1/4, 0, -1), v+ = 0.
TEST(ExactSolution, StickingBlock) { expect_no_error(sticking(), impulses({2, -0.5, 0}), -1.0625); }

// b = (-1, 1, 0): friction is at its bound mu lambda_n = 1, v+ = (1/2, 0, 0).
// 1/2 2 (1/4) - 1/2 2 (1 + 1) = -7/4.
TEST(ExactSolution, SlidingBlock) { expect_no_error(sliding(), impulses({2, -1, 0}), -1.75); }

// The same along (3, 4)/5: b = (-1, 3/2, 2), friction 1 of size against it is no sum of powers of
// two; with mu = 5/8 it is 5/4 (3, 4)/5 = (3/4, 1). v+ = (3/2 - 3/8, 2 - 1/2) = (9/8, 3/2):
// 81/64 + 9/4 - (9/4 + 4 + 1) = -239/64. To the box model, whose bounds +-5/4 are those of each
// tangent alone, friction is 1/2 and 1/4 too small: the model's error, 1/4 + 1/16.
TEST(ExactSolution, SlidingBlockAcrossBothTangents) {
  expect_no_error(block({0, 0, 0}, {24, 32, -16}, 0.625), impulses({2, -0.75, -1}), -239.0 / 64,
                  0.3125);
}

TEST(ExactSolution, SlidingBlockWithoutFriction) {
  expect_no_error(block({0, 0, 0}, {16, 0, -16}, 0), impulses({2, 0, 0}), -1);
}

TEST(ExactSolution, SeparatingBlock) {
  expect_no_error(separating(), impulses({0, 0, 0}), 0);
  // Also while it moves sideways.
  expect_no_error(block({1, 0, 2}, {0, 0, -16}), impulses({0, 0, 0}), 0);
}

// v = -2 m/s, gap 1/4 m: free motion -3 m/s would go 3/8 m, too far by 1/8 m; b_n = -3 + 2 = -1,
// lambda_n = 2, v+ = -2 m/s ends exactly at the surface. 1/2 2 (4 - 9) = -5.
TEST(ExactSolution, FutureContactThatIsReached) {
  expect_no_error(block({0, 0, -2}, {0, 0, -16}, 0.5, 0.25), impulses({2, 0, 0}), -5);
}

TEST(ExactSolution, FutureContactThatIsNotReached) {
  expect_no_error(block({0, 0, -2}, {0, 0, -16}, 0.5, 1), impulses({0, 0, 0}), 0);
}

// Two bodies of 2 kg meet: A = I, rho = 1 kg, relative velocity (-2, 1, 0), mu = 1/4: lambda_n = 2,
// friction at its bound 1/2. Body 1: (1 - 1/4, 0, 0), body 0: (1/4, 0, 0).
// 1/2 2 (9/16 + 1/16) - 1/2 2 (1 + 2) = 5/8 - 3.
TEST(ExactSolution, TwoMovingBodies) {
  Frame frame = empty_frame(2, 1);
  frame.bodies.masses.setConstant(2);
  frame.bodies.velocities(0, 2) = 1;
  frame.bodies.velocities.row(1).head<3>() << 1, 0, -1;
  touch(frame, 0, 0, 1, Vector3d::UnitZ(), 0, 0.25);
  expect_no_error(frame, impulses({2, -0.5, 0}), -2.375);
}

// A belt that runs at 2 m/s carries the block along: relative velocity (-1, 2, 0) before, 0 after,
// lambda_t = -4 = the bound with mu = 2. The belt works: 1/2 2 4 - 1/2 2 1 = +3 J.
TEST(ExactSolution, ConveyorThatCarries) {
  Frame frame = block({0, 0, 0}, {0, 0, -16}, 2);
  frame.bodies.velocities(0, 0) = -2;
  expect_no_error(frame, impulses({2, -4, 0}), 3);
}

// The same belt under mu = 1/2 slips: friction -1, v+ = -1/2: 1/4 - 1 = -3/4 J.
TEST(ExactSolution, ConveyorThatSlips) {
  Frame frame = block({0, 0, 0}, {0, 0, -16}, 0.5);
  frame.bodies.velocities(0, 0) = -2;
  expect_no_error(frame, impulses({2, -1, 0}), -0.75);
}

// e = 1/2, u- = -2: c = -1, so y = v+ - 1 = 0 at v+ = 1 = -e u-. lambda_n = 2 (1 + 2) = 6.
TEST(ExactSolution, BounceWithRestitution) {
  Frame frame = block({0, 0, -2}, {0, 0, 0});
  frame.contacts.restitution = VectorXd::Constant(1, 0.5);
  expect_no_error(frame, impulses({6, 0, 0}), -3);
}

TEST(ExactSolution, BilateralJoint) { expect_no_error(slider(1, -kInf, kInf), impulses({-2}), -1); }

TEST(ExactSolution, JointLimit) {
  expect_no_error(slider(-1, 0, kInf), impulses({2}), -1);   // runs into it
  expect_no_error(slider(1, 0, kInf), impulses({0}), 0);     // leaves it
  expect_no_error(slider(1, -kInf, 0), impulses({-2}), -1);  // the mirror image
  expect_no_error(slider(-1, -kInf, 0), impulses({0}), 0);
}

// Target speed 3 m/s from rest: it would take 6 N s, the bound is 1: v+ = 1/2, y = -5/2 <= 0.
TEST(ExactSolution, MotorAtItsBound) {
  expect_no_error(slider(0, -1, 1, -3), impulses({1}), 0.25);
  expect_no_error(slider(0, -1, 1, 3), impulses({-1}), 0.25);
}

TEST(ExactSolution, MotorInsideItsBounds) {
  expect_no_error(slider(0, -8, 8, -3), impulses({6}), 9);
}

// Bounds 0, 0: a motor that is switched off says nothing about its velocity.
TEST(ExactSolution, MotorSwitchedOff) {
  expect_no_error(slider(1, 0, 0), impulses({0}), 0);
  expect_no_error(slider(-1, 0, 0), impulses({0}), 0);
}

TEST(ExactSolution, NothingTouches) { expect_no_error(empty_frame(2, 0), Impulses(0), 0); }

}  // namespace exact_solutions_test
}  // namespace perpend
