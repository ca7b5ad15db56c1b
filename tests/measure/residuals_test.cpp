// velocity_error, rms_violation, natural_map_error on answers that are wrong by a known amount.
#include <gtest/gtest.h>

#include <cmath>

#include "measure/scenes.hpp"
#include "perpend/measure/velocity_errors.hpp"

namespace perpend {
namespace residuals_test {

using namespace scenes;

// Each value is one square root and a handful of roundings on numbers of size about 1.
constexpr double kTolerance = 4e-15;

double velocity_error(const Frame& frame, const Impulses& lambda) {
  return measure(assemble(frame), lambda, Measure::velocity_error);
}

// y = 0, so the residual is lambda - P_K(lambda) = (2, -2) - (12/5, -6/5) = (-2/5, -4/5),
// |.|^2 = 4/5, over rho = 2: sqrt(1/5) m/s.
TEST(VelocityError, SeesAForceOutsideTheCone) {
  EXPECT_NEAR(velocity_error(sliding(), impulses({2, -2, 0})), std::sqrt(0.2), kTolerance);
}

// y = (0, 3/2, 0), uhat = (3/4, 3/2, 0): lambda - 2 uhat = (1/2, -2), its projection
// (1/2 + 1)/(5/4) (1, -1/2) = (6/5, -3/5), residual (4/5, 8/5), |.|^2 = 16/5, over 2: sqrt(4/5).
TEST(VelocityError, SeesFrictionThatPushesForward) {
  EXPECT_NEAR(velocity_error(sliding(), impulses({2, 1, 0})), std::sqrt(0.8), kTolerance);
}

// y = (0, 1, 0): uhat = (1/2, 1, 0): lambda - 2 uhat = (1, -2), projection (8/5, -4/5), residual
// (2/5, 4/5), |.|^2 = 4/5, over 2: sqrt(1/5).
TEST(VelocityError, SeesFrictionThatIsMissing) {
  EXPECT_NEAR(velocity_error(sliding(), impulses({2, 0, 0})), std::sqrt(0.2), kTolerance);
}

// b_n = 1, lambda_n = 2 gives y_n = 2: 2 - 2 2 < 0 projects to 0, residual 2, over 2: 1 m/s.
TEST(VelocityError, SeesAPushOnABlockThatLeaves) {
  EXPECT_EQ(velocity_error(separating(), impulses({2, 0, 0})), 1);
}

// One contact is wrong as above, the other holds: the part of each is its own, the largest the
// measure.
TEST(VelocityError, HasAPartOfEachContact) {
  Frame frame = empty_frame(3, 2);
  frame.bodies.masses << 0, 2, 2;
  frame.bodies.velocities(2, 2) = -1;
  touch(frame, 0, 0, 1, Vector3d::UnitZ(), 0, 0.5);
  touch(frame, 1, 0, 2, Vector3d::UnitZ(), 0, 0.5);
  const System system = assemble(frame);
  const Impulses lambda = impulses({0, 0, 0, 1, 0, 0});  // half of what stops the second
  const VectorXd parts = velocity_errors(system, lambda);
  ASSERT_EQ(parts.size(), 2);
  EXPECT_EQ(parts[0], 0);
  EXPECT_NEAR(parts[1], 0.5, kTolerance);
  EXPECT_EQ(parts.maxCoeff(), measure(system, lambda, Measure::velocity_error));
}

// y = b = (-1, 1/4, 0): uhat = (-7/8, 1/4), -2 uhat = (7/4, -1/2) is in K: the residual / rho is
// |uhat| = sqrt(49/64 + 4/64).
TEST(VelocityError, SeesABlockThatSinks) {
  EXPECT_NEAR(velocity_error(sticking(), impulses({0, 0, 0})), std::sqrt(53.0) / 8, kTolerance);
}

// lambda_n = -2 holds the leaving block back: y = 0, P_K(-2) = 0: 2/2 = 1 m/s.
TEST(VelocityError, SeesAContactThatPulls) {
  EXPECT_EQ(velocity_error(separating(), impulses({-2, 0, 0})), 1);
}

// The engine's sign convention turned round: friction of the right size on the wrong body.
TEST(VelocityError, SeesTheWrongSignBetweenTwoMovingBodies) {
  Frame frame = empty_frame(2, 1);
  frame.bodies.masses.setConstant(2);
  frame.bodies.velocities(0, 0) = 1;  // body 0 moves under body 1: y_t = -1
  frame.bodies.velocities(1, 2) = -2;
  touch(frame, 0, 0, 1, Vector3d::UnitZ(), 0, 0.25);
  EXPECT_EQ(velocity_error(frame, impulses({2, 0.5, 0})), 0);
  EXPECT_GT(velocity_error(frame, impulses({2, -0.5, 0})), 0.5);
}

// Bilateral: |y|. Limit: |min(lambda/rho, y)|. Motor: lambda - clamp(lambda - rho y, -1, 1).
TEST(VelocityError, SeesJointRowsInMetresPerSecond) {
  EXPECT_EQ(velocity_error(slider(1, -kInf, kInf), impulses({0})), 1);
  EXPECT_EQ(velocity_error(slider(-1, 0, kInf), impulses({0})), 1);
  EXPECT_EQ(velocity_error(slider(1, 0, kInf), impulses({-2})), 1);   // y = 0, pulls
  EXPECT_EQ(velocity_error(slider(1, 0, kInf), impulses({1})), 0.5);  // y = 3/2, lambda/rho = 1/2
  // lambda = 0: y = -3, 0 + 6 is clamped to 1: 1/2 m/s. lambda = -1: y = -7/2, 2/2 m/s.
  EXPECT_EQ(velocity_error(slider(0, -1, 1, -3), impulses({0})), 0.5);
  EXPECT_EQ(velocity_error(slider(0, -1, 1, -3), impulses({-1})), 1);
  // Beyond the bound: lambda = 2, y = -2, clamped to 1.
  EXPECT_EQ(velocity_error(slider(0, -1, 1, -3), impulses({2})), 0.5);
}

// No diagonal: rho = 1. A row that nothing can move is as wrong as its velocity says.
// Row 0 holds the place of a cube of 2 kg, row 1 its angle: lambda = 0 leaves 0.3 m/s, 0.7 rad/s.
TEST(JointError, TellsMetresFromRadians) {
  Frame f = make_frame(2, 0, {2});
  f.step = 1;
  f.bodies.masses << 0, 2;
  f.bodies.inertia.row(1) << 3, 0, 0, 0, 3, 0, 0, 0, 3;
  f.bodies.velocities.row(1) << 0.3, 0, 0, 0, 0, -0.7;
  f.joints.pairs.row(0) << 0, 1;
  f.joints.jacobian.setZero();
  f.joints.jacobian(0, 6) = f.joints.jacobian(1, 11) = 1;
  const System s = assemble(f);
  const Errors errors = measure(s, VectorXd::Zero(2));
  EXPECT_NEAR(errors[Measure::joint_error], 0.3, kTolerance);
  EXPECT_NEAR(errors[Measure::joint_turn_error], 0.7, kTolerance);
  EXPECT_NEAR(errors[Measure::velocity_error], 0.7, kTolerance);
  EXPECT_FALSE(measure(with_blocks(s), VectorXd::Zero(2)).has(Measure::joint_error));
}

// 0.3 m/s towards a spring whose impulse is the right one, then one that is twice as large:
// A = 1/2 + 1/4, the residual is |y| = 0.3.
TEST(JointError, OfASpringIsWhatItsLawLeaves) {
  Frame f = make_frame(2, 0, {1});
  f.step = 1;
  f.bodies.masses << 0, 2;
  f.bodies.inertia.row(1) << 3, 0, 0, 0, 3, 0, 0, 0, 3;
  f.bodies.velocities.row(1) << 0.3, 0, 0, 0, 0, 0;
  f.joints.pairs.row(0) << 0, 1;
  f.joints.jacobian.setZero();
  f.joints.jacobian(0, 6) = 1;
  f.joints.compliance = VectorXd::Constant(1, 0.25);
  const System s = assemble(f);
  EXPECT_NEAR(measure(s, VectorXd::Constant(1, -0.4), Measure::joint_error), 0, kTolerance);
  EXPECT_NEAR(measure(s, VectorXd::Constant(1, -0.8), Measure::joint_error), 0.3, kTolerance);
}

TEST(VelocityError, UsesUnitMassWhereNothingCanMove) {
  const System system = assemble(matrix(4, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}),
                                 impulses({-0.5, 0, 0, 0.25}), VectorXd::Zero(1),
                                 VectorXd::Constant(1, -kInf), VectorXd::Constant(1, kInf));
  EXPECT_EQ(measure(system, Impulses::Zero(4), Measure::velocity_error), 0.5);
  EXPECT_NEAR(measure(system, Impulses::Zero(4), Measure::rms_violation),
              std::sqrt((0.25 + 0.0625) / 2), kTolerance);
}

// A grain of 1e-6 kg falls at 1 m/s and is thrown up at 1 m/s by 2e-6 N s, beside a block of a
// tonne at rest. normal_error 2e-12, because 1/2 phi(2e-6, 1)^2 = 1/2 (2e-6)^2 (1 -
// 2e-6).
TEST(VelocityError, CatchesTheGrainBesideTheTonne) {
  Frame frame = empty_frame(3, 2);
  add_floor(frame, 0);
  frame.bodies.masses << 0, 1e-6, 1000;
  frame.bodies.inertia.row(1) *= 1e-6;
  frame.bodies.velocities(1, 2) = -1;
  frame.bodies.forces(2, 2) = -8000;  // b_n = -1 m/s, held by 1,000 N s
  touch(frame, 0, 0, 1, Vector3d::UnitZ(), 0, 0.5);
  touch(frame, 1, 0, 2, Vector3d::UnitZ(), 0, 0.5);
  const System system = assemble(frame);
  const Impulses lambda = impulses({2e-6, 0, 0, 1000, 0, 0});
  // phi(2e-6, 1) = 2e-6 (1 - 1e-6 + ...): relative 2e-6 below 2e-12.
  EXPECT_NEAR(measure(system, lambda, Measure::normal_error), 2e-12, 1e-17);
  // The grain: 2e-6 - rho 1 = 1e-6 stays, the residual is 1e-6 N s, over rho 1 m/s.
  EXPECT_NEAR(measure(system, lambda, Measure::velocity_error), 1, 1e-14);
  // To a relative norm over impulses of a tonne it is nothing.
  EXPECT_LT(measure(system, lambda, Measure::natural_map_error), 3e-9);
}

// Grams instead of kilograms: masses, inertias, forces and impulses times 1,000.
TEST(VelocityError, DoesNotDependOnTheUnitOfMass) {
  Frame frame = block({0.3, -0.2, -1}, {3, 1, -20}, 0.4, 0.01);
  frame.contacts.points2.row(0) << 0.1, 0.2, -0.3;
  Frame grams = frame;
  grams.bodies.masses *= 1000;
  grams.bodies.inertia *= 1000;
  grams.bodies.forces *= 1000;
  const Impulses lambda = impulses({1.5, -0.7, 0.1});
  const System kg = assemble(frame), g = assemble(grams);
  for (const Measure m : {Measure::velocity_error, Measure::rms_violation}) {
    const double expected = measure(kg, lambda, m);
    EXPECT_GT(expected, 0.01);
    // Some fifty roundings on numbers of size about 1.
    EXPECT_NEAR(measure(g, 1000 * lambda, m), expected, 1e-14);
  }
  const double natural = measure(kg, lambda, Measure::natural_map_error);
  EXPECT_GT(std::abs(measure(g, 1000 * lambda, Measure::natural_map_error) - natural), 0.01);
}

// Contact residuals 1 (pushed while leaving) and 0 (at rest), one joint row of 1: sqrt(2/3).
TEST(RmsViolation, AveragesOverContactsAndJointRows) {
  Frame frame = empty_frame(3, 2, {1});
  add_floor(frame, 0);
  frame.bodies.masses << 0, 2, 2;
  frame.bodies.velocities(1, 2) = 1;
  frame.bodies.velocities(2, 0) = 1;
  touch(frame, 0, 0, 1, Vector3d::UnitZ(), 0, 0.5);
  touch(frame, 1, 0, 2, Vector3d::UnitZ(), 0, 0);
  frame.joints.pairs.row(0) << 0, 2;
  frame.joints.jacobian.setZero();
  frame.joints.jacobian(0, 6) = 1;
  frame.joints.bounds.row(0) << -kInf, kInf;
  const System system = assemble(frame);
  const Impulses lambda = impulses({2, 0, 0, 0, 0, 0, 0});
  EXPECT_NEAR(measure(system, lambda, Measure::rms_violation), std::sqrt(2.0 / 3), kTolerance);
  EXPECT_EQ(measure(system, lambda, Measure::velocity_error), 1);
}

// The residual with rho = 1, divided by the largest of |b|, |lambda|, |y|.
TEST(NaturalMapError, IsRelativeToTheLargestVector) {
  // y = 0: residual^2 = 4/5, |b|^2 = 2, |lambda|^2 = 8: sqrt(1/10).
  EXPECT_NEAR(measure(assemble(sliding()), impulses({2, -2, 0}), Measure::natural_map_error),
              std::sqrt(0.1), kTolerance);
  // lambda = 0: y = b = (-1, 1/4): -uhat = (7/8, -1/4) in K, |uhat|^2 = 53/64, |b|^2 = 17/16.
  EXPECT_NEAR(measure(assemble(sticking()), impulses({0, 0, 0}), Measure::natural_map_error),
              std::sqrt(53.0 / 68), kTolerance);
  // b = 1, lambda = 2, y = 2: 2 - P(0) = 2, over 2.
  EXPECT_EQ(measure(assemble(separating()), impulses({2, 0, 0}), Measure::natural_map_error), 1);
}

// Bilateral, lambda = 2: y = 2, clamp does nothing, residual y = 2; |b| = 1, |lambda| = |y| = 2.
TEST(NaturalMapError, TakesJointRowsWithClamp) {
  EXPECT_EQ(measure(assemble(slider(1, -kInf, kInf)), impulses({2}), Measure::natural_map_error),
            1);
  // Motor with bounds 1: y = -3 + 1 = -2 at lambda = 2: 2 - clamp(4, -1, 1) = 1, over |b| = 3.
  EXPECT_NEAR(measure(assemble(slider(0, -1, 1, -3)), impulses({2}), Measure::natural_map_error),
              1.0 / 3, kTolerance);
}

TEST(NaturalMapError, OfNothingIsNothing) {
  EXPECT_EQ(
      measure(assemble(block({0, 0, 0}, {0, 0, 0})), Impulses::Zero(3), Measure::natural_map_error),
      0);
}

}  // namespace residuals_test
}  // namespace perpend
