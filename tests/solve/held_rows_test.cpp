#include "perpend/solve/held_rows.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "support/held.hpp"
#include "support/solved.hpp"

namespace perpend {
namespace held_rows_test {

constexpr double kTolerance = 1e-10;  // m/s

// Two cubes of 1 kg on each other at rest; every corner carries its share.
struct Column {
  Frame frame = boxes::column(2, 1, 1);
  System system = assemble(frame);
  Impulses rest = Impulses::Zero(system.rows());
  HeldRows held;

  Column() {
    const double weight = boxes::kGravity * frame.step;
    for (Index i = 0; i < 8; ++i) rest[3 * i] = (i < 4 ? 2 : 1) * weight / 4;
  }
  std::optional<Result> answer(const Impulses& start) {
    return held.answer(system, start, checks::within(kTolerance));
  }
};

long factorizations(const Result& r) {
  return r.work[static_cast<std::size_t>(Work::factorization)];
}

TEST(HeldRows, TheImpulsesOfRestAreTheAnswer) {
  Column c;
  const std::optional<Result> r = c.answer(c.rest);
  ASSERT_TRUE(r);
  EXPECT_EQ(r->status, Status::converged);
  EXPECT_EQ(r->path, "start");
  EXPECT_EQ(r->impulses, c.rest);
  EXPECT_EQ(factorizations(*r), 0);
}

TEST(HeldRows, OneLinearSolveCarriesTheWeightToTheLastBits) {
  Column c;
  Impulses start = c.rest;
  start[0] *= 1.0001;
  start[1] += 1e-6;
  const std::optional<Result> r = c.answer(start);
  ASSERT_TRUE(r);
  EXPECT_EQ(r->path, "held");
  EXPECT_EQ(factorizations(*r), 1);
  EXPECT_LT(r->errors[Measure::velocity_error], 1e-13);
  double lower = 0, upper = 0;
  for (Index i = 0; i < 4; ++i) {
    lower += r->impulses[3 * i];
    upper += r->impulses[3 * (i + 4)];
  }
  const double weight = boxes::kGravity * c.frame.step;
  EXPECT_NEAR(lower, 2 * weight, 1e-13);
  EXPECT_NEAR(upper, weight, 1e-13);
  const Errors told = measure(c.system, r->impulses);
  for (const Measure m : {Measure::rms_violation, Measure::max_penetration, Measure::energy_change})
    EXPECT_NEAR(r->errors[m], told[m], 1e-14) << name(m);
}

// 1e5 kg on 1 kg: the last bits of the impulses make some 1e-12 m/s, and plain sums are off by more
// than the tolerance.
TEST(HeldRows, AHeavyTopIsHeldAndCertain) {
  const Frame frame = boxes::column(2, 1, 1e5);
  const System s = assemble(frame);
  Impulses start = Impulses::Zero(s.rows());
  const double weight = boxes::kGravity * frame.step;
  for (Index i = 0; i < 8; ++i) start[3 * i] = (1 + 1e-9) * (i < 4 ? 1e5 + 1 : 1e5) * weight / 4;
  HeldRows held;
  const std::optional<Result> r = held.answer(s, start, checks::within(kTolerance));
  ASSERT_TRUE(r);
  EXPECT_EQ(r->path, "held");
  const Bounded plain = bounded_velocity_error(s, r->impulses);
  const Bounded exact = bounded_velocity_error(s, r->impulses, Sums::compensated);
  EXPECT_GT(plain.error + plain.rounding, kTolerance);
  EXPECT_LE(exact.error + exact.rounding, kTolerance);
  EXPECT_EQ(r->errors[Measure::velocity_error], exact.error);
}

// Both cubes 0.9e-10 m/s too fast: within the tolerance now, three times as much in the next step.
TEST(HeldRows, AStartThatWillSoonFallShortIsSolvedNow) {
  Column c;
  Impulses start = c.rest;
  for (Index i = 0; i < 8; ++i) start[3 * i] += (i < 4 ? 2 : 1) * 0.9e-10 / 4;
  ASSERT_LT(measure(c.system, start, Measure::velocity_error), kTolerance);
  const std::optional<Result> r = c.answer(start);
  ASSERT_TRUE(r);
  EXPECT_EQ(r->path, "held");
  EXPECT_LT(r->errors[Measure::velocity_error], 1e-13);
}

TEST(HeldRows, OthersAnswerWhatIsFarOrSlidesOrHasToChange) {
  Column c;
  EXPECT_FALSE(c.answer({})) << "nothing pushes yet";

  // A force of twice what friction can hold: it slides, and at the impulses that say so.
  Frame pushed = c.frame;
  pushed.bodies.forces(2, 0) = 2 * 0.5 * boxes::kGravity;
  const System s = assemble(pushed);
  Options o = checks::within(1e-3 * kTolerance);
  const Result slides = solve(s, "ncp/auto", o);
  ASSERT_EQ(slides.status, Status::converged);
  Impulses start = slides.impulses;
  start[0] += 1e-7;
  EXPECT_FALSE(c.held.answer(s, start, checks::within(kTolerance)));

  // The upper cube is lifted a little faster than it falls: all its corners open.
  Frame lifted = c.frame;
  lifted.bodies.forces(2, 2) = 1e-5;
  const System open = assemble(lifted);
  EXPECT_FALSE(c.held.answer(open, c.rest, checks::within(kTolerance)));
}

TEST(HeldRows, AnOpenContactPushesNothing) {
  Column c;
  Frame apart = c.frame;
  apart.contacts.gap.tail(4).setConstant(1e-3);
  apart.bodies.forces(2, 2) = 0;  // floats above the other
  const System s = assemble(apart);
  Impulses start = Impulses::Zero(s.rows());
  for (Index i = 0; i < 4; ++i) start[3 * i] = (1 + 1e-6) * boxes::kGravity * c.frame.step / 4;
  const std::optional<Result> r = c.held.answer(s, start, checks::within(kTolerance));
  ASSERT_TRUE(r);
  EXPECT_EQ(r->path, "held");
  EXPECT_EQ(r->impulses.tail(12), Impulses::Zero(12));
  EXPECT_NEAR(r->impulses.sum(), boxes::kGravity * c.frame.step, 1e-13);
}

TEST(HeldRows, JointsAloneAreOneFactorForEveryRightHandSide) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const System s = assemble(boxes::held(-kInfinity, kInfinity));
  HeldRows held;
  EXPECT_FALSE(held.all());
  const std::optional<Result> r = held.answer(s, {}, checks::within(kTolerance));
  ASSERT_TRUE(r);
  EXPECT_EQ(r->path, "linear");
  EXPECT_NEAR(r->impulses[0], 2 * 9.81 * 0.01, 1e-12);
  ASSERT_TRUE(held.all());
  VectorXd change;
  held.step(VectorXd::Constant(1, 3.0), change);
  EXPECT_NEAR(change[0], -2 * 3.0, 1e-5) << "2 kg";
  const Impulses some = Impulses::Constant(1, 0.7);
  held.respond(some);
  EXPECT_EQ(held.change(), velocity_plus(s, some) - s.dynamics->free_velocity);
  EXPECT_EQ(held.velocities(s, some), relative_velocity(s, some));

  HeldRows other;
  EXPECT_FALSE(other.hold_all(assemble(boxes::held(0, kInfinity))));
  ASSERT_TRUE(other.hold_all(s));
  VectorXd same;
  other.step(VectorXd::Constant(1, 3.0), same);
  EXPECT_EQ(same, change);
}

TEST(HeldRows, WhatIsKeptDoesNotChangeTheBits) {
  Column c;
  Impulses start = c.rest;
  start[4] += 1e-6;
  const std::optional<Result> fresh = Column().answer(start);
  c.answer(c.rest);
  HeldRows& used = c.held;
  used.answer(assemble(boxes::pyramid(3)), Impulses::Zero(12 * 9), checks::within(kTolerance));
  const std::optional<Result> again = c.answer(start);
  ASSERT_TRUE(fresh && again);
  EXPECT_EQ(again->impulses, fresh->impulses);
}

}  // namespace held_rows_test
}  // namespace perpend
