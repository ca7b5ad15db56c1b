#include "sim/solve_islands.hpp"

#include <gtest/gtest.h>

#include "perpend/sim.hpp"
#include "support/boxes.hpp"

namespace perpend::sim {
namespace solve_islands_test {

constexpr double kH = 0.01;
constexpr double kTolerance = 1e-10;  // m/s, of the solves
constexpr double kVelocity = 1e-9;    // with a small factor for the condition of the systems

// A cube of 2 kg that rests, one of 3 kg that falls on the same floor 0.5 mm below it, and one that
// touches nothing.
struct Scene {
  boxes::World world{kH};
  Index floor = world.fixed();
  Index rests = world.cube(2, 1, Vector3d(0, 0, 0.5));
  Index falls = world.cube(3, 1, Vector3d(5, 0, 0.5005));
  Index flies = world.cube(1, 1, Vector3d(9, 0, 9));
  Options options;
  Solvers solvers;
  Executor serial;
  Solution solution;

  Scene() {
    world.face(floor, rests, Vector3d(0, 0, 0), 1, 0.5);
    world.face(floor, falls, Vector3d(5, 0, 0), 1, 0.5, 0.0005);
    world.frame().bodies.ids = {3, 1, 2, 4};
    options.tolerance = kTolerance;
    solvers.prepare(*solver_named("ncp/auto"), 1);
    StepBodies bodies;
    bodies.list.resize(4);
    for (Index i : {rests, falls, flies}) {
      bodies[i].moves = true;
      bodies[i].velocity = Vector3d(0, 0, -boxes::kGravity * kH);
    }
    solution = free_motion(world.frame(), bodies, islands(world.frame()));
  }
  std::vector<IslandAnswer> solve(const Start& start, const std::vector<std::size_t>& which) {
    StepClock clock(options);
    return solve_islands(solution.islands, which,
                         [&](std::size_t k) {
                           const Island& island = solution.islands[k];
                           return island_problem(world.frame(), island, part(world.frame(), island),
                                                 start);
                         },
                         {solvers, clock, serial});
  }
};

TEST(SolveIslands, BodiesMoveFreelyUntilAnAnswerIsTaken) {
  const Scene s;
  ASSERT_EQ(s.solution.islands.size(), 2u);
  EXPECT_EQ(s.solution.impulses, Impulses::Zero(24));
  EXPECT_EQ(s.solution.velocities_plus.row(s.floor), Rows6::Zero(1, 6));
  for (Index i : {s.rests, s.falls, s.flies})
    EXPECT_EQ(s.solution.velocities_plus(i, 2), -boxes::kGravity * kH);
}

TEST(SolveIslands, AnIslandIsAnsweredByItself) {
  Scene s;
  // The second first: answers are in the order asked for.
  std::vector<IslandAnswer> answers = s.solve({}, {1, 0});
  ASSERT_EQ(answers.size(), 2u);
  for (const IslandAnswer& answer : answers) EXPECT_EQ(answer.result.status, Status::converged);
  // v+ = -gap/h of what falls, 0 of what rests; the floor carries what gravity gave beyond that.
  const double g = boxes::kGravity;
  EXPECT_NEAR(answers[0].velocities_plus(1, 2), -0.0005 / kH, kVelocity);
  EXPECT_NEAR(answers[0].contacts.col(0).sum(), 3 * (g * kH - 0.0005 / kH), 3 * kVelocity);
  EXPECT_NEAR(answers[1].velocities_plus(1, 2), 0, kVelocity);
  EXPECT_NEAR(answers[1].contacts.col(0).sum(), 2 * g * kH, 2 * kVelocity);

  s.solution.take(s.world.frame(), 1, answers[0]);
  EXPECT_NEAR(s.solution.velocities_plus(s.falls, 2), -0.0005 / kH, kVelocity);
  EXPECT_EQ(s.solution.velocities_plus(s.rests, 2), -g * kH) << "not yet taken";
  EXPECT_EQ(s.solution.impulses.head(12), Impulses::Zero(12));
  EXPECT_EQ(s.solution.impulses[12], answers[0].contacts(0, 0));
  s.solution.take(s.world.frame(), 0, answers[1]);
  EXPECT_NEAR(s.solution.velocities_plus(s.rests, 2), 0, kVelocity);
  EXPECT_EQ(s.solution.impulses[11], answers[1].contacts(3, 2));
  EXPECT_TRUE(s.solution.outcomes[0].converged);
  EXPECT_EQ(s.solution.fell_short(s.world.frame().bodies), (std::vector<std::int64_t>{}));
}

TEST(SolveIslands, StartsFromTheOldImpulsesWhateverTheLastStepReached) {
  Scene s;
  const double each = 2 * boxes::kGravity * kH / 4;
  Start start{Impulses::Zero(24), {}};
  for (Index i = 0; i < 4; ++i) start.impulses[3 * i] = each;
  EXPECT_EQ(s.solve(start, {0})[0].result.iterations, 0) << "the start is the answer";
  start.fell_short = {1};  // the id of the cube that rests
  EXPECT_EQ(s.solve(start, {0})[0].result.iterations, 0);
  start.impulses *= 100;
  EXPECT_EQ(s.solve(start, {0})[0].result.iterations, 0)
      << "scaled to the lowest energy it is the answer again";
}

TEST(SolveIslands, ImpulsesThatFallShortAddNoEnergy) {
  Scene s;
  s.options.max_iterations = 0;
  Start start{Impulses::Zero(24), {}};
  for (Index i = 0; i < 8; ++i) start.impulses.segment<3>(3 * i) << 5, 1, 0;
  for (const IslandAnswer& answer : s.solve(start, {0, 1})) {
    EXPECT_EQ(answer.result.status, Status::iteration_limit);
    EXPECT_GT(answer.contacts.col(0).sum(), 0);
    EXPECT_LE(answer.result.errors[Measure::energy_change], 0);
  }
}

TEST(SolveIslands, TellsWhoFellShort) {
  Scene s;
  s.solution.outcomes[0].converged = true;
  EXPECT_EQ(s.solution.fell_short(s.world.frame().bodies), (std::vector<std::int64_t>{2}));
  s.solution.outcomes[0].converged = false;
  EXPECT_EQ(s.solution.fell_short(s.world.frame().bodies), (std::vector<std::int64_t>{1, 2}))
      << "ascending, and without the floor";
}

TEST(SolveIslands, EndsWithTheTimeOfTheStep) {
  Scene s;
  double now = 0;
  s.options.clock = [&now] { return now += 1; };  // by each look at it
  s.options.time_limit = 1;
  const Result result = s.solve({}, {0})[0].result;
  EXPECT_EQ(result.status, Status::time_limit);
}

// Two of three steps would be solved if starts just below the tolerance were taken: what they leave
// is set right by two solves, which end in such a start.
TEST(SolveIslands, AColumnAtRestIsHardlyEverSolved) {
  std::string why;
  const std::optional<perpend::Scene> column = scene_named("stack:5", 1, why);
  ASSERT_TRUE(column) << why;
  SimulateOptions options;
  options.steps = 300;
  const Summary run = simulate(*column, options);
  EXPECT_EQ(run.unconverged, 0);
  EXPECT_LT(run.work[static_cast<std::size_t>(Work::factorization)], 50);
  EXPECT_GT(run.paths.at("start"), 250);
  EXPECT_LE(run.drift, 1e-10);
  EXPECT_LE(run.sag, 1e-10);
}

TEST(SolveIslands, JointsAloneAreFactorizedOnceInAStep) {
  std::string why;
  const std::optional<perpend::Scene> chain = scene_named("chain:3", 1, why);
  ASSERT_TRUE(chain) << why;
  SimulateOptions options;
  options.steps = 20;
  const Summary run = simulate(*chain, options);
  EXPECT_EQ(run.work[static_cast<std::size_t>(Work::factorization)], 20);
  EXPECT_EQ(run.paths.at("linear"), 20);
  EXPECT_GT(run.corrected, 0);
  EXPECT_LT(run.max_joint_violation, 2e-10);
}

}  // namespace solve_islands_test
}  // namespace perpend::sim
