#include <gtest/gtest.h>

#include "perpend/solve.hpp"
#include "support/cone_checks.hpp"

namespace perpend {
namespace mncp_newton_test {

using boxes::kGravity;
constexpr const char* kSolver = "mncp/newton";
constexpr double kInfinity = std::numeric_limits<double>::infinity();
const std::string kFunctions[] = {"auto", "alart-curnier", "fischer-burmeister"};

Options tight(const std::string& function) {
  Options o = cones::tight();
  o.set["function"] = function;
  return o;
}

TEST(MncpNewton, StacksStandFromAColdStartWithEitherFunction) {
  // Sticking rows are off by at most e = 1e-10; a body on four of them at arms of 0.5 m moves by
  // less than 3 e against the one below.
  for (const std::string& function : kFunctions)
    for (const Frame& f : {boxes::column(10, 1, 1), boxes::column(8, 1, 1000), boxes::pyramid(5)}) {
      const System s = assemble(f);
      const Result r = solve(s, kSolver, tight(function));
      ASSERT_EQ(r.status, Status::converged) << function << ": " << r.message;
      EXPECT_LE(measure(s, r.impulses, Measure::velocity_error), 1e-10);
      EXPECT_LE(velocity_plus(s, r.impulses).cwiseAbs().maxCoeff(), 3e-10 * 10);
      EXPECT_LE(r.iterations, 60);
    }
}

TEST(MncpNewton, ItsVelocitiesAreThoseItsImpulsesMake) {
  // z = (v, lambda): the momentum rows hold to rounding, 1e-12 of speeds of 1 m/s.
  const System s = assemble(boxes::shaken(boxes::wall(3, 3), 0.3));
  const Result r = solve(s, kSolver, tight("auto"));
  ASSERT_EQ(r.status, Status::converged) << r.message;
  const Index n = s.dynamics->mass.rows();
  EXPECT_LT((r.z.head(n) - velocity_plus(s, r.impulses)).norm(), 1e-12);
}

TEST(MncpNewton, SlidingBlockLosesMuGHOfItsSpeed) {
  for (const std::string& function : kFunctions)
    cones::expect_brakes_a_sliding_block(kSolver, tight(function), 1e-9);
}

TEST(MncpNewton, AgreesWithSweepsWhereTheMotionIsUnique) {
  // Without friction v+ is unique, and for one box on a floor with it. Residuals below 1e-10 leave
  // two layers a small multiple of that.
  for (const Frame& f : {boxes::wall(3, 3, 0.0), boxes::column(1, 1, 1, 0.3)}) {
    const System s = assemble(boxes::shaken(f, 0.1));
    for (const std::string& function : kFunctions) {
      const Result newton = solve(s, kSolver, tight(function));
      checks::expect_same_motion(s, newton, solve(s, "ncp/nncg", cones::tight()), 1e-8);
    }
  }
}

// Joint rows along z between the world and a cube of 2 kg that falls.
Frame held(std::vector<double> rates, double lower = -kInfinity, double upper = kInfinity) {
  boxes::World w(0.01);
  const Index world = w.fixed(), cube = w.cube(2, 1, {0, 0, 0});
  Frame f = w.frame();
  const Index rows = static_cast<Index>(rates.size());
  f.joints = make_frame(0, 0, {rows}).joints;
  f.joints.pairs.row(0) << world, cube;
  f.joints.rate.resize(rows);
  for (Index k = 0; k < rows; ++k) {
    f.joints.jacobian.row(k).setZero();
    f.joints.jacobian(k, 2) = -1;
    f.joints.jacobian(k, 8) = 1;
    f.joints.bounds.row(k) << lower, upper;
    f.joints.rate[k] = rates[static_cast<std::size_t>(k)];
  }
  return f;
}

TEST(MncpNewton, RedundantJointsShareTheLoadAndMotorsGiveWay) {
  const double gh = kGravity * 0.01;
  for (const std::string& function : kFunctions) {
    const auto fall = [&](const Frame& f) {
      const System s = assemble(f);
      const Result r = solve(s, kSolver, tight(function));
      EXPECT_EQ(r.status, Status::converged) << r.message;
      return velocity_plus(s, r.impulses)[2];
    };
    EXPECT_NEAR(fall(held({0, 0, 0})), 0, 1e-9);
    EXPECT_NEAR(fall(held({-0.3}, -10, 10)), 0.3, 1e-9);
    // Half the weight's impulse is not enough.
    EXPECT_NEAR(fall(held({-0.3}, -gh, gh)), -gh / 2, 1e-9);
    EXPECT_NEAR(fall(held({-0.3}, 0, kInfinity)), 0.3, 1e-9);
  }
}

TEST(MncpNewton, WhatCannotBeHeldIsReportedHonestly) {
  // Two bilateral rows want different speeds of the same direction.
  const System s = assemble(held({0.5, -0.5}));
  const Result r = solve(s, kSolver, tight("auto"));
  EXPECT_EQ(r.status, Status::stalled) << r.message;
  EXPECT_TRUE(r.impulses.allFinite());
  EXPECT_GT(measure(s, r.impulses, Measure::velocity_error), 0.4);
  EXPECT_EQ(r.path, "alart-curnier > fischer-burmeister > alart-curnier");
}

TEST(MncpNewton, StartsFromAGivenAnswer) {
  const System s = assemble(boxes::shaken(boxes::wall(3, 3), 0.3));
  Options o = tight("auto");
  const Result cold = solve(s, kSolver, o);
  ASSERT_EQ(cold.status, Status::converged) << cold.message;
  o.warm_start = cold.impulses;
  o.tolerance = 2e-10;
  EXPECT_LE(solve(s, kSolver, o).iterations, 1);
}

}  // namespace mncp_newton_test
}  // namespace perpend
