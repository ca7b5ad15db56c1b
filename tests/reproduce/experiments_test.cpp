// The experiments as --quick runs them.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <set>

#include "perpend/reproduce.hpp"
#include "perpend/solve.hpp"
#include "reproduce/engines.hpp"
#include "reproduce/kit.hpp"
#include "reproduce/lu.hpp"
#include "reproduce/staggered.hpp"

namespace perpend::reproduce {
namespace experiments_test {

Settings quick() {
  Settings settings;
  settings.quick = true;
  return settings;
}

class EveryExperiment : public testing::TestWithParam<std::string> {};

TEST_P(EveryExperiment, HasClaimsWithNumbersAndWholeTables) {
  const Finished done = run(*experiment_named(GetParam()), quick());
  const Outcome& out = done.outcome;
  EXPECT_FALSE(out.text.empty());
  EXPECT_FALSE(out.claims.empty());
  EXPECT_FALSE(out.tables.empty());
  for (const Claim& claim : out.claims) {
    EXPECT_EQ(std::isnan(claim.ours), !claim.missing.empty()) << claim.quantity;
    EXPECT_FALSE(claim.where.empty()) << claim.quantity;
    EXPECT_FALSE(claim.paper.words.empty()) << claim.quantity;
    EXPECT_LE(claim.paper.lowest, claim.paper.highest) << claim.quantity;
    EXPECT_TRUE(claim.verdict() == Verdict::agrees || !claim.reason().empty()) << claim.quantity;
  }
  for (const Table& table : out.tables) {
    EXPECT_FALSE(table.rows.empty()) << table.name;
    for (const auto& row : table.rows) ASSERT_EQ(row.size(), table.columns.size()) << table.name;
  }
  for (const Figure& figure : out.figures)
    for (const draw::Plot& plot : figure.plots)
      for (const draw::Curve& one : plot.curves) {
        EXPECT_FALSE(one.x.empty()) << figure.name << ": " << plot.title << ", " << one.label;
        EXPECT_EQ(one.x.size(), one.y.size()) << figure.name << ": " << one.label;
      }
}

std::vector<std::string> names() {
  std::vector<std::string> out;
  for (const Experiment& one : experiments()) out.push_back(one.name);
  return out;
}
INSTANTIATE_TEST_SUITE_P(Quick, EveryExperiment, testing::ValuesIn(names()), [](const auto& which) {
  std::string name = which.param;
  for (char& letter : name)
    if (letter == '-') letter = '_';
  return name;
});

TEST(Experiments, TogetherHaveUniqueFilesAndFewClaimsWithoutAVerdict) {
  std::set<std::string> names_seen, svg_files, csv_files;
  std::vector<Finished> all;
  for (const Experiment& one : experiments()) {
    EXPECT_TRUE(names_seen.insert(one.name).second) << one.name;
    all.push_back(run(one, quick()));
    for (const Figure& figure : all.back().outcome.figures)
      EXPECT_TRUE(svg_files.insert(figure.name).second) << figure.name;
    for (const Table& table : all.back().outcome.tables)
      EXPECT_TRUE(csv_files.insert(table.name).second) << table.name;
  }
  const Counts counts = count(all);
  EXPECT_GE(counts.all(), 100);
  EXPECT_LE(100 * counts.not_comparable, 15 * counts.all());
  EXPECT_GT(counts.agrees, 0);
  EXPECT_GT(counts.differs, 0);
}

Claim claim_of(const Outcome& out, const std::string& where, const std::string& quantity) {
  for (const Claim& claim : out.claims)
    if (claim.where == where && claim.quantity.find(quantity) != std::string::npos) return claim;
  ADD_FAILURE() << "no claim about " << quantity;
  return {};
}

Verdict verdict_of(const Outcome& out, const std::string& where, const std::string& quantity) {
  return claim_of(out, where, quantity).verdict();
}

// With PGS in its place, NNCG is no faster than PGS: the ratio of the errors is 1.
TEST(Verdicts, TurnWhenNncgIsPgs) {
  const Experiment& what = *experiment_named("nncg-convergence");
  Settings settings = quick();
  const Outcome honest = run(what, settings).outcome;
  settings.replaced["box/nncg"] = "box/pgs";
  const Outcome exchanged = run(what, settings).outcome;
  EXPECT_EQ(verdict_of(honest, "Fig. 6 (h)", "heavy-top: iterations"), Verdict::agrees);
  EXPECT_EQ(verdict_of(exchanged, "Fig. 6 (h)", "heavy-top: iterations"), Verdict::differs);
  EXPECT_EQ(verdict_of(honest, "Fig. 5 (f)", "stack-small: lowest"), Verdict::agrees);
  EXPECT_EQ(verdict_of(exchanged, "Fig. 5 (f)", "stack-small: lowest"), Verdict::differs);
}

TEST(Verdicts, TurnWhereALoadIsSolvedBySweepsAlone) {
  const Experiment& what = *experiment_named("interactive");
  Settings settings = quick();
  const char* where = "Better convergence for large mass ratios";
  EXPECT_EQ(verdict_of(run(what, settings).outcome, where, "mass-ratio:10:"), Verdict::agrees);
  settings.replaced["box/nncg"] = "box/pgs";
  EXPECT_EQ(verdict_of(run(what, settings).outcome, where, "mass-ratio:10:"), Verdict::differs);
}

// Joints and limbs on each other are too much for Jacobi's method.
TEST(Verdicts, TurnWhereStepsOfRagdollsAreNotSolved) {
  const Experiment& what = *experiment_named("ragdolls");
  Settings settings = quick();
  const char* steps = "steps of the run";
  EXPECT_EQ(verdict_of(run(what, settings).outcome, "Section 3.2", steps), Verdict::agrees);
  settings.replaced["mlcp/path"] = "mlcp/jacobi";
  EXPECT_EQ(verdict_of(run(what, settings).outcome, "Section 3.2", steps), Verdict::differs);
}

// "Three different results given the same initial state" (Nguyen and Trinkle 2010, Fig. 1).
TEST(Tower, EqualRunsOfBulletHaveOneOutcome) {
  const Outcome out = run(*experiment_named("tower"), quick()).outcome;
  EXPECT_EQ(verdict_of(out, "Fig. 1", "different outcomes of three equal runs"), Verdict::differs);
  EXPECT_EQ(claim_of(out, "Fig. 1", "different outcomes").ours, 1);
}

TEST(Crevices, InTheOldModelTheBoxFallsThroughTheHoleLater) {
  const Outcome out = run(*experiment_named("crevices"), quick()).outcome;
  EXPECT_EQ(verdict_of(out, "Fig. 8", "way down"), Verdict::agrees);
  EXPECT_EQ(verdict_of(out, "Fig. 9", "way down"), Verdict::differs);
  const auto cost = std::find_if(out.tables.begin(), out.tables.end(),
                                 [](const Table& one) { return one.name == "crevices-cost"; });
  ASSERT_NE(cost, out.tables.end());
  for (const auto& row : cost->rows) {  // some steps hold the new contact, and few
    EXPECT_GT(std::stod(row[2]), 0) << row[0];
    EXPECT_LT(std::stod(row[2]), 0.1 * std::stod(row[1])) << row[0];
  }
}

TEST(Spheres, SweepsStandStillWhereTheDiagonalIsLargeEnough) {
  const Outcome out = run(*experiment_named("spheres"), quick()).outcome;
  EXPECT_EQ(verdict_of(out, "Fig. 9", "ε = 1e-4: total error"), Verdict::differs);
  EXPECT_EQ(verdict_of(out, "Fig. 9", "ε = 2: total error"), Verdict::agrees);
  EXPECT_EQ(verdict_of(out, "Fig. 9", "ε = 2: largest over lowest"), Verdict::agrees);
}

// Bricks without restitution do not bounce off (Silcowitz-Hansen et al. 2010, Fig. 7).
TEST(Wall, TopBricksDoNotBounce) {
  const Outcome out = run(*experiment_named("wall"), quick()).outcome;
  EXPECT_EQ(verdict_of(out, "Fig. 7", "bounces up"), Verdict::differs);
}

TEST(LineSearch, MoreTrialsLeaveFewerRestarts) {
  const System system = first_system(configurations_of_table_1()[0]);
  const auto restarts = [&](const char* trials) {
    return descent(system, "box/nncg-armijo", 300, {}, {{"trials", trials}}).restarts.size();
  };
  EXPECT_LT(2 * restarts("30"), restarts("5"));
}

TEST(Papers, WhatTheyOnlyReferToIsNamed) {
  EXPECT_EQ(verdict_of(run(*experiment_named("ragdolls"), quick()).outcome, "Sections 3.2, 6",
                       "experiments with real bodies"),
            Verdict::not_comparable);
  EXPECT_EQ(verdict_of(run(*experiment_named("interactive"), quick()).outcome, "Section 1",
                       "people who see"),
            Verdict::not_comparable);
}

// Overlaps of 3 m and none; a joint open by 4 m, a limit passed by 12 m and one that is free.
TEST(LeftOpen, IsTheRootMeanSquareOfOverlapsAndOpenJoints) {
  Frame frame = make_frame(2, 2);
  frame.contacts.gap << -3, 7;
  const double infinity = std::numeric_limits<double>::infinity();
  frame.joints.violation.resize(4);
  frame.joints.violation << 4, -12, 5, 100;
  frame.joints.bounds.resize(4, 2);
  frame.joints.bounds << -infinity, infinity, 0, infinity, 0, infinity, -1, 1;  // the last: a motor
  EXPECT_NEAR(left_open(frame), std::sqrt((9. + 16 + 144) / 5), 1e-12);
  EXPECT_EQ(left_open(Frame()), 0);
}

// Table 1 of Silcowitz-Hansen et al. 2010: rows of A in the first step, and the rank where six for
// each moving body allow it.
TEST(Configurations, HaveTheRowsThatArePrinted) {
  for (const Configuration& one : configurations_of_table_1()) {
    const System system = first_system(one);
    EXPECT_EQ(system.rows(), one.rows) << one.scene;
    if (one.letter != 'b' && one.letter != 'h') {
      EXPECT_EQ(rank(system), one.rank) << one.scene;
    }
  }
}

// A textbook Fischer-Newton in numpy needs 17 to 57 iterations here, depending on its line search
// and regularization (Lu et al. 2013, Fig. 12: about 40).
TEST(FischerNewton, SolvesTheLogsInAsManyIterationsAsATextbook) {
  const LuHistory history = lu_history(log_frame({}), "lcp/fischer-newton", 200, {});
  EXPECT_EQ(history.result.status, Status::converged);
  const auto near = std::find_if(history.total.begin(), history.total.end(),
                                 [](double error) { return error <= 1e-5; });
  EXPECT_LE(near - history.total.begin(), 40);
}

// e(k+1) = C e(k)^p from 1e-1 down to rounding. Iterations are whole: 2^(1/1), 2^(1/2), ...
TEST(Order, IsThatOfASequence) {
  for (const auto& [p, lowest, highest] :
       {std::array{1.0, 1.0, 1.05}, std::array{1.5, 1.4, 2.0}, std::array{2.0, 2.0, 2.0}}) {
    std::vector<double> errors{0.1};
    while (errors.back() > 1e-26) errors.push_back(0.5 * std::pow(errors.back(), p));
    EXPECT_GE(order_at_end(errors, 1e-26), lowest) << p;
    EXPECT_LE(order_at_end(errors, 1e-26), highest) << p;
  }
}

// Errors that rise in between take their time; a step below rounding is one into rounding.
TEST(Order, IsNotThatOfTheLastStep) {
  std::vector<double> errors{1, 1e-10, 1e-14, 1, 1e-2, 1e-15, 1e-16, 1e-40};
  EXPECT_NEAR(order_at_end(errors, 1e-26), std::pow(2, 1. / 5), 1e-12);
  const double clean = order_at_end(errors, 1e-26);
  errors.insert(errors.end(), {1e-28, 3e-27, 1e-45});
  EXPECT_EQ(order_at_end(errors, 1e-26), clean);
  EXPECT_TRUE(std::isnan(order_at_end({}, 0)));
}

// A cube on 15 degrees with mu 1 stays; all eight directions of friction are needed somewhere.
TEST(Staggered, SolvesTheLinearProblemOfTheWholeStep) {
  for (const char* scene : {"creep", "yaw"}) {
    const System system = assemble(first_frame(built_in(scene)));
    const StaggeredRun run = staggered_pyramids(system, 1e-9, 200, {});
    EXPECT_TRUE(run.met) << scene;
    EXPECT_LE(run.error, 1e-7) << scene;
    EXPECT_GT(run.steps, 0) << scene;
    Options exact;
    exact.tolerance = 1e-10;
    const Result path = solve(system, "mlcp/path", exact);
    EXPECT_LE((velocity_plus(system, run.impulses) - velocity_plus(system, path.impulses))
                  .cwiseAbs()
                  .maxCoeff(),
              1e-6)
        << scene;
  }
}

TEST(DataHierarchy, WithoutH5lsThereIsNoVerdictAboutItsListing) {
  const Experiment& what = *experiment_named("data-hierarchy");
  const std::string path = std::getenv("PATH");
  ::setenv("PATH", "/nonexistent", 1);
  const Outcome without = run(what, quick()).outcome;
  ::setenv("PATH", path.c_str(), 1);
  EXPECT_EQ(verdict_of(without, "Fig. 3", "h5ls lists"), Verdict::not_comparable);
  for (const Claim& claim : without.claims)
    if (claim.where == "Fig. 3") {
      EXPECT_NE(claim.reason().find("hdf5-tools"), std::string::npos) << claim.reason();
    }
}

TEST(Hands, LiftWhatTheyHoldAndLetGo) {
  const Outcome out = run(*experiment_named("hands"), quick()).outcome;
  if (!out.claims[0].missing.empty()) GTEST_SKIP() << out.claims[0].missing;
  for (const draw::Plot& plot : out.figures[0].plots)
    for (const draw::Curve& one : plot.curves) {
      if (plot.title == "heavy-top" || plot.title == "mass-ratio:100") continue;  // they sink
      const auto at = [&](double time) {
        const auto found = std::lower_bound(one.x.begin(), one.x.end(), time);
        return one.y[static_cast<std::size_t>(found - one.x.begin())];
      };
      EXPECT_LE(at(0.5), 0.05) << plot.title << ", " << one.label;
      EXPECT_GE(at(1.5), 0.1) << plot.title << ", " << one.label;
    }
}

// Section 5's merit is that at lambda^k. NNCG restarts exactly where it has grown, which the solver
// tells by itself.
TEST(Descent, GrowsExactlyWhereTheSolverRestarts) {
  const System system = first_system(configurations_of_table_1()[7]);
  const Descent down = descent(system, "box/nncg", 300, {});
  ASSERT_EQ(down.merit.size(), 300u);
  EXPECT_FALSE(down.restarts.empty());
  std::vector<long> grown;
  for (std::size_t k = 1; k < down.merit.size() && down.merit[k] > 1e4 * down.floor; ++k)
    if (down.merit[k] > down.merit[k - 1]) grown.push_back(static_cast<long>(k) + 1);
  std::vector<long> told;
  for (const long k : down.restarts)
    if (grown.empty() || k <= grown.back() + 1) told.push_back(k - 1);
  EXPECT_EQ(grown, told);
}

// A sweep from zero: its change is PGS(0) itself.
TEST(Descent, StartsAtZeroImpulses) {
  const System system = first_system(configurations_of_table_1()[2]);
  const double at_zero = measure(system, Impulses::Zero(system.rows()), Measure::pgs_merit);
  for (const char* solver : {"box/pgs", "box/nncg", "box/newton"})
    EXPECT_NEAR(descent(system, solver, 3, {}).merit.front(), at_zero, 1e-12 * at_zero) << solver;
}

TEST(Recorded, FramesAreThoseOfTheStepsAskedFor) {
  SimulateOptions options;
  options.steps = 7;
  const Scene scene = built_in("chain:2");
  const std::vector<RecordedStep> steps = recorded(scene, options, {}, 1, 3);
  ASSERT_EQ(steps.size(), 2u);
  EXPECT_NEAR(steps[0].frame.time, scene.step, 1e-12);
  EXPECT_NEAR(steps[1].frame.time, 4 * scene.step, 1e-12);
}

// The snake's hinges open in every step: to close them would take as many again.
TEST(Limited, StepsTakeNoMoreIterationsThanTheyMay) {
  SimulateOptions options;
  options.step = limited("box/pgs", 50);
  options.steps = 30;
  EXPECT_EQ(simulated(built_in("snake"), options, {}).iterations_max, 50);
}

TEST(Curve, ThinnedStillShowsItsSpikes) {
  std::vector<double> y(5000, 1);
  y[3217] = 100;
  y[3218] = 0.01;
  const draw::Curve thin = curve("", y, 100);
  EXPECT_LE(thin.x.size(), 200u);
  EXPECT_EQ(*std::max_element(thin.y.begin(), thin.y.end()), 100);
  EXPECT_EQ(*std::min_element(thin.y.begin(), thin.y.end()), 0.01);
}

}  // namespace experiments_test
}  // namespace perpend::reproduce
