// One sweep of the box model, and the merit it gives.
#include "measure/box_sweep.hpp"

#include <gtest/gtest.h>

#include "measure/scenes.hpp"

namespace perpend {
namespace box_sweep_test {

using namespace scenes;

struct Swept {
  Impulses lambda;
  double squared_change;
};

Swept sweep(const System& system, const Impulses& start, Bounds bounds = Bounds::newest) {
  return with_state(system, [&](auto& state) {
    state.set(start);
    const double change = box_sweep(system, row_diagonal(system), state, bounds);
    return Swept{state.lambda(), change};
  });
}

// b = (-1, 1, 0), A = I/2, from rest: lambda_n = 2, and friction wants -2.
TEST(BoxSweep, ReadsTheNewestNormalImpulseForTheBoundOfFriction) {
  const System system = assemble(sliding());
  const Swept swept = sweep(system, Impulses::Zero(3));
  EXPECT_EQ(swept.lambda, impulses({2, -1, 0}));
  EXPECT_EQ(swept.squared_change, 5);
}

TEST(BoxSweep, ReadsTheOldNormalImpulseWhenLagged) {
  const System system = assemble(sliding());
  EXPECT_EQ(sweep(system, Impulses::Zero(3), Bounds::lagged).lambda, impulses({2, 0, 0}));
  // From lambda_n = 1 the lagged bound is 1/2.
  EXPECT_EQ(sweep(system, impulses({1, 0, 0}), Bounds::lagged).lambda, impulses({2, -0.5, 0}));
  // An extrapolated iterate may pull; it gives friction no room, and no empty interval.
  EXPECT_EQ(sweep(system, impulses({-1, 0, 0}), Bounds::lagged).lambda, impulses({2, 0, 0}));
}

// n: (2)/2 = 1; then y_t = 1 + 1 = 2, t: -1, just inside +-1; o wants -4 and gets -1.
// (t before n would give t: -1/2.)
TEST(BoxSweep, VisitsNormalThenTangentRowsWithVelocitiesKeptUpToDate) {
  const System system = assemble(matrix(3, {2, 1, 0,  //
                                            1, 2, 0,  //
                                            0, 0, 1}),
                                 impulses({-2, 1, 4}), VectorXd::Ones(1));
  EXPECT_EQ(sweep(system, Impulses::Zero(3)).lambda, impulses({1, -1, -1}));
}

// A contact with mu = 1 and a bilateral joint row.
System contact_and_joint(std::initializer_list<double> A, std::initializer_list<double> b) {
  return assemble(matrix(4, A), impulses(b), VectorXd::Ones(1), VectorXd::Constant(1, -kInf),
                  VectorXd::Constant(1, kInf));
}

// Joint first: -3; then y_n = -2 - 3 = -5, n: 5/2. (Contact first would give n: 1, joint: -4.)
TEST(BoxSweep, VisitsJointsBeforeContacts) {
  const System system = contact_and_joint({2, 0, 0, 1,  //
                                           0, 1, 0, 0,  //
                                           0, 0, 1, 0,  //
                                           1, 0, 0, 1},
                                          {-2, 0, 0, 3});
  const Swept swept = sweep(system, Impulses::Zero(4));
  EXPECT_EQ(swept.lambda, impulses({2.5, 0, 0, -3}));
  EXPECT_EQ(swept.squared_change, 15.25);
}

// Two contacts on one body: the second sees what the first did. Contact 0 alone stops the fall.
TEST(BoxSweep, VisitsContactsInFileOrder) {
  Frame frame = empty_frame(2, 2);
  add_floor(frame, 0);
  frame.bodies.masses[1] = 2;
  frame.bodies.velocities(1, 2) = -1;
  for (Index i = 0; i < 2; ++i) touch(frame, i, 0, 1, Vector3d::UnitZ(), 0, 0.5);
  EXPECT_EQ(sweep(assemble(frame), Impulses::Zero(6)).lambda, impulses({2, 0, 0, 0, 0, 0}));
}

TEST(BoxSweep, SkipsRowsWithZeroDiagonal) {
  const auto diagonal = {2.0, 0., 0., 0., 0., 0., 0., 0., 0., 0., 1.0, 0., 0., 0., 0., 0.};
  const System system = contact_and_joint(diagonal, {-2, 5, 0, 7});
  EXPECT_EQ(sweep(system, impulses({0, 9, 0, 8})).lambda, impulses({1, 9, 0, 8}));
}

TEST(BoxSweep, TakesTheEnginesFrictionBoundsWhereTheyAreFinite) {
  System system = assemble(block({0, 0, 0}, {16, 16, -16}));  // b = (-1, 1, 1)
  system.friction_bounds.resize(1, 2);
  system.friction_bounds << 0.25, kInf;
  EXPECT_EQ(sweep(system, Impulses::Zero(3)).lambda, impulses({2, -0.25, -1}));
}

TEST(BoxSweep, HoldsAMotorAtItsBound) {
  // Target speed 3 m/s from rest, bound 1 N s: y = -3, wanted 6, given 1.
  EXPECT_EQ(sweep(assemble(slider(0, -1, 1, -3)), Impulses::Zero(1)).lambda, impulses({1}));
}

TEST(BoxSweep, IsTheSameInBodySpaceAndInBlocks) {
  const System system = assemble(sliding());
  const Impulses start = impulses({0.5, 0.25, -0.25});
  EXPECT_EQ(sweep(system, start).lambda, sweep(with_blocks(system), start).lambda);
}

TEST(PgsMerit, IsTheSquaredChangeOfOneSweep) {
  const System system = assemble(sliding());
  EXPECT_EQ(measure(system, Impulses::Zero(3), Measure::pgs_merit), 5);
  EXPECT_EQ(measure(system, Impulses::Zero(3), Measure::pgs_merit, Bounds::lagged), 4);
  EXPECT_EQ(measure(system, impulses({2, -1, 0}), Measure::pgs_merit), 0);
}

}  // namespace box_sweep_test
}  // namespace perpend
