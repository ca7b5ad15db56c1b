#include "solve/effort.hpp"

#include <gtest/gtest.h>

#include "support/boxes.hpp"

namespace perpend {
namespace effort_test {

// A column of cubes, four contacts below each.
System column(int cubes) {
  boxes::World world;
  Index below = world.fixed();
  for (int k = 0; k < cubes; ++k) {
    const Index cube = world.cube(1, 1, Vector3d(0, 0, k + 0.5));
    world.face(below, cube, Vector3d(0, 0, k), 1, 0.5);
    below = cube;
  }
  return assemble(world.frame());
}

double sweeps_of(const WorkCosts& costs, Work work) {
  return costs.sweeps[static_cast<std::size_t>(work)];
}

TEST(WorkCosts, ASweepIsCheapWhereFourContactsAreVisitedAtOnce) {
  const System few = column(10), many = column(100);
  EXPECT_EQ(sweep_price(few), 1);
  EXPECT_LT(sweep_price(many), 1);
  const double ratio = sweeps_of(work_costs(many), Work::factorization) /
                       sweeps_of(work_costs(few), Work::factorization);
  EXPECT_NEAR(ratio, 1 / sweep_price(many), 1e-12) << "the same operations, cheaper sweeps";
}

TEST(WorkCosts, AreInSweepsOverTheProblem) {
  const WorkCosts costs = work_costs(column(10));
  EXPECT_EQ(sweeps_of(costs, Work::sweep), 1);
  EXPECT_LT(sweeps_of(costs, Work::product), 1);
  EXPECT_GT(sweeps_of(costs, Work::factorization), 1);
  EXPECT_EQ(sweeps_of(costs, Work::factorization),
            sweeps_of(work_costs(column(20)), Work::factorization));
}

TEST(WorkCosts, OfSweepsAreTheSweeps) {
  Options options;
  options.effort = 7;
  const Result r = solve(column(10), "ncp/nncg", options);
  EXPECT_EQ(r.status, Status::iteration_limit);
  EXPECT_EQ(r.iterations, 7);
  EXPECT_DOUBLE_EQ(r.sweeps, 7);
}

TEST(WorkCosts, OfNewtonStepsCountTheElimination) {
  Options options;
  options.max_iterations = 3;
  const System system = column(10);
  const Result r = solve(system, "ncp/interior-point", options);
  const double assembled =
      static_cast<double>(r.work[static_cast<std::size_t>(Work::factorization)]) *
      sweeps_of(work_costs(system), Work::factorization);
  EXPECT_GT(r.sweeps, assembled);
  options.max_iterations = 10000;
  options.effort = r.sweeps * (1 + 1e-6);
  EXPECT_EQ(solve(system, "ncp/interior-point", options).iterations, 3) << "what was paid for";
}

TEST(WorkCosts, AnswersByEnergyAreNeverWorseThanNothing) {
  const System system = column(10);
  for (const char* solver : {"ncp/nncg", "ncp/pgs", "ncp/prox-newton", "ncp/newton"}) {
    Options options;
    options.max_iterations = 3;
    options.by_energy = true;
    const Result r = solve(system, solver, options);
    EXPECT_LT(impulse_energy(system, r.impulses), 0) << solver;
  }
}

}  // namespace effort_test
}  // namespace perpend
