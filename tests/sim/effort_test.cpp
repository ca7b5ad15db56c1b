#include "sim/effort.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>

#include "sim/build.hpp"
#include "sim/record.hpp"

namespace perpend::sim {
namespace effort_test {

Island island(std::size_t bodies, std::size_t contacts, std::size_t joint_rows = 0) {
  Island out;
  out.bodies.resize(bodies);
  out.contacts.resize(contacts);
  out.joint_rows.resize(joint_rows);
  return out;
}

Scene named(const std::string& name) {
  std::string why;
  return *scene_named(name, 2, why);
}

SimulateOptions with(const std::string& effort, const std::string& solver = "ncp/auto") {
  SimulateOptions options;
  options.step.effort = *effort_named(effort);
  options.step.solver = solver;
  return options;
}

// Ten bars of 1 m on hinges, the first on the world, let go horizontally.
Scene chain() {
  Scene scene;
  scene.name = "chain";
  for (Index k = 0; k < 10; ++k) {
    Body bar;
    bar.name = "bar " + std::to_string(k);
    bar.mass = 1;
    bar.shape.half_extents = Vector3d(0.45, 0.05, 0.05);
    bar.pose.position = Vector3d(static_cast<double>(k) + 0.5, 0, 0);
    scene.bodies.push_back(bar);
    Joint hinge;
    hinge.name = "hinge " + std::to_string(k);
    hinge.first = k - 1;
    hinge.second = k;
    hinge.frame.position = Vector3d(static_cast<double>(k), 0, 0);
    hinge.frame.orientation =
        Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitZ(), Vector3d::UnitY());
    scene.joints.push_back(hinge);
  }
  return scene;
}

TEST(Effort, HasANameThatReadsBack) {
  for (const char* text : {"exact", "real-time", "1", "40"})
    EXPECT_EQ(name(*effort_named(text)), text);
  for (const char* text : {"", "0", "-3", "8ms", "fast", "4.5", "12 "})
    EXPECT_FALSE(effort_named(text)) << text;
}

TEST(Effort, IsSpreadBySizeAndKeepsAPartBack) {
  Account account(*effort_named("10"), true);
  const std::vector<Island> islands{island(3, 30), island(300, 900)};
  account.open(islands);
  EXPECT_DOUBLE_EQ(account.share(), 8) << "sweeps of each over its own contacts";
  account.pay(islands[0], 8);
  account.pay(islands[1], 8);
  EXPECT_NEAR(account.sweeps(), 8, 1e-12);
  EXPECT_FALSE(account.over());
  account.open(islands);
  EXPECT_NEAR(account.share(), 1, 1e-12) << "half of what is left";
  account.pay(islands[1], 10);
  EXPECT_TRUE(account.over());
  EXPECT_EQ(account.share(), 1) << "a sweep at least";
}

TEST(Effort, GivesASecondSolveATenthEvenAsADebt) {
  Account account(*effort_named("50"));
  const std::vector<Island> islands{island(3, 30)};
  account.open(islands);
  EXPECT_EQ(account.share(), 50) << "nothing to correct, nothing kept back";
  account.pay(islands[0], 50);
  EXPECT_TRUE(account.over());
  account.open(islands);
  EXPECT_EQ(account.share(), 5);
}

TEST(Effort, OfASecondSolveGoesToWhatHasChanged) {
  Account account(*effort_named("50"));
  const std::vector<Island> islands{island(3, 30), island(6, 60)};
  account.open(islands);
  account.pay(islands[0], 50);
  account.pay(islands[1], 50);
  const std::vector<std::size_t> changed{0};
  account.open(islands, changed);
  EXPECT_DOUBLE_EQ(account.share(), 15) << "a tenth of all, for a third of the contacts";
  EXPECT_EQ(account.first_share(), 50);
}

TEST(Effort, MendsSlowlyWhereTheLastStepFellShort) {
  Frame frame = make_frame(2, 3);
  frame.step = 0.01;
  frame.bodies.ids = {7, 8};
  frame.bodies.masses << 0, 1;
  frame.contacts.pairs << 0, 1, 0, 1, 0, 1;
  frame.contacts.gap << 0.01, -0.01, -0.001;
  frame.joints.pairs.resize(1, 2);
  frame.joints.pairs << 0, 1;
  frame.joints.rows = {2};
  frame.joints.jacobian = Rows<12>::Zero(2, 12);
  frame.joints.jacobian(0, 6) = frame.joints.jacobian(1, 9) = 1;  // a place, an angle
  frame.joints.violation = Eigen::Vector2d(1, -3);
  StepBodies bodies;
  bodies.list.resize(2);
  bodies[1].moves = true;
  bodies[1].radius = 0.5;
  Account account(*effort_named("10"));
  Start start;
  Frame soft = frame;
  soften(soft, islands(soft), bodies, start, "ncp/nncg", account);
  EXPECT_EQ(soft.contacts.asked_gap(), frame.contacts.gap) << "it did not";
  start.fell_short = {8};
  soften(soft, islands(soft), bodies, start, "ncp/interior-point", account);
  EXPECT_EQ(soft.contacts.asked_gap(), frame.contacts.gap) << "no sweeps";
  EXPECT_NEAR((soft.joints.violation - Eigen::Vector2d(0.025, -0.05)).norm(), 0, 1e-15);
  soft = frame;
  soften(soft, islands(soft), bodies, start, "ncp/nncg", account);
  EXPECT_NEAR((soft.contacts.push - Vector3d(0.01, 0.2 * -0.007, 0)).norm(), 0, 1e-15);
  EXPECT_EQ(soft.contacts.gap, frame.contacts.gap) << "the distance stays what it is";
}

TEST(Effort, WithoutALimitIsOnlyCounted) {
  Account account;
  const std::vector<Island> islands{island(3, 30)};
  account.open(islands);
  account.pay(islands[0], 5000);
  EXPECT_FALSE(account.limited());
  EXPECT_FALSE(account.over());
  EXPECT_NEAR(account.sweeps(), 5000, 1e-9);
}

TEST(Effort, OfRealTimeIsAFixedNumberOfVisits) {
  Account account(*effort_named("real-time"));
  account.open({island(3, 30)});
  EXPECT_EQ(account.share(), 400) << "solved as without a limit";
  EXPECT_TRUE(small(island(3, 30), account));
  account.open({island(3, 30), island(100, 470)});
  EXPECT_DOUBLE_EQ(account.share(), 100);
  EXPECT_FALSE(small(island(100, 470), account));
  account.open({island(3, 30), island(2000, 9000)});
  EXPECT_EQ(account.share(), 30) << "what finding its contacts costs";
  EXPECT_FALSE(small(island(3, 30), account));
}

TEST(Effort, KeepsTheCorrectionsPartFromDebts) {
  Account account(*effort_named("50"), true);
  const std::vector<Island> islands{island(3, 30)};
  account.open(islands);
  EXPECT_EQ(account.share(), 40);
  account.pay(islands[0], 90);
  EXPECT_TRUE(account.over());
  account.correct();
  EXPECT_FALSE(account.over());
  EXPECT_NEAR(account.share(), 5, 1e-12) << "half of a fifth";
}

// More than 200 bodies, at rest from the first step on: a Newton step each, not sweeps that let it
// sink.
TEST(Effort, RealTimeHoldsLargeIslandsAtRest) {
  SimulateOptions options = with("real-time");
  options.steps = 60;
  const Summary pyramid = simulate(named("pyramid:20"), options);
  EXPECT_EQ(pyramid.unconverged, 0);
  EXPECT_LE(pyramid.max_penetration, 1e-10);
  EXPECT_EQ(pyramid.work[static_cast<std::size_t>(Work::sweep)], 0);
}

// An impact may take more than its part: what is left of one costs every step after it.
TEST(Effort, RealTimeBringsAWallToRest) {
  SimulateOptions options = with("real-time");
  options.steps = 60;
  const Summary wall = simulate(named("wall"), options);
  EXPECT_LE(wall.unconverged_steps, 3);
  EXPECT_LE(wall.max_penetration, 1e-6);
}

TEST(Effort, RealTimeSolvesJointsAloneAsWithoutALimit) {
  SimulateOptions options = with("real-time");
  options.steps = 60;
  const Summary limited = simulate(chain(), options);
  EXPECT_EQ(limited.unconverged, 0);
  EXPECT_EQ(limited.paths.at("linear"), 60);
  EXPECT_LE(limited.max_joint_violation, 2e-10);
}

TEST(Effort, TenSweepsHoldAStackAsBulletDoes) {
  SimulateOptions options = with("10", "ncp/nncg");
  options.step.correct = 0;
  const Summary ten = simulate(named("stack:10"), options);
  EXPECT_FALSE(ten.fell);
  EXPECT_LE(ten.drift, 0.4);
  EXPECT_LE(ten.sweeps_max, 12 * (1 + 1e-9)) << "with two second solves";
  EXPECT_GT(ten.capped, 0);
  options.step.effort = *effort_named("50");
  const Summary fifty = simulate(named("stack:10"), options);
  EXPECT_LE(fifty.drift, 0.01);
}

TEST(Effort, RealTimeHoldsColumnsToAMillimetre) {
  EXPECT_LE(simulate(named("stack:10"), with("real-time")).drift, 1e-3);
  const Summary column = simulate(named("heavy-column"), with("real-time"));
  EXPECT_FALSE(column.fell);
  EXPECT_LE(column.sag, 0.01);
}

TEST(Effort, GivesTheSameBitsWithAnyNumberOfThreads) {
  for (const char* effort : {"real-time", "12"}) {
    SimulateOptions options = with(effort);
    options.steps = 60;
    const std::uint64_t one = simulate(named("ragdolls"), options).state_hash;
    options.threads = 3;
    EXPECT_EQ(simulate(named("ragdolls"), options).state_hash, one) << effort;
  }
}

TEST(Effort, LeavesBodiesThatTouchNothingAlone) {
  Scene scene = named("stack:10");
  Body stone = scene.bodies.back();
  stone.name = "stone";
  stone.pose.position = Vector3d(50, 0, 100);
  stone.velocity << 1, 2, 3, 0, 0, 0;
  scene.bodies.push_back(stone);
  SimulateOptions options = with("real-time");
  options.steps = 20;
  State last;
  options.observe = [&](const State& state) { last = state; };
  simulate(scene, options);
  const Index row = static_cast<Index>(scene.bodies.size()) - 1;
  double z = 3;
  for (int k = 0; k < 20; ++k) z += scene.step * scene.gravity.z();
  EXPECT_EQ(last.velocities(row, 0), 1);
  EXPECT_EQ(last.velocities(row, 1), 2);
  EXPECT_NEAR(last.velocities(row, 2), z, 1e-13);
}

TEST(Effort, NeverGivesAFreeChainEnergy) {
  const Scene scene = chain();
  ASSERT_EQ(invalid(scene), "");
  SimulateOptions options = with("real-time");
  options.steps = 300;
  // What it can give is all that it has above the lowest point that its end may reach.
  const double available = 10 * 9.81 * 5;
  std::optional<Trajectory> trajectory;
  double most = -std::numeric_limits<double>::infinity(), first = 0;
  options.observe = [&](const State& state) {
    if (!trajectory) {
      trajectory.emplace(scene, state);
      first = trajectory->energy();
    } else {
      trajectory->add(state);
    }
    most = std::max(most, trajectory->energy());
  };
  simulate(scene, options);
  EXPECT_LE(most - first, 0.01 * available);
}

TEST(Effort, OfARecordingIsPartOfItsRecipe) {
  SimulateOptions options = with("23");
  EXPECT_EQ(name(from_recipe(recipe(options, 0.01, 5), "here").step.effort), "23");
  std::map<std::string, std::string> old = recipe(options, 0.01, 5);
  old.erase("effort");
  EXPECT_EQ(name(from_recipe(old, "here").step.effort), "exact");
}

TEST(Effort, InSecondsIsAtLeastOneSweepAndGrowsWithThem) {
  EXPECT_EQ(sweeps_within(1e-9, 1000), 1);
  const long second = sweeps_within(1, 1000);
  EXPECT_GT(second, sweeps_within(1e-4, 1000));
  EXPECT_LT(second, 1e6) << "a sweep over 1000 contacts takes a microsecond at least";
}

TEST(Effort, IsReportedWithItsErrors) {
  Built built(named("stack:10"), 1.0 / 60, Built::Engine::perpend);
  built.ours()->options().effort = *effort_named("10");
  built.step();
  const StepReport& report = built.ours()->report();
  EXPECT_GT(report.sweeps, 0);
  for (const Measure one : {Measure::velocity_error, Measure::rms_violation, Measure::energy_change,
                            Measure::max_penetration})
    EXPECT_TRUE(report.errors.has(one)) << name(one);
  EXPECT_LE(report.errors[Measure::energy_change], 0);
}

}  // namespace effort_test
}  // namespace perpend::sim
