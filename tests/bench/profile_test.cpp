// Profiles, by hand.
#include "bench/profile.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "bench/report_figures.hpp"
#include "perpend/bench.hpp"

namespace perpend::bench {
namespace profile_test {

using testing::ElementsAre;
using testing::SizeIs;

constexpr double kNever = -1;

// Rows that reach the only tolerance after so many ms, and an iteration per ms.
Results rows(const std::vector<std::vector<double>>& ms) {
  Results results;
  results.tolerances = {1e-8};
  results.solvers.resize(ms.front().size());
  for (std::size_t p = 0; p < ms.size(); ++p) {
    results.problems.emplace_back();
    results.problems.back().file = p < 2 ? "a.h5" : "b.h5";
    results.problems.back().tags = {"all", p == 0 ? "first" : "later"};
    for (std::size_t s = 0; s < ms[p].size(); ++s) {
      Row row;
      row.problem = p;
      row.solver = s;
      row.status = ms[p][s] == kNever ? Status::stalled : Status::converged;
      Point point{};
      point.iteration = std::lround(ms[p][s]);
      point.seconds = 1e-3 * ms[p][s];
      point.errors = {ms[p][s] == kNever ? 1 : 1e-9, 1, 0, 0};
      row.history = {point};
      results.rows.push_back(row);
    }
  }
  return results;
}

const std::vector<bool> kAll{true, true, true};

// A recorded answer without a recorded time.
TEST(Profile, ATimeThatIsNotKnownIsReachedAndNobodysBest) {
  for (const std::size_t unknown : {0U, 1U}) {
    Results results = rows({{4, 4}});
    results.rows[unknown].history[0].seconds = std::nan("");
    const Costs costs = Moments(results, Measure::own_error).costs(0, Cost::seconds);
    EXPECT_EQ(costs.best[0], 4e-3);
    EXPECT_TRUE(std::isnan(costs.ratio[unknown]));
    EXPECT_EQ(costs.ratio[1 - unknown], 1);
    results.settings.tolerance = 1e-8;
    EXPECT_EQ(summary(results).solvers[unknown].own_error[0], 1U);
  }
}

TEST(Profile, CountsProblemsWithinTimesTheBest) {
  // Over the best: 1, 2; 3, 1; never, 1.
  const Results results = rows({{1, 2}, {6, 2}, {kNever, 8}});
  const Costs costs = Moments(results, Measure::own_error).costs(0, Cost::seconds);
  const Profile performance = profile(results, costs.ratio, kAll, 100);
  EXPECT_THAT(performance.x, ElementsAre(1, 2, 3));
  EXPECT_THAT(performance.counts[0], ElementsAre(1, 1, 2));
  EXPECT_THAT(performance.counts[1], ElementsAre(2, 3, 3));
  const Costs iterations = Moments(results, Measure::own_error).costs(0, Cost::iterations);
  const Profile data = profile(results, iterations.cost, kAll, 100);
  EXPECT_THAT(data.x, ElementsAre(1, 2, 6, 8));
  EXPECT_THAT(data.counts[0], ElementsAre(1, 1, 2, 2));
  EXPECT_THAT(data.counts[1], ElementsAre(0, 2, 2, 3));
  EXPECT_THAT(medians(results, iterations.cost, kAll), ElementsAre(3.5, 2));
  EXPECT_THAT(iterations.best, ElementsAre(1, 2, 8));
}

TEST(Profile, OfSomeProblemsIsRelativeToTheBestOfAllSolversThere) {
  const Results results = rows({{1, 2}, {6, 2}, {kNever, 8}});
  const Costs costs = Moments(results, Measure::own_error).costs(0, Cost::seconds);
  const Profile first = profile(results, costs.ratio, {true, false, false}, 100);
  EXPECT_THAT(first.x, ElementsAre(1, 2));
  EXPECT_THAT(first.counts[1], ElementsAre(0, 1));
}

TEST(Profile, WhereNobodyArrivesThereIsNothing) {
  const Results results = rows({{1, 2}, {6, 2}, {kNever, 8}});
  const Costs costs = Moments(results, Measure::velocity_error).costs(0, Cost::seconds);
  EXPECT_TRUE(profile(results, costs.ratio, kAll, 100).x.empty());
  EXPECT_TRUE(std::isnan(medians(results, costs.ratio, kAll)[0]));
  EXPECT_TRUE(std::isnan(costs.best[0]));
}

TEST(Profile, AStartThatIsTheAnswerIsNotInfinitelyFaster) {
  const Results results = rows({{0, 2}, {0, 2}, {0, 2}});
  const Moments moments(results, Measure::own_error);
  EXPECT_DOUBLE_EQ(moments.costs(0, Cost::seconds).ratio[1], 2e-3 / kLeastSeconds);
  EXPECT_DOUBLE_EQ(moments.costs(0, Cost::iterations).ratio[1], 2);
}

TEST(Profile, OfManyStepsIsExactAtFewerOfThem) {
  std::vector<std::vector<double>> ms;
  for (int p = 1; p <= 1000; ++p) ms.push_back({1.0 * p});
  const Results results = rows(ms);
  const Costs costs = Moments(results, Measure::own_error).costs(0, Cost::iterations);
  const Profile data = profile(results, costs.cost, std::vector<bool>(1000, true), 50);
  ASSERT_LE(data.x.size(), 50U);
  EXPECT_EQ(data.x.front(), 1);
  EXPECT_EQ(data.counts[0].back(), 1000U);
  for (std::size_t k = 0; k < data.x.size(); ++k)
    EXPECT_EQ(data.counts[0][k], static_cast<std::uint32_t>(data.x[k]));
}

TEST(Groups, AreAllTagsAndFilesWhereThereAreSeveral) {
  const std::vector<Group> list = groups(rows({{1, 2}, {6, 2}, {kNever, 8}}));
  ASSERT_THAT(list, SizeIs(6));  // all; tags all, first, later; files a, b
  EXPECT_EQ(list[2].name, "first");
  EXPECT_THAT(list[2].problems, ElementsAre(true, false, false));
  EXPECT_EQ(list[4].kind, "file");
  EXPECT_THAT(list[5].problems, ElementsAre(false, false, true));
  EXPECT_EQ(list[1].figures, list[0].figures);  // of the same problems
  EXPECT_EQ(list[5].figures, 4U);
}

}  // namespace profile_test
}  // namespace perpend::bench
