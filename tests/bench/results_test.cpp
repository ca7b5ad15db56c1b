#include <gtest/gtest.h>

#include <cmath>

#include "bench/folder.hpp"
#include "bench/json.hpp"

namespace perpend::bench::test {
namespace results_test {

TEST(Results, ComeBackFromTheFileBitForBit) {
  const Folder folder;
  Results results = campaign(3);
  results.rows[2].status = Status::crashed;
  results.rows[2].history.clear();
  results.rows[2].runs.clear();
  results.rows[4].errors[Measure::normal_error] = INFINITY;
  write_results(results, folder.path());
  const Results back = read_results(folder.path());
  EXPECT_EQ(to_json(back), to_json(results));
  EXPECT_EQ(to_csv(back), to_csv(results));
  EXPECT_EQ(back.rows[0].runs, results.rows[0].runs);
  EXPECT_EQ(back.rows[0].history[1].errors[3], 1e-300);
  EXPECT_TRUE(std::isnan(back.rows[0].history[1].errors[2]));
  EXPECT_EQ(back.rows[4].errors[Measure::normal_error], INFINITY);
  EXPECT_EQ(back.rows[2].status, Status::crashed);
  EXPECT_EQ(back.problems[1].tags, results.problems[1].tags);
  EXPECT_EQ(back.machines[0].load, results.machines[0].load);
  EXPECT_EQ(back.settings.set, results.settings.set);
  EXPECT_EQ(contents(folder.path("results.json")), to_json(results));
  EXPECT_EQ(contents(folder.path("results.csv")), to_csv(results));
}

TEST(Results, OfBeforeTransferWasToldAreRead) {
  const Folder folder;
  const Results results = campaign(3);
  ASSERT_GT(results.rows[0].transfer_seconds, 0);
  write_results(results, folder.path());
  io::ColumnFile file = io::read_columns(folder.path("results.h5"), "perpend-results");
  ASSERT_EQ(file.columns.erase("/results/transfer_seconds"), 1U);
  io::write_columns(file, folder.path("results.h5"));
  const Results back = read_results(folder.path());
  EXPECT_EQ(back.rows[0].transfer_seconds, 0);
  EXPECT_EQ(back.rows[0].formulation_seconds, results.rows[0].formulation_seconds);
}

// Older files do not say which measures their histories have: always the same four.
TEST(Results, OfBeforeHistoriesWereChosenAreRead) {
  const Folder folder;
  const Results results = campaign(3);
  write_results(results, folder.path());
  io::ColumnFile file = io::read_columns(folder.path("results.h5"), "perpend-results");
  ASSERT_EQ(file.columns.erase("/settings/history_measures"), 1U);
  for (const char* column : {"own_error", "velocity_error", "normal_error", "friction_error"})
    ASSERT_EQ(file.columns.count(std::string("/histories/") + column), 1U) << column;
  io::write_columns(file, folder.path("results.h5"));
  EXPECT_EQ(to_json(read_results(folder.path())), to_json(results));
}

Results with_merits() {
  Results results = campaign(2);
  results.settings.history_measures = {Measure::own_error, Measure::velocity_error,
                                       Measure::energy_change,
                                       HistoryMeasure(Measure::pgs_merit, true)};
  for (Row& row : results.rows) row.history[1].errors = {1e-9, 1e-8, -0.25, 1e-17};
  return results;
}

TEST(Results, HistoriesHoldWhatWasAskedFor) {
  const Folder folder;
  const Results results = with_merits();
  write_results(results, folder.path());
  const Results back = read_results(folder.path());
  EXPECT_EQ(to_json(back), to_json(results));
  EXPECT_EQ(back.settings.history_measures, results.settings.history_measures);
  EXPECT_EQ(back.rows[3].history[1].errors, results.rows[3].history[1].errors);
  const io::ColumnFile file = io::read_columns(folder.path("results.h5"), "perpend-results");
  EXPECT_EQ(file.columns.count("/histories/pgs_merit@iterate"), 1U);
  EXPECT_EQ(file.columns.count("/histories/normal_error"), 0U);
  const Json json = Json::parse(to_json(results));
  EXPECT_EQ(json["settings"]["history_measures"],
            Json({"own_error", "velocity_error", "energy_change", "pgs_merit@iterate"}));
  EXPECT_EQ(json["histories"]["energy_change"][1], -0.25);
  EXPECT_EQ(json["histories"]["pgs_merit@iterate"][1], 1e-17);
  EXPECT_EQ(json["results"]["first"]["own_error"]["iterations"][0], Json({7, 7, 0}));
}

TEST(Results, AnUnknownOrMissingMeasureOfHistoriesIsRefused) {
  const Folder folder;
  write_results(with_merits(), folder.path());
  io::ColumnFile file = io::read_columns(folder.path("results.h5"), "perpend-results");
  file.columns["/settings/history_measures"] = std::vector<std::string>{"own_error\nown_eror"};
  io::write_columns(file, folder.path("results.h5"));
  EXPECT_NE(complaint([&] { read_results(folder.path()); }).find("'own_eror'"), std::string::npos);
  file.columns["/settings/history_measures"] = std::vector<std::string>{"velocity_error"};
  io::write_columns(file, folder.path("results.h5"));
  EXPECT_NE(complaint([&] {
              read_results(folder.path());
            }).find("/settings/history_measures: lacks own_error"),
            std::string::npos);
}

TEST(Results, OfOtherHistoriesAreNotMerged) {
  const std::string why = complaint([&] { merged({campaign(2), with_merits()}, {"a", "b"}); });
  EXPECT_NE(why.find("--history-measures was own_error,velocity_error,normal_error,friction_error, "
                     "is own_error,velocity_error,energy_change,pgs_merit@iterate"),
            std::string::npos)
      << why;
  EXPECT_EQ(merged({with_merits(), with_merits()}, {"a", "b"}).settings.history_measures,
            with_merits().settings.history_measures);
}

TEST(Results, WithoutAnyRowAreResultsToo) {
  const Folder folder;
  const Results nothing = campaign(0);
  write_results(nothing, folder.path());
  EXPECT_EQ(to_json(read_results(folder.path())), to_json(nothing));
}

TEST(Results, JsonHasColumnsOfEqualLengthAndNullForWhatIsNoNumber) {
  const Results results = campaign(3);
  const Json json = Json::parse(to_json(results));
  EXPECT_EQ(json["format"], "perpend-results");
  EXPECT_EQ(json["format_version"], 1);
  for (const char* name : {"solver", "problem", "status", "message", "path", "iterations",
                           "seconds", "seconds_low", "seconds_high", "reproducible"})
    EXPECT_EQ(json["results"][name].size(), 6U) << name;
  for (const auto& [name, column] : json["results"]["errors"].items())
    EXPECT_EQ(column.size(), 6U) << name;
  EXPECT_EQ(json["results"]["errors"].size(), kMeasures);
  EXPECT_TRUE(json["results"]["errors"]["max_penetration"][0].is_null());
  EXPECT_EQ(json["results"]["errors"]["own_error"][0].get<double>(), 1e-9 / 3);
  EXPECT_EQ(json["texts"][json["results"]["message"][3].get<std::size_t>()],
            results.rows[3].message);
  // 1e-9/3 meets 1e-8, 1e-4 and 1; the start meets 1.
  EXPECT_EQ(json["results"]["first"]["own_error"]["iterations"][2], Json({8, 8, 0}));
  EXPECT_EQ(json["histories"]["offset"], Json({0, 2, 4, 6, 8, 10, 12}));
  EXPECT_EQ(json["histories"]["restart"], Json({0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1}));
  EXPECT_TRUE(json["histories"]["normal_error"][1].is_null());
  EXPECT_EQ(json["settings"]["set"]["bounds"], "lagged");
}

TEST(Results, OfVersionsWithoutErrorsOfJointsAreRead) {
  const Folder folder;
  write_results(campaign(2), folder.path());
  const std::string file = folder.path() + "/results.h5";
  io::ColumnFile columns = io::read_columns(file, "perpend-results");
  for (const char* name : {"joint_error", "joint_turn_error"})
    EXPECT_EQ(columns.columns.erase(std::string("/results/errors/") + name), 1U) << name;
  io::write_columns(columns, file);
  const Results old = read_results(file);
  ASSERT_EQ(old.rows.size(), campaign(2).rows.size());
  EXPECT_FALSE(old.rows[0].errors.has(Measure::joint_error));
  EXPECT_TRUE(old.rows[0].errors.has(Measure::velocity_error));
}

TEST(Results, CsvQuotesWhatNeedsIt) {
  const std::string csv = to_csv(campaign(1));
  EXPECT_EQ(csv.substr(0, csv.find('\n')),
            "solver,file,frame,status,path,iterations,seconds,seconds_low,seconds_high,"
            "reproducible,own_error,velocity_error,rms_violation,joint_error,joint_turn_error,"
            "natural_map_error,normal_error,friction_error,total_error,lcp_merit,pgs_merit,"
            "max_penetration,energy_change,sweeps,products,factorizations,pivots,contacts,"
            "joint_rows,message,transfer_seconds");
  EXPECT_NE(csv.find("\nncp/nncg,\"some, file.h5\",0,converged,start,7,0.001,"), std::string::npos);
  EXPECT_NE(csv.find(",7,14,1,0,4,0,\"done, \"\"quickly\"\"\nand well\",1e-05\n"),
            std::string::npos);
}

TEST(Results, AFileThatIsNoneIsNamed) {
  const Folder folder;
  EXPECT_NE(complaint([&] { read_results(folder.path()); }).find("has no results.h5"),
            std::string::npos);
  std::ofstream(folder.path("results.h5")) << "no";
  EXPECT_NE(complaint([&] { read_results(folder.path()); }).find("results.h5"), std::string::npos);
}

TEST(Results, ADamagedFileIsRefusedWithTheNameOfTheColumn) {
  const Folder folder;
  write_results(campaign(2), folder.path());
  io::ColumnFile file = io::read_columns(folder.path("results.h5"), "perpend-results");
  const auto refused = [&](const std::string& column, io::ColumnFile::Column damaged) {
    io::ColumnFile other = file;
    other.columns[column] = std::move(damaged);
    io::write_columns(other, folder.path("other.h5"));
    return complaint([&] { read_results(folder.path("other.h5")); }).find(column) !=
           std::string::npos;
  };
  using Whole = std::vector<std::int64_t>;
  EXPECT_TRUE(refused("/results/problem", Whole{0, 1, 2, 1}));
  EXPECT_TRUE(refused("/results/solver", Whole{0, 1, -1, 1}));
  EXPECT_TRUE(refused("/results/iterations", Whole{0}));
  EXPECT_TRUE(refused("/histories/offset", Whole{0, 4, 2, 6, 8}));
  EXPECT_TRUE(refused("/results/seconds", Whole{1, 2, 3, 4}));
}

TEST(Machine, TellsWhatItIs) {
  const Machine machine = this_machine();
  EXPECT_FALSE(machine.cpu.empty());
  EXPECT_GE(machine.cores, 1);
  EXPECT_GT(machine.memory_bytes, 1e6);
  EXPECT_NE(machine.flags.find("-ffp-contract=off"), std::string::npos);
  EXPECT_EQ(machine.date.size(), std::string("2026-01-01T00:00:00Z").size());
  Machine later = machine;
  later.date = "";
  later.load = {9, 9, 9};
  EXPECT_TRUE(machine.same_as(later));
  later.commit = "another";
  EXPECT_FALSE(machine.same_as(later));
}

// Every second problem in each part, the rows in any order.
std::vector<Results> shards(const Results& whole) {
  std::vector<Results> parts(2, whole);
  for (std::size_t k = 0; k < 2; ++k) {
    Results& part = parts[k];
    part.problems.clear();
    part.rows.clear();
    for (std::size_t p = k; p < whole.problems.size(); p += 2) {
      for (std::size_t s = 0; s < 2; ++s) {
        part.rows.push_back(whole.rows[2 * p + s]);
        part.rows.back().problem = part.problems.size();
      }
      part.problems.push_back(whole.problems[p]);
    }
    part.rows_planned = static_cast<std::int64_t>(part.rows.size());
  }
  return parts;
}

TEST(Merge, OfAllShardsIsTheWholeCampaign) {
  const Results whole = campaign(5);
  const std::vector<Results> parts = shards(whole);
  EXPECT_EQ(to_json(merged(parts, {"a", "b"})), to_json(whole));
  EXPECT_EQ(to_json(merged({parts[1], parts[0]}, {"b", "a"})), to_json(whole));
}

TEST(Merge, OfShardsFromTwoMachinesSaysWhichRowIsWhose) {
  std::vector<Results> parts = shards(campaign(2));
  parts[1].machines[0].cpu = "slide rule";
  const Results both = merged(parts, {"a", "b"});
  ASSERT_EQ(both.machines.size(), 2U);
  EXPECT_EQ(both.machines[both.rows[0].machine].cpu, "abacus");
  EXPECT_EQ(both.machines[both.rows[2].machine].cpu, "slide rule");
}

TEST(Merge, TakesARowThatIsThereTwiceOnceAndRefusesADisagreement) {
  const Results one = campaign(2);
  Results again = one;
  again.rows[3].seconds = 77;  // times may differ
  EXPECT_EQ(to_json(merged({one, again}, {"a", "b"})), to_json(one));
  again.rows[3].iterations += 1;
  const std::string why = complaint([&] { merged({one, again}, {"a", "b"}); });
  EXPECT_NE(why.find("b: box/pgs on some, file.h5 frame 1 disagrees with a"), std::string::npos)
      << why;
  // How far a run came that the clock ended is chance.
  again.rows[3].reproducible = false;
  EXPECT_NO_THROW(merged({one, again}, {"a", "b"}));
}

TEST(Merge, RefusesOtherSettings) {
  Results other = campaign(1);
  other.settings.tolerance = 1e-6;
  EXPECT_EQ(complaint([&] {
              merged({campaign(1), other}, {"a", "b"});
            }),
            "b: has other settings than a: --tolerance was 1e-08, is 1e-06");
  other = campaign(1);
  other.settings.jobs = 4;
  EXPECT_NO_THROW(merged({campaign(1), other}, {"a", "b"}));
}

TEST(Compare, TheSameResultsHaveNoChange) {
  const Comparison c = compare(campaign(3), campaign(3));
  EXPECT_EQ(c.common, 6U);
  EXPECT_TRUE(c.changes.empty());
  EXPECT_TRUE(c.times_judged);
  EXPECT_NEAR(c.noise, 0.2, 1e-12);  // of runs 0.9, 1, 1.1
}

TEST(Compare, AProblemNoLongerSolvedIsWorseAndOneNewlySolvedIsBetter) {
  const Results before = campaign(2);
  Results after = before;
  after.rows[1].status = Status::iteration_limit;
  const Comparison c = compare(before, after);
  ASSERT_EQ(c.changes.size(), 1U);
  EXPECT_EQ(c.changes[0].what, Change::What::status);
  EXPECT_TRUE(c.changes[0].worse);
  EXPECT_FALSE(compare(after, before).changes.at(0).worse);
}

TEST(Compare, WhatNeitherTakesIsCountedApart) {
  Results before = campaign(2), after = before;
  before.rows[1].status = after.rows[1].status = Status::invalid_input;
  const Comparison c = compare(before, after);
  EXPECT_EQ(c.refused, 1U);
  EXPECT_EQ(c.common, 3U);
  EXPECT_TRUE(c.changes.empty());
  // A problem that it no longer takes is a change.
  EXPECT_TRUE(compare(campaign(2), after).changes.at(0).worse);
  EXPECT_EQ(compare(campaign(2), after).refused, 0U);
}

TEST(Compare, ASingleRunSaysNothingAboutTime) {
  Results before = campaign(2), after = before;
  for (Results* results : {&before, &after})
    for (Row& row : results->rows) {
      row.runs.resize(1);
      row.seconds_low = row.seconds_high = row.seconds = results == &before ? 1e-3 : 1;
    }
  const Comparison c = compare(before, after);
  EXPECT_TRUE(c.changes.empty());
  EXPECT_FALSE(c.times_judged);
}

TEST(Compare, OnlyTimesBeyondTheSpreadOfTheRunsCount) {
  const Results before = campaign(2);
  // The runs spread over 20 % of the median: the slowest of A is 1.1 ms, 1.32 ms with that margin.
  // B's quickest run is 0.9 of its median, so its median has to be above 1.467 ms.
  for (const auto& [seconds, worse] : {std::pair{1.45e-3, false}, std::pair{1.48e-3, true}}) {
    Results after = before;
    after.rows[2] = solved(1, 0, seconds);
    const Comparison c = compare(before, after);
    EXPECT_EQ(!c.changes.empty(), worse) << seconds;
    if (!worse) continue;
    EXPECT_EQ(c.changes[0].what, Change::What::time);
    EXPECT_TRUE(c.changes[0].worse);
    EXPECT_FALSE(compare(after, before).changes.at(0).worse);
    // Another processor: seconds say nothing.
    after.machines[0].cpu = "slide rule";
    EXPECT_TRUE(compare(before, after).changes.empty());
    EXPECT_FALSE(compare(before, after).times_judged);
  }
}

TEST(Compare, IterationsAndErrorsHaveTenPercent) {
  Results before = campaign(1);
  before.rows[0].iterations = 100;
  Results after = before;
  after.rows[0].iterations = 110;
  EXPECT_TRUE(compare(before, after).changes.empty());
  after.rows[0].iterations = 111;
  EXPECT_EQ(compare(before, after).changes.at(0).what, Change::What::iterations);
  after = before;
  before.rows[0].errors[Measure::velocity_error] = 1e-3;
  after.rows[0].errors[Measure::velocity_error] = 1.2e-3;
  EXPECT_EQ(compare(before, after).changes.at(0).measure, Measure::velocity_error);
  EXPECT_TRUE(compare(before, after).changes.at(0).worse);
  before.rows[0].reproducible = false;
  EXPECT_TRUE(compare(before, after).changes.empty());
}

TEST(Compare, RowsAreMatchedByTheProblemsBytes) {
  const Results before = campaign(3);
  Results after = before;
  for (ProblemEntry& p : after.problems) p.file = "moved.h5";
  EXPECT_EQ(compare(before, after).common, 6U);
  after.problems[1].hash = "another problem";
  const Comparison c = compare(before, after);
  EXPECT_EQ(c.common, 4U);
  EXPECT_EQ(c.only_a, 2U);
  EXPECT_EQ(c.only_b, 2U);
}

}  // namespace results_test
}  // namespace perpend::bench::test
