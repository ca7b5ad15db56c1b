// Groups of alternatives count once: (sum of lambda_n, max of w).
#include <gtest/gtest.h>

#include <cmath>

#include "measure/scenes.hpp"

namespace perpend {
namespace groups_test {

using namespace scenes;

constexpr double kTolerance = 4e-15;

// A vertex of 2 kg falls at 1 m/s on the edge of a convex piece: face 0 looks up (gap 0), face 1
// to +x (gap as given, c = 8 gap). w_0 = -1 + lambda_n0/2, w_1 = 8 gap + lambda_n1/2.
Frame edge(double side_gap, std::int64_t group = 0) {
  Frame f = empty_frame(2, 2);
  add_floor(f, 0);
  f.bodies.masses[1] = 2;
  f.bodies.velocities(1, 2) = -1;
  touch(f, 0, 0, 1, Vector3d::UnitZ(), 0, 0.5);
  touch(f, 1, 0, 1, Vector3d::UnitX(), side_gap, 0.5);
  f.contacts.group = {group, group};
  return f;
}

const std::array kContactMeasures{Measure::velocity_error,    Measure::rms_violation,
                                  Measure::natural_map_error, Measure::normal_error,
                                  Measure::friction_error,    Measure::total_error,
                                  Measure::pgs_merit,         Measure::max_penetration};

// Half a metre behind face 1 is no error while face 0 holds.
TEST(Group, NeedsOnlyItsLargestGap) {
  const System system = assemble(edge(-0.5));
  ASSERT_EQ(system.groups.size(), 1U);
  ASSERT_EQ(system.groups[0].u, 0);
  const Impulses lambda = impulses({2, 0, 0, 0, 0, 0});
  for (const Measure m : kContactMeasures) EXPECT_EQ(measure(system, lambda, m), 0) << name(m);

  const System ordinary = assemble(edge(-0.5, -1));
  EXPECT_GT(measure(ordinary, lambda, Measure::velocity_error), 1);
  EXPECT_EQ(measure(ordinary, lambda, Measure::max_penetration), 0.5);
}

// One metre in front of face 1 the vertex may fall past face 0: w = max(-1, 8).
TEST(Group, IsOpenWhenOneOfItsFacesIs) {
  const System system = assemble(edge(1));
  ASSERT_EQ(system.groups[0].u, 1);
  for (const Measure m : kContactMeasures)
    EXPECT_EQ(measure(system, Impulses::Zero(6), m), 0) << name(m);
}

// Face 0 pushes although face 1 is open: pair (2, 8). 1/2 (10 - sqrt 68)^2 = 84 - 10 sqrt 68.
// Velocity: 2 - 2 8 projects to 0, 2/2 = 1 m/s. Natural map: residual 2, |lambda| = 2, |b| of the
// judged face = 1, y of the judged face (8, 0, 0): 2/8.
TEST(Group, SeesAPushAlongAFaceWhileAnotherIsOpen) {
  const System system = assemble(edge(1));
  const Impulses lambda = impulses({2, 0, 0, 0, 0, 0});
  EXPECT_NEAR(measure(system, lambda, Measure::normal_error), 84 - 10 * std::sqrt(68.0),
              100 * kTolerance);
  EXPECT_EQ(measure(system, lambda, Measure::velocity_error), 1);
  EXPECT_EQ(measure(system, lambda, Measure::rms_violation), 1);
  EXPECT_EQ(measure(system, lambda, Measure::natural_map_error), 0.25);
}

// Nothing pushes and the vertex sinks: the pair (0, -1) is counted once, at face u = 0.
// uhat = (-1, 0, 0): 1 m/s; phi(0, -1) = -2.
TEST(Group, ThatSinksCountsOnce) {
  const System system = assemble(edge(-0.5));
  EXPECT_EQ(measure(system, Impulses::Zero(6), Measure::velocity_error), 1);
  EXPECT_EQ(measure(system, Impulses::Zero(6), Measure::rms_violation), 1);
  EXPECT_EQ(measure(system, Impulses::Zero(6), Measure::natural_map_error), 1);
  EXPECT_EQ(measure(system, Impulses::Zero(6), Measure::normal_error), 2);
  EXPECT_EQ(measure(system, Impulses::Zero(6), Measure::total_error), 2);
  EXPECT_EQ(measure(system, Impulses::Zero(6), Measure::max_penetration), kStep);
}

// Normals are added over the faces. lambda_n = 1 and 1: w_0 = -1/2, w_1 = -4 + 1/2:
// pair (2, -1/2): phi = 3/2 - sqrt(17/4).
TEST(Group, AddsTheNormalImpulsesOfItsFaces) {
  const System system = assemble(edge(-0.5));
  const double phi = 1.5 - std::sqrt(4.25);
  EXPECT_NEAR(measure(system, impulses({1, 0, 0, 1, 0, 0}), Measure::normal_error), 0.5 * phi * phi,
              kTolerance);
}

// Face 1 pushes with 10 although u = 0: w_0 = -1, w_1 = -4 + 5 = 1: pair (10, 1).
TEST(Group, TakesTheLargestVelocityWhicheverFaceHasIt) {
  const double phi = 11 - std::sqrt(101.0);
  EXPECT_NEAR(measure(assemble(edge(-0.5)), impulses({0, 0, 0, 10, 0, 0}), Measure::normal_error),
              0.5 * phi * phi, 10 * kTolerance);
}

// Both gaps 0, v = (-1, 0, -2): u = 1, w = -1. Without friction at face 1 the residual is w itself;
// with mu = 1/2 at face 0 it would be 1/sqrt(1 + 1/4).
TEST(Group, ThatNothingPushesIsJudgedAtItsFaceU) {
  Frame frame = edge(0);
  frame.bodies.velocities.row(1).head<3>() << -1, 0, -2;
  frame.contacts.mu << 0.5, 0;
  const System system = assemble(frame);
  ASSERT_EQ(system.groups[0].u, 1);
  EXPECT_EQ(measure(system, Impulses::Zero(6), Measure::velocity_error), 1);
}

// Face 1 presses with 1 and face 0 with 0. Its tangents (n = x: t = y, o = z) see v_z = -1: face 1
// has s = 1, sigma = 1/2: s|sigma| = 1/2 J. Face 0 (lambda_n = 0) adds nothing even with friction 1
// on it (that friction would be worth 1/2 J outside the cone); in y it adds v_x = 1/2 to w_1 only.
TEST(Group, CountsFrictionOnlyWhereAFacePresses) {
  const System system = assemble(edge(-0.5));
  EXPECT_EQ(measure(system, impulses({0, 0, 0, 1, 0, 0}), Measure::friction_error), 0.5);
  EXPECT_EQ(measure(system, impulses({0, 1, 0, 1, 0, 0}), Measure::friction_error), 0.5);
  EXPECT_EQ(measure(system, impulses({0, 1, 0, 0, 0, 0}), Measure::friction_error), 0);
  // velocity_error judges every face that carries an impulse: friction without a normal impulse is
  // outside the cone.
  EXPECT_GT(measure(system, impulses({0, 1, 0, 0, 0, 0}), Measure::velocity_error), 0.4);
}

TEST(Group, OfOneFaceIsAnOrdinaryContact) {
  Frame alone = sliding(), grouped = sliding();
  grouped.contacts.group = {7};
  for (const Impulses& lambda :
       {impulses({2, -2, 0}), impulses({-2, 1, 0}), impulses({0, 0, 0}), impulses({0, 1, 0})})
    for (const Measure m : kContactMeasures)
      EXPECT_EQ(measure(assemble(grouped), lambda, m), measure(assemble(alone), lambda, m))
          << name(m);
}

// The box model keeps face u alone: b = (-1, 0, 0), from rest one sweep gives lambda_n = 2.
TEST(Group, IsItsFaceUToThePgsMerit) {
  const System system = assemble(edge(-0.5));
  EXPECT_EQ(measure(system, Impulses::Zero(6), Measure::pgs_merit), 4);
  EXPECT_EQ(measure(system, impulses({0, 0, 0, 5, 0, 0}), Measure::pgs_merit), 4);
  // u = 1, b_n = 8: a sweep takes its impulse of 2 away.
  EXPECT_EQ(measure(assemble(edge(1)), impulses({0, 0, 0, 2, 0, 0}), Measure::pgs_merit), 4);
}

TEST(Group, IsTheSameInBodySpaceAndInBlocks) {
  const System system = assemble(edge(-0.5));
  const Impulses lambda = impulses({1, 0.25, 0, 0.5, 0, -1});
  for (const Measure m : kContactMeasures)
    EXPECT_EQ(measure(with_blocks(system), lambda, m), measure(system, lambda, m)) << name(m);
}

TEST(SlideOrStick, ReadsTheJudgedFacesOfAGroup) {
  using States = std::vector<std::int8_t>;
  EXPECT_EQ(slide_or_stick(assemble(edge(-0.5)), impulses({2, 0, 0, 0, 0, 0})), (States{1, 0}));
  EXPECT_EQ(slide_or_stick(assemble(edge(1)), Impulses::Zero(6)), (States{0, 0}));
}

}  // namespace groups_test
}  // namespace perpend
