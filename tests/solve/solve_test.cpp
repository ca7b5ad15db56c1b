#include "perpend/solve.hpp"

#include <gtest/gtest.h>

#include <set>

#include "support/boxes.hpp"
#include "support/shaken.hpp"

namespace perpend {
namespace solve_test {

TEST(Result, SaysThatSolveWasNotCalled) {
  EXPECT_EQ(Result().message, "solve was not called");
  EXPECT_EQ(name(Result().status), "not_called");
}

TEST(Registry, NamesAreUniqueAndBeginWithAFormulation) {
  std::set<std::string> names;
  for (const SolverInfo& s : solvers()) {
    EXPECT_TRUE(names.insert(s.name).second) << s.name;
    const auto known = formulations();
    EXPECT_NE(std::find(known.begin(), known.end(), s.formulation()), known.end()) << s.name;
    EXPECT_FALSE(s.title.empty());
    EXPECT_FALSE(s.reference.empty());
    EXPECT_EQ(solver_named(s.name), &s);
    EXPECT_NE(s.make(), nullptr);
    EXPECT_TRUE(s.joints || s.formulation() == "normal") << "only normal/* may refuse joints";
  }
  EXPECT_EQ(solver_named("ncp/none"), nullptr);
}

TEST(Solve, RefusesWhatItCannotTakeInWords) {
  const System s = assemble(boxes::column(1, 1, 1));
  const auto why = [&](const System& system, std::string_view solver, const Options& o) {
    const Result r = solve(system, solver, o);
    EXPECT_EQ(r.status, Status::invalid_input);
    return r.message;
  };
  EXPECT_EQ(why(s, "ncp/none", {}), "no solver is called 'ncp/none'");
  Options o;
  o.warm_start = VectorXd::Zero(5);
  EXPECT_EQ(why(s, "ncp/pgs", o), "warm start has 5 rows, expected 12");
  o = {};
  o.error = Measure::lcp_merit;
  EXPECT_EQ(why(s, "ncp/pgs", o), "lcp_merit cannot be measured on this problem");
  System bad = s;
  bad.b[3] = boxes::kNaN;
  EXPECT_EQ(why(bad, "box/pgs", {}), "b is not finite");
  bad = s;
  bad.mu[0] = -1;
  EXPECT_EQ(why(bad, "box/pgs", {}), "mu is negative or not a number");
  bad = s;
  bad.b[3] = -1e151;
  EXPECT_EQ(why(bad, "box/pgs", {}), "b exceeds 1e150 m/s");
  for (const double mass : {1e-160, 1e160}) {  // whose squares are no numbers
    Frame f = boxes::column(1, mass, mass);
    EXPECT_EQ(why(assemble(f), "box/pgs", {}), "A is outside 1e-150 to 1e150 1/kg at contact 0");
  }
}

TEST(Solve, SolutionAsWarmStartNeedsNoIteration) {
  const System s = assemble(boxes::column(3, 1, 1));
  for (const SolverInfo& info : solvers()) {
    if (info.formulation() == "normal") continue;  // frictionless: another problem
    const Result cold = solve(s, info.name);
    ASSERT_EQ(cold.status, Status::converged) << info.name << ": " << cold.message;
    Options o;
    o.warm_start = cold.impulses;
    o.tolerance = 1.1e-8;  // the way back and forth costs rounding
    const Result warm = solve(s, info.name, o);
    EXPECT_EQ(warm.iterations, 0) << info.name;
    EXPECT_EQ(warm.path, "start");
  }
}

TEST(Solve, NotANumberAsWarmStartIsACold) {
  Options o;
  const System s = assemble(boxes::column(1, 1, 1));
  o.warm_start = VectorXd::Constant(s.rows(), boxes::kNaN);
  EXPECT_EQ(solve(s, "ncp/nncg", o).status, Status::converged);
}

TEST(Solve, ZeroIterationsReturnTheStart) {
  Options o;
  o.max_iterations = 0;
  const System s = assemble(boxes::column(1, 1, 1));
  const Result r = solve(s, "ncp/pgs", o);
  EXPECT_EQ(r.status, Status::iteration_limit);
  EXPECT_EQ(r.impulses.norm(), 0);
  EXPECT_GT(r.errors[Measure::velocity_error], 0.09);  // g h
}

TEST(Solve, SameInputSameBits) {
  const System s = assemble(boxes::wall(4, 4));
  for (const SolverInfo& info : solvers()) {
    const Result a = solve(s, info.name), b = solve(s, info.name);
    EXPECT_EQ(a.impulses, b.impulses) << info.name;
    EXPECT_EQ(a.iterations, b.iterations) << info.name;
  }
}

TEST(Solve, ToleranceMeansTheErrorThatIsNamed) {
  const System s = assemble(boxes::wall(4, 4));
  Options o;
  o.error = Measure::natural_map_error;
  o.tolerance = 1e-6;
  const Result r = solve(s, "ncp/nncg", o);
  EXPECT_EQ(r.status, Status::converged);
  EXPECT_LE(measure(s, r.impulses, Measure::natural_map_error), 1e-6);
}

// Saved and restored, a world goes on with a new Solver where the first went on with the old one.
TEST(Solve, AKeptSolverGivesTheBitsOfANewOne) {
  const System systems[] = {assemble(boxes::wall(3, 3)), assemble(boxes::column(5, 1, 50)),
                            assemble(boxes::shaken(boxes::wall(2, 4), 0.2)),
                            with_blocks(assemble(boxes::column(2, 1, 1))),
                            assemble(boxes::wall(3, 3))};
  for (const SolverInfo& info : solvers()) {
    if (info.formulation() == "lcp") continue;  // dense: slow here, and it keeps nothing
    SCOPED_TRACE(info.name);
    const std::unique_ptr<Solver> kept = info.make();
    Options o;
    o.max_iterations = 50;
    for (const System& s : systems) {
      const Result a = solve(s, info, *kept, o), b = solve(s, info.name, o);
      EXPECT_EQ(a.status, b.status);
      EXPECT_EQ(a.iterations, b.iterations);
      EXPECT_EQ(a.work, b.work);
      EXPECT_TRUE(a.impulses == b.impulses);
    }
  }
}

// The clock moves only while something is measured, and stands while the solver works: whatever is
// billed then is time spent on measuring. One method sweeps, one pivots, one factorizes.
TEST(Solve, MeasuringIsBilledToNobody) {
  const System s = assemble(boxes::column(4, 1, 1));
  for (const char* name : {"ncp/nncg", "box/pgs", "lcp/lemke", "ncp/prox-newton"}) {
    for (const bool history : {false, true}) {
      double now = 1000;
      Options o;
      o.clock = [&now] { return now; };
      o.history = history;
      o.history_measures = {Measure::own_error, HistoryMeasure(Measure::own_error, true)};
      const SolverInfo& info = *solver_named(name);
      std::string why;
      const auto problem = formulate(s, info.formulation(), {}, why);
      ASSERT_NE(problem, nullptr) << why;
      Progress::Judge judge;
      judge.error = [&](const VectorXd& z) {
        now += 3;
        return problem->own_error(z);
      };
      judge.some = [&](const VectorXd& z, std::span<const Measure>) {
        now += 50;
        Errors e;
        e[Measure::own_error] = problem->own_error(z);
        return e;
      };
      Progress progress(o, info, VectorXd::Zero(problem->size()), judge);
      info.make()->run(*problem, progress);
      const Result r = progress.take_result();
      EXPECT_EQ(r.status, Status::converged) << name << ": " << r.message;
      EXPECT_GT(r.iterations, 1) << name;
      EXPECT_GT(now, 1000 + (history ? 100 : 3)) << name;  // it was measured
      EXPECT_EQ(r.seconds, 0) << name;
      EXPECT_EQ(r.history.size(), history ? static_cast<std::size_t>(r.iterations) + 1 : 0U);
      for (const HistoryPoint& point : r.history) EXPECT_EQ(point.seconds, 0) << name;
    }
  }
}

TEST(Solve, MeasuresOnlyWhatIsAskedForWhenTold) {
  const System s = assemble(boxes::column(2, 1, 1));
  Options o;
  o.error = Measure::rms_violation;
  o.measure_all = false;
  const Result r = solve(s, "ncp/pgs", o);
  EXPECT_EQ(r.errors[Measure::rms_violation], measure(s, r.impulses, Measure::rms_violation));
  EXPECT_EQ(r.errors[Measure::own_error], measure(s, r.impulses, Measure::velocity_error));
  EXPECT_FALSE(r.errors.has(Measure::friction_error));
}

// One box on so many points of the floor: every row of A meets every other.
System crowd(Index contacts) {
  boxes::World world;
  const Index floor = world.fixed(), box = world.cube(1, 1, {0, 0, 0.5});
  for (Index i = 0; i < contacts; ++i)
    world.contact(floor, box, {0.01 * static_cast<double>(i), 0, 0}, Vector3d::UnitZ(), 0.5);
  return assemble(world.frame());
}

// A formulation of 100 contacts of one body has 900 rows that all meet: 12 bytes for each of
// 810,000 entries are the least it can take.
TEST(Solve, FormulationsAreBoundByTheMemoryLimit) {
  const System s = crowd(100);
  Options o;
  o.memory_limit = 12 * 900 * 900;
  for (const char* name : {"lcp/pgs", "lcp/lemke", "lcp/path"}) {
    const Result r = solve(s, name, o);
    EXPECT_EQ(r.status, Status::too_large) << name;
    EXPECT_NE(r.message.find("bytes, the memory limit is 9.72e+06"), std::string::npos)
        << r.message;
    EXPECT_EQ(r.impulses.size(), s.rows());  // the start, as where a solver is ended
    EXPECT_EQ(r.iterations, 0);
  }
  o.facets = 100000;
  EXPECT_EQ(solve(s, "mlcp/path", o).status, Status::too_large);
  o.memory_limit = 9 * 8 * 100 * 100;  // the values of A alone
  EXPECT_EQ(solve(s, "normal/pcg", o).status, Status::too_large);
  EXPECT_NE(solve(s, "ncp/pgs", o).status, Status::too_large);  // body space: no A is made
}

// With four facets 64 MB are ten times what 100 contacts need.
TEST(Solve, AMemoryLimitThatSufficesIsNotInTheWay) {
  Options o;
  o.memory_limit = 64e6;
  o.facets = 4;
  EXPECT_EQ(solve(crowd(100), "lcp/pgs", o).status, Status::converged);
}

// The clock ticks whenever it is looked at; nothing else tells time here.
TEST(Solve, FormulatingCountsAgainstTheTimeLimit) {
  const System s = crowd(150);
  double now = 0;
  Options o;
  o.clock = [&now] { return now += 1; };
  o.time_limit = 3;
  const Result r = solve(s, "lcp/pgs", o);
  EXPECT_EQ(r.status, Status::time_limit);
  EXPECT_EQ(r.message, "limit of 3 s while the problem was formulated");
  EXPECT_FALSE(r.reproducible);
  EXPECT_EQ(r.impulses.size(), s.rows());
}

TEST(Solve, CtrlCIsHeardWhileAProblemIsFormulated) {
  long asked = 0;
  Options o;
  o.cancelled = [&asked] { return ++asked > 2; };
  const Result r = solve(crowd(150), "lcp/pgs", o);
  EXPECT_EQ(r.status, Status::stopped);
  EXPECT_EQ(asked, 3);
}

// 1,200 unknowns of a full matrix: 2 n^3 operations, 3.5e9, are more than a second's worth and are
// not begun when a hundredth of a second is left. The clock stands still.
TEST(Solve, AFactorizationThatDoesNotFitIntoTheTimeIsNotBegun) {
  const Index n = 1200;
  std::vector<Eigen::Triplet<double>> entries;
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) entries.emplace_back(i, j, i == j ? 2.0 * n : 1.0);
  SparseMatrix A(n, n);
  A.setFromTriplets(entries.begin(), entries.end());
  const auto problem = raw_problem("lcp", A, VectorXd::Constant(n, -1), {}, {});
  Options o;
  o.clock = [] { return 5.0; };
  o.time_limit = 0.01;
  o.warm_start = VectorXd::Constant(n, 1);  // all of them in the first basis
  const Result r = solve(*problem, "lcp/lemke", o);
  EXPECT_EQ(r.status, Status::time_limit);
  EXPECT_NE(r.message.find("operations"), std::string::npos) << r.message;
  EXPECT_FALSE(r.reproducible);
}

}  // namespace solve_test
}  // namespace perpend
