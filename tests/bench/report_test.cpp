// What report.html and report.md are made of, by hand where a hand suffices.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "bench/invented_results.hpp"
#include "bench/pack.hpp"
#include "bench/report_data.hpp"
#include "perpend/bench.hpp"

namespace perpend::bench {
namespace report_test {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

// Two solvers on two problems. The first is at 1e-3 after 1 ms and at 1e-9 after 4 ms on both; the
// second needs half of that on the first problem and never gets below 0.1 on the second.
Results two_by_two() {
  Results results = invented_results(2, 2);
  results.tolerances = {1e-8, 1e-2, 1};
  const auto points = [](double scale, double first, double last) {
    return std::vector<Point>{
        {0, 0, false, {2, 2, 0, 0}},
        {10, 0.001 * scale, false, {first, first, 0, 0}},
        {40, 0.004 * scale, false, {last, std::max(last, 1e-4), 0, 0}}};  // not quite Coulomb
  };
  results.rows.clear();
  for (std::size_t p = 0; p < 2; ++p)
    for (std::size_t s = 0; s < 2; ++s) {
      Row row;
      row.solver = s;
      row.problem = p;
      const bool fails = s == 1 && p == 1;
      row.history = fails ? points(1, 0.5, 0.1) : points(s == 1 ? 0.5 : 1, 1e-3, 1e-9);
      row.status = fails ? Status::stalled : Status::converged;
      row.message = "a | message\nof two lines";
      row.path = "the | path";
      row.iterations = 40;
      row.seconds = row.history.back().seconds;
      row.errors[Measure::own_error] = row.history.back().errors[0];
      row.errors[Measure::velocity_error] = row.history.back().errors[1];
      results.rows.push_back(row);
    }
  results.rows_planned = 4;
  return results;
}

TEST(Summary, CountsWhoReachedWhichTolerance) {
  const Summary all = summary(two_by_two());
  ASSERT_EQ(all.solvers.size(), 2U);
  EXPECT_THAT(all.solvers[0].own_error, ElementsAre(2, 2, 2));
  EXPECT_THAT(all.solvers[1].own_error, ElementsAre(1, 1, 2));
  EXPECT_THAT(all.solvers[0].velocity_error, ElementsAre(0, 2, 2));
  EXPECT_EQ(all.solvers[1].failures.at("stalled"), 1U);
  EXPECT_EQ(all.solvers[1].worst_own_error, 0.1);
}

// The error met the tolerance, and rounding might have hidden more: such a run does not converge.
TEST(Summary, SolvedIsHowARowEndedNotWhatItReached) {
  Results results = two_by_two();
  results.rows[0].status = Status::stalled;
  const Summary all = summary(results);
  EXPECT_EQ(all.solvers[0].solved, 1U);
  EXPECT_EQ(all.reached(all.solvers[0]), 2U);
  EXPECT_EQ(all.solvers[0].failures.at("stalled"), 1U);
  EXPECT_THAT(report_markdown(results), HasSubstr("| box/pgs | box | 1/2 | 2/2 | 0/2 | 1.5 |"));
}

TEST(Summary, WhatASolverDoesNotTakeIsNoFailureOfIt) {
  Results results = two_by_two();
  Row& refused = results.rows[3];  // the second solver on the second problem
  refused.status = Status::invalid_input;
  refused.message = "the problem has joints";
  refused.history.clear();
  refused.errors = {};
  const Summary all = summary(results);
  EXPECT_EQ(all.solvers[0].problems, 2U);
  EXPECT_EQ(all.solvers[0].refused, 0U);
  EXPECT_EQ(all.solvers[1].problems, 1U);
  EXPECT_EQ(all.solvers[1].refused, 1U);
  EXPECT_THAT(all.solvers[1].own_error, ElementsAre(1, 1, 1));
  EXPECT_TRUE(all.solvers[1].failures.empty());
  const std::string text = report_markdown(results);
  EXPECT_THAT(text, HasSubstr("| 1/1 | 1/1 | 0/1 |"));
  EXPECT_THAT(text, HasSubstr("| none | 1 | 1 the"));
  EXPECT_THAT(text, Not(HasSubstr("invalid_input")));
}

TEST(Summary, TimeOverBestIsTheMedianOverTheProblemsReached) {
  // At 1e-8: 4 ms and 2 ms on the first problem, 4 ms and never on the second.
  const Summary all = summary(two_by_two());
  EXPECT_EQ(all.tolerance, 0U);
  EXPECT_DOUBLE_EQ(all.solvers[0].time_over_best, 1.5);  // of 2 and 1
  EXPECT_DOUBLE_EQ(all.solvers[1].time_over_best, 1);
  EXPECT_DOUBLE_EQ(all.solvers[0].seconds, 0.004);
}

TEST(Summary, AStartThatIsTheAnswerIsNotInfinitelyFaster) {
  Results results = two_by_two();
  for (Row& row : results.rows)
    if (row.solver == 0) row.history = {row.history.back()}, row.history[0].seconds = 0;
  const Summary all = summary(results);
  EXPECT_DOUBLE_EQ(all.solvers[0].time_over_best, 1);
  EXPECT_DOUBLE_EQ(all.solvers[1].time_over_best, 0.002 / kLeastSeconds);
}

TEST(Summary, NoRowsAreNoNumbers) {
  Results results = two_by_two();
  results.rows.clear();
  const Summary all = summary(results);
  EXPECT_TRUE(std::isnan(all.solvers[0].time_over_best));
  EXPECT_TRUE(std::isnan(all.solvers[0].worst_own_error));
  EXPECT_THAT(report_markdown(results), HasSubstr("There are no results yet"));
}

TEST(ReportMarkdown, IsTablesWithOneRowPerSolver) {
  const std::string text = report_markdown(two_by_two());
  EXPECT_THAT(
      text,
      HasSubstr("| box/pgs | box | 2/2 | 2/2 | 0/2 | 1.5 | 4 ms | 1e-09 | 0.0001 | none | 0 | "
                "2 the \\| path |\n"));
  EXPECT_THAT(
      text,
      HasSubstr("| box/nncg | box | 1/2 | 1/2 | 0/2 | 1 | 2 ms | 0.1 | 0.1 | 1 stalled | 0 | 1 "
                "the \\| path |\n"));
  EXPECT_THAT(text, HasSubstr("| solver | 1e-08 | 0.01 | 1 |\n"));
  EXPECT_THAT(text, HasSubstr("Imaginary CPU"));
}

TEST(ReportMarkdown, ShowsTheTextOfOthersAsItIs) {
  Results results = two_by_two();
  results.title = "<img src=x onerror=alert(1)> *a* _b_ c_d ![x](y) & \x1b[31m\nsecond";
  results.solvers[0].name = "box/`p`|<b>";
  results.settings.command = "perpend bench 'a`b``c' <script>";
  const std::string text = report_markdown(results);
  EXPECT_THAT(text, HasSubstr("# &lt;img src=x onerror=alert(1)&gt; \\*a\\* \\_b\\_ c_d "
                              "\\!\\[x\\](y) &amp; \\\\x1b\\[31m\\\\nsecond\n"));
  EXPECT_THAT(text, HasSubstr("| box/\\`p\\`\\|&lt;b&gt; | box |"));
  EXPECT_THAT(text, HasSubstr("- <code>perpend bench 'a\\`b\\`\\`c' &lt;script&gt;</code>\n"));
  EXPECT_THAT(text, Not(HasSubstr("<img")));
}

TEST(ReportMarkdown, SaysWhenTheComparisonWasInterrupted) {
  Results results = two_by_two();
  EXPECT_THAT(report_markdown(results), Not(HasSubstr("interrupted")));
  results.rows_planned = 9;
  EXPECT_THAT(report_markdown(results), HasSubstr("4 results of 9: it was interrupted"));
}

TEST(Pack, SixteenBitsKeepALogarithmToATenthOfAPercent) {
  EXPECT_EQ(log_code(0), 0);
  EXPECT_EQ(log_code(std::nan("")), 65535);
  EXPECT_EQ(log_code(1e-60), 1);
  EXPECT_EQ(log_code(1e60), 65534);
  for (const double number : {3.7e-38, 1.234e-9, 1.0, 6.5e4}) {
    const double back = std::pow(10, (log_code(number) - 1) / 65533.0 * 50 - 40);
    // Half a step is 50/65533/2 decades, a factor of 10^0.00038 = 1.00088.
    EXPECT_NEAR(back / number, 1, 0.00089) << number;
  }
}

TEST(Report, SameResultsSameBytes) {
  const Results results = invented_results(9, 11);
  const ReportData a = report_data(results), b = report_data(results);
  EXPECT_EQ(a.meta, b.meta);
  EXPECT_EQ(a.columns, b.columns);
  EXPECT_EQ(a.figures, b.figures);
  EXPECT_EQ(a.histories, b.histories);
}

TEST(Report, BytesThatAreNoTextDoNotStopIt) {
  Results results = two_by_two();
  results.problems[0].title = "\xff\xfe not UTF-8 </script>";
  results.title = "</title><script>alert(1)</script>";
  EXPECT_FALSE(report_data(results).meta.empty());
  EXPECT_THAT(report_html(results), Not(HasSubstr("<script>alert(1)")));
}

TEST(Report, IsWrittenWholeIntoItsFolder) {
  const std::string folder = testing::TempDir() + "perpend_report";
  std::filesystem::create_directories(folder);
  write_report(two_by_two(), folder);
  std::stringstream text;
  text << std::ifstream(folder + "/report.md").rdbuf();
  EXPECT_EQ(text.str(), report_markdown(two_by_two()));
  EXPECT_TRUE(std::filesystem::exists(folder + "/report.html"));
  EXPECT_FALSE(std::filesystem::exists(folder + "/report.md.part"));
  EXPECT_THROW(write_report(two_by_two(), folder + "/absent"), io::InputError);
  std::filesystem::remove_all(folder);
}

}  // namespace report_test
}  // namespace perpend::bench
