// normal_error, friction_error, total_error on answers that are wrong by a known amount.
#include <gtest/gtest.h>

#include <cmath>

#include "measure/scenes.hpp"

namespace perpend {
namespace complementarity_test {

using namespace scenes;

constexpr double kTolerance = 4e-15;  // square roots and a handful of roundings, size about 1

struct Three {
  double normal, friction, total;
};

void expect(const Frame& frame, const Impulses& lambda, const Three& expected) {
  const System system = assemble(frame);
  EXPECT_NEAR(measure(system, lambda, Measure::normal_error), expected.normal, kTolerance);
  EXPECT_NEAR(measure(system, lambda, Measure::friction_error), expected.friction, kTolerance);
  EXPECT_NEAR(measure(system, lambda, Measure::total_error), expected.total, kTolerance);
}

TEST(FischerBurmeister, IsZeroOnlyForComplementaryPairs) {
  EXPECT_EQ(fischer_burmeister(0, 3), 0);
  EXPECT_EQ(fischer_burmeister(3, 0), 0);
  EXPECT_EQ(fischer_burmeister(0, 0), 0);
  EXPECT_EQ(fischer_burmeister(0, -1), -2);
  EXPECT_EQ(fischer_burmeister(-1, 0), -2);
  EXPECT_NEAR(fischer_burmeister(3, 4), 2, kTolerance);
  EXPECT_NEAR(fischer_burmeister(-3, -4), -12, kTolerance);
  EXPECT_NEAR(fischer_burmeister(-3, 4), -4, kTolerance);
}

// a + b - sqrt(a^2 + b^2) = b - b^2/(2a) + ...; subtracting would leave rounding of a, 1e-10.
TEST(FischerBurmeister, DoesNotCancel) {
  EXPECT_NEAR(fischer_burmeister(1e6, 1e-6) / 1e-6, 1, 1e-12);
  EXPECT_NEAR(fischer_burmeister(1e-6, 1e6) / 1e-6, 1, 1e-12);
}

// y = 0, sigma = 1 - 2 = -1. friction: 1/2 tr(A_ff) 1 = 1/2 J. total: phi(-1, 0) = -2: 2.
TEST(FrictionError, SeesAForceOutsideTheConeEvenWhereNothingSlides) {
  expect(sliding(), impulses({2, -2, 0}), {0, 0.5, 2});
}

// y = (0, 3/2, 0), sigma = 0: direction 1 3/2 + 1 3/2 = 3 J. total: the Fritz-John row
// mu lambda_n v + lambda_f s = 3/2 + 3/2 = 3: 9/2.
TEST(FrictionError, SeesFrictionThatPushesForward) {
  expect(sliding(), impulses({2, 1, 0}), {0, 3, 4.5});
}

// lambda_f = (0, 1) across the motion: y = (0, 1, 1/2), s = sqrt(5)/2, sigma = 0:
// direction 1/2 + s. Fritz-John rows: (1, 1/2 + s): 1/2 (1 + 1/4 + s + 5/4) = 5/4 + s/2.
TEST(FrictionError, SeesFrictionAcrossTheMotion) {
  const double s = std::sqrt(5.0) / 2;
  expect(sliding(), impulses({2, 0, 1}), {0, 0.5 + s, 1.25 + s / 2});
}

// No friction although it slides: y = (0, 1, 0), s = 1, sigma = 1: s|sigma| = 1 J.
// phi(1, 1)^2 = (2 - sqrt 2)^2 = 6 - 4 sqrt 2, Fritz-John 1: total 7/2 - 2 sqrt 2.
TEST(FrictionError, SeesFrictionThatIsMissing) {
  expect(sliding(), impulses({2, 0, 0}), {0, 1, 3.5 - 2 * std::sqrt(2.0)});
}

// Friction is there, too strong and forward: y = (0, 2, 0), lambda_f = 2, sigma = -1:
// 2 1 + (4 + 4) + 1/2 1 = 21/2 J. phi(-1, 2) = 1 - sqrt 5; Fritz-John 2 + 4 = 6.
TEST(FrictionError, AddsItsThreeParts) {
  const double phi = 1 - std::sqrt(5.0);
  expect(sliding(), impulses({2, 2, 0}), {0, 10.5, 0.5 * phi * phi + 18});
}

// y_n = 2: phi(2, 2) = 4 - 2 sqrt 2; 1/2 (16 - 16 sqrt 2 + 8) = 12 - 8 sqrt 2.
// sigma = 1, s = 0: phi(1, 0) = 0.
TEST(NormalError, SeesAPushOnABlockThatLeaves) {
  const double e = 12 - 8 * std::sqrt(2.0);
  expect(separating(), impulses({2, 0, 0}), {e, 0, e});
}

// y_n = -1: phi(0, -1) = -2. y_t = 1/4 is free to slide: no force, no bound.
TEST(NormalError, SeesABlockThatSinks) { expect(sticking(), impulses({0, 0, 0}), {2, 0, 2}); }

// lambda_n = -2, y = 0: phi = -4. sigma = -1: 1/2 J, phi(-1, 0) = -2.
TEST(NormalError, SeesAContactThatPulls) {
  expect(separating(), impulses({-2, 0, 0}), {8, 0.5, 10});
}

double total_error(const Frame& frame, const Impulses& lambda) {
  return measure(assemble(frame), lambda, Measure::total_error);
}

TEST(TotalError, TakesABilateralRowByItsVelocity) {
  EXPECT_EQ(total_error(slider(1, -kInf, kInf), impulses({0})), 0.5);
}

TEST(TotalError, TakesALimitByPhi) {
  EXPECT_EQ(total_error(slider(-1, 0, kInf), impulses({0})), 2);  // phi(0, -1) = -2
  EXPECT_EQ(total_error(slider(1, -kInf, 0), impulses({0})), 2);  // its mirror image
  EXPECT_EQ(total_error(slider(1, 0, kInf), impulses({-2})), 8);  // phi(-2, 0) = -4
  EXPECT_EQ(total_error(slider(-1, -kInf, 0), impulses({2})), 8);
  // lambda counts from its bound: lower = 1, lambda = 1, y = -3/2 + 1/2 < 0: phi(0, -1) = -2.
  EXPECT_EQ(total_error(slider(-1.5, 1, kInf), impulses({1})), 2);
}

TEST(TotalError, TakesAMotorByPhiOfPhi) {
  // At the lower bound with y = -7/2: -phi(2, 7/2) = sqrt(65)/2 - 11/2, phi(0, that) = twice it.
  const double at_lower = 2 * (std::sqrt(65.0) / 2 - 5.5);
  EXPECT_NEAR(total_error(slider(0, -1, 1, -3), impulses({-1})), 0.5 * at_lower * at_lower,
              2 * kTolerance);
  // Inside with y = -3: x = -phi(1, 3) = sqrt 10 - 4, phi(1, x) = 1 + x - sqrt(1 + x^2).
  const double x = std::sqrt(10.0) - 4;
  const double phi = 1 + x - std::sqrt(1 + x * x);
  EXPECT_NEAR(total_error(slider(0, -1, 1, -3), impulses({0})), 0.5 * phi * phi, kTolerance);
}

TEST(NormalAndFrictionError, DoNotKnowJoints) {
  expect(slider(1, -kInf, kInf), impulses({0}), {0, 0, 0.5});
}

}  // namespace complementarity_test
}  // namespace perpend
