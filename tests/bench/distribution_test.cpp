#include "bench/distribution.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "bench/folder.hpp"

namespace perpend::bench::test {
namespace distribution_test {

// One solver; on problem p its error is 10^-k + p at iteration k = 0, 10, 39, 41 and 500.
Results falling(std::size_t problems) {
  Results results = campaign(0);
  results.solvers.resize(1);
  results.problems.resize(problems);
  for (std::size_t p = 0; p < problems; ++p) {
    Row row;
    row.problem = p;
    for (const long k : {0L, 10L, 39L, 41L, 500L})
      row.history.push_back(
          {k,
           0,
           false,
           {std::pow(10, -static_cast<double>(k)) + static_cast<double>(p), 1, 1, NAN}});
    results.rows.push_back(row);
  }
  return results;
}

TEST(Distribution, TakesTheLastPointThatIsNotLater) {
  const Results results = falling(1);
  EXPECT_EQ(errors_after(results, 0, 10)[0], 1e-10);
  EXPECT_EQ(errors_after(results, 0, 40)[0], 1e-39);
  EXPECT_EQ(errors_after(results, 0, 400)[0], 1e-41);
  EXPECT_EQ(errors_after(results, 0, kStages.back())[0], std::pow(10, -500.0));
}

TEST(Distribution, ARunThatHasEndedKeepsTheErrorOfItsAnswer) {
  Results results = falling(1);
  results.rows[0].history.resize(2);
  for (const long stage : kStages) EXPECT_EQ(errors_after(results, 0, stage)[0], 1e-10);
}

TEST(Distribution, QuantilesAreThoseOfTheProblemsOfTheGroup) {
  const Results results = falling(201);
  const std::vector<double> end = errors_after(results, 0, kStages.back());
  const Distribution all = distributions(results, end, std::vector<bool>(201, true))[0];
  EXPECT_EQ(all.problems, 201U);
  // Errors are 0, 1 .. 200.
  EXPECT_EQ(all.quantiles, (std::array<double, 7>{0, 10, 50, 100, 150, 190, 200}));
  std::vector<bool> few(201, false);
  few[7] = true;
  EXPECT_EQ(distributions(results, end, few)[0].quantiles[0], 7);
  EXPECT_EQ(distributions(results, end, few)[0].quantiles[6], 7);
}

TEST(Distribution, WhatWasNotMeasuredDoesNotCount) {
  Results results = falling(3);
  results.rows[1].history.clear();
  const std::vector<bool> all(3, true);
  EXPECT_EQ(distributions(results, errors_after(results, 0, 10), all)[0].problems, 2U);
  const Distribution none = distributions(results, errors_after(results, 3, 10), all)[0];
  EXPECT_EQ(none.problems, 0U);
  EXPECT_TRUE(std::isnan(none.quantiles[3]));
}

}  // namespace distribution_test
}  // namespace perpend::bench::test
