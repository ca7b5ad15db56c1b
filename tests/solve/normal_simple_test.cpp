#include <gtest/gtest.h>

#include "perpend/solve.hpp"
#include "support/boxes.hpp"
#include "support/normal_checks.hpp"
#include "support/shaken.hpp"

namespace perpend {
namespace normal_simple_test {

using scenes::impulses;

TEST(NormalSimple, StopsOneContactInOneSweep) {
  // The printed f_i = f_i - q/A_ii would never settle here.
  const Result r = solve(assemble(scenes::sliding()), "normal/simple");
  EXPECT_EQ(r.status, Status::converged);
  EXPECT_EQ(r.iterations, 1);
  EXPECT_EQ(r.impulses, impulses({2, 0, 0}));
  EXPECT_EQ(r.errors[Measure::own_error], 0);
}

TEST(NormalSimple, LetsGoOfAContactThatOpens) {
  normal_checks::expect_lets_go_of_a_contact_that_opens("normal/simple");
}

TEST(NormalSimple, SweepIsAlgorithmOneOnTwoContacts) {
  // Two cubes of 1 kg on each other with central contacts: A = (1, -1; -1, 2) after the floor's
  // row, so the sweep can be followed by hand. h = 1/8 s, weight 8 N each: b = (-1, 0).
  Frame f = scenes::empty_frame(3, 2);
  scenes::add_floor(f, 0);
  f.bodies.forces.bottomRows(2).col(2).setConstant(-8);
  scenes::touch(f, 0, 0, 1, Vector3d::UnitZ(), 0, 0.5);
  scenes::touch(f, 1, 1, 2, Vector3d::UnitZ(), 0, 0.5);
  Options options;
  options.max_iterations = 1;
  const System s = assemble(f);
  // f_1 = 1; then q = b_2 - f_1 = -1, f_2 = 1/2.
  const Result once = solve(s, "normal/simple", options);
  EXPECT_EQ(once.impulses, impulses({1, 0, 0, 0.5, 0, 0}));
  EXPECT_EQ(once.status, Status::iteration_limit);
  // The limit is 2 and 1: both weights below, one between. Each sweep halves the error: 1e-8 takes
  // 27 of them.
  const Result r = solve(s, "normal/simple");
  EXPECT_EQ(r.status, Status::converged);
  EXPECT_NEAR(r.impulses[0], 2, 1e-7);
  EXPECT_NEAR(r.impulses[3], 1, 1e-7);
  EXPECT_NEAR(static_cast<double>(r.iterations), 27, 2);
}

TEST(NormalSimple, HoldsRedundantContacts) {
  const System s = assemble(boxes::column(2, 1, 1, 0));
  const Result r = solve(s, "normal/simple");
  ASSERT_EQ(r.status, Status::converged) << r.message;
  EXPECT_LT(r.errors[Measure::velocity_error], 1e-7);  // mu = 0: Coulomb's law is the same
}

TEST(NormalSimple, WarmStartGoesOnWhereItWas) {
  const System s = assemble(boxes::shaken(boxes::column(3, 1, 1, 0), 0.5));
  Options options;
  const Result cold = solve(s, "normal/simple", options);
  options.warm_start = cold.impulses;
  options.tolerance = 1e-9;
  const Result warm = solve(s, "normal/simple", options);
  options.warm_start = {};
  const Result longer = solve(s, "normal/simple", options);
  ASSERT_EQ(warm.status, Status::converged);
  EXPECT_EQ(warm.iterations + cold.iterations, longer.iterations);
}

TEST(NormalSimple, AtAccelerationLevelGivesTheForcesOfRestingContacts) {
  Frame f = scenes::block({0, 0, 0}, {0, 0, -16});
  Options options;
  options.set["level"] = "acceleration";
  EXPECT_EQ(solve(assemble(f), "normal/simple", options).impulses, impulses({2, 0, 0}));
  // A contact that closes at 1 m/s is a collision, which Preda and Florian leave to others.
  f.bodies.velocities(1, 2) = -1;
  EXPECT_EQ(solve(assemble(f), "normal/simple", options).impulses, impulses({0, 0, 0}));
  EXPECT_EQ(solve(assemble(f), "normal/simple").impulses, impulses({4, 0, 0}));
}

TEST(NormalSimple, RefusesJoints) {
  const Result r = solve(assemble(scenes::slider(1, -1, 1)), "normal/simple");
  EXPECT_EQ(r.status, Status::invalid_input);
  EXPECT_NE(r.message.find("joint"), std::string::npos) << r.message;
}

}  // namespace normal_simple_test
}  // namespace perpend
