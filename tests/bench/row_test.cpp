#include "bench/row.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "perpend/io.hpp"

namespace perpend::bench {
namespace row_test {

Errors own(double error) {
  Errors e;
  e[Measure::own_error] = e[Measure::velocity_error] = error;
  return e;
}

const Settings kUsual;

// A run that reported at iterations 1 and 2; `pace` seconds each, and one more at the end.
Result run(double pace, std::vector<double> errors = {1, 0.1, 1e-9}) {
  Result r;
  r.status = Status::converged;
  r.iterations = 2;
  r.seconds = 3 * pace;
  for (long k = 0; k <= 2; ++k)
    r.history.push_back({k, static_cast<double>(k) * pace, k == 2,
                         errors.empty() ? Errors() : own(errors[static_cast<std::size_t>(k)]),
                         own(0.5)});
  r.errors = own(1e-9);
  return r;
}

TEST(Row, ErrorsComeFromTheWatchedRunAndSecondsFromTheTimedOnes) {
  // Watching made the first run ten times slower; nothing of that is seen.
  const Row row = make_row(run(10), {run(3, {}), run(1, {}), run(2, {})}, kUsual);
  EXPECT_EQ(row.seconds, 6);
  EXPECT_EQ(row.seconds_low, 3);
  EXPECT_EQ(row.seconds_high, 9);
  EXPECT_EQ(row.runs, (std::vector<double>{9, 3, 6}));
  ASSERT_EQ(row.history.size(), 3U);
  EXPECT_EQ(row.history[1].seconds, 2);  // the median of 3, 1, 2
  EXPECT_EQ(row.history[2].seconds, 4);
  EXPECT_EQ(row.history[1].errors[0], 0.1);
  EXPECT_FALSE(row.history[1].restart);
  EXPECT_TRUE(row.history[2].restart);
  EXPECT_TRUE(row.reproducible);
}

TEST(Row, OfAnEvenNumberOfRunsTheMedianLiesBetweenTheMiddleOnes) {
  EXPECT_EQ(median({4, 1, 3, 2}), 2.5);
  EXPECT_EQ(median({5}), 5);
  EXPECT_TRUE(std::isnan(median({})));
}

TEST(Row, WithoutTimedRunsTheWatchedRunIsAllThereIs) {
  const Row row = make_row(run(2), {}, kUsual);
  EXPECT_EQ(row.seconds, 6);
  EXPECT_EQ(row.seconds_low, 6);
  EXPECT_EQ(row.seconds_high, 6);
  EXPECT_EQ(row.history[2].seconds, 4);
}

TEST(Row, TheAnswerIsTheLastPointEvenWhenAnEarlierIterateWasTheBest) {
  Result first = run(1, {1, 1e-3, 0.5});
  first.status = Status::iteration_limit;
  first.errors = own(1e-3);
  const Row row = make_row(first, {}, kUsual);
  ASSERT_EQ(row.history.size(), 4U);
  EXPECT_EQ(row.history[3].errors[0], 1e-3);
  EXPECT_EQ(row.history[3].iteration, 2);
  EXPECT_EQ(row.history[3].seconds, 3);
}

TEST(Row, HistoriesHoldTheMeasuresOfTheSettingsInTheirOrder) {
  Settings settings;
  settings.history_measures = {Measure::velocity_error, HistoryMeasure(Measure::own_error, true),
                               Measure::total_error};
  const Row row = make_row(run(1), {}, settings);
  ASSERT_EQ(row.history.size(), 4U);
  EXPECT_EQ(row.history[1].errors[0], 0.1);
  EXPECT_EQ(row.history[1].errors[1], 0.5);
  EXPECT_TRUE(std::isnan(row.history[1].errors[2]));
  EXPECT_EQ(row.history[3].errors[1], 1e-9);  // the last one is the answer
  const Options asked = watched({}, settings);
  EXPECT_EQ(asked.history_measures, settings.history_measures);
  EXPECT_TRUE(timed({}).history_measures->empty());
}

TEST(Row, RunsThatDisagreeAreNotReproducible) {
  Result longer = run(1, {});
  longer.iterations = 3;
  EXPECT_FALSE(make_row(run(1), {run(1, {}), longer}, kUsual).reproducible);
}

TEST(Row, ACrashOfARepeatedRunIsTheRows) {
  Result crash;
  crash.status = Status::crashed;
  crash.message = "the solver's process ended";
  const Row row = make_row(run(1), {run(1, {}), crash}, kUsual);
  EXPECT_EQ(row.status, Status::crashed);
  EXPECT_FALSE(row.reproducible);
  EXPECT_EQ(row.runs.size(), 1U);
}

TEST(FirstMoments, AreWhereTheErrorFirstGetsThatSmall) {
  const std::vector<Point> history{{0, 0, false, {1, 2}},
                                   {1, 0.1, false, {1e-2, 2}},
                                   {2, 0.2, false, {0.5, 1e-5}},
                                   {9, 0.9, false, {1e-4, NAN}}};
  const std::vector<double> tolerances{1e-6, 1e-4, 1e-2, 1};
  const auto mine = first_moments(history, 0, tolerances);
  EXPECT_EQ(mine[0].iteration, -1);
  EXPECT_TRUE(std::isnan(mine[0].seconds));
  EXPECT_EQ(mine[1].iteration, 9);
  EXPECT_EQ(mine[2].iteration, 1);  // that it rises again does not matter
  EXPECT_EQ(mine[2].seconds, 0.1);
  EXPECT_EQ(mine[3].iteration, 0);
  EXPECT_EQ(first_moments(history, 1, tolerances)[1].iteration, 2);
  EXPECT_EQ(first_moments(history, 2, tolerances)[3].iteration, -1);  // they do not have it
}

// The same run with every iteration measured tells how late a moment of the spaced history is. The
// errors of these runs of PGS fall steadily, so that nothing happens between two points.
TEST(FirstMoments, AreLateByOneStepOfTheHistoryAtMost) {
  const std::vector<double> tolerances{1e-10, 1e-8, 1e-6, 1e-4, 1e-2};
  int long_runs = 0;
  for (const io::Record& record :
       io::read_json_lines(PERPEND_SOURCE_DIR "/examples/frames/blocks.jsonl")) {
    const System system = io::system_of(record, "blocks");
    Options options;
    options.tolerance = 1e-10;
    Options every = options;
    every.history = true;
    const Row exact = make_row(solve(system, "ncp/pgs", every), {}, kUsual);
    const Row spaced = make_row(solve(system, "ncp/pgs", watched(options, kUsual)), {}, kUsual);
    EXPECT_EQ(exact.iterations, spaced.iterations);
    if (exact.status != Status::converged || exact.iterations < 40) continue;
    ++long_runs;
    EXPECT_LT(spaced.history.size(), exact.history.size());
    const auto a = first_moments(exact.history, 0, tolerances);
    const auto b = first_moments(spaced.history, 0, tolerances);
    for (std::size_t t = 0; t < tolerances.size(); ++t) {
      EXPECT_GE(b[t].iteration, a[t].iteration);
      EXPECT_LE(static_cast<double>(b[t].iteration),
                std::ceil(kHistoryRatio * static_cast<double>(a[t].iteration)) + 1)
          << record.name << " " << tolerances[t];
    }
    EXPECT_EQ(b[0].iteration, a[0].iteration);  // where it stopped
  }
  EXPECT_GT(long_runs, 0);
}

TEST(Thinned, KeepsBothEndsAndSpreadsTheRestOverAllMagnitudes) {
  std::vector<Point> all;
  for (long k = 0; k <= 10000; ++k) all.push_back({k, 0, k == 5000, {}});
  const std::vector<Point> few = thinned(all, 40);
  EXPECT_LE(few.size(), 40U);
  EXPECT_GE(few.size(), 35U);
  EXPECT_EQ(few.front().iteration, 0);
  EXPECT_EQ(few.back().iteration, 10000);
  for (std::size_t i = 1; i < few.size(); ++i)
    EXPECT_LE(static_cast<double>(few[i].iteration + 1),
              2.1 * static_cast<double>(few[i - 1].iteration + 1));
  int restarts = 0;
  for (const Point& p : few) {
    if (!p.restart) continue;
    ++restarts;
    EXPECT_GE(p.iteration, 5000);
  }
  EXPECT_EQ(restarts, 1);
  EXPECT_EQ(thinned(few, 40).size(), few.size());
}

}  // namespace row_test
}  // namespace perpend::bench
