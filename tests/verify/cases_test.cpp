// Every case of the table at its order, with fewer halvings than the page has, and the page lists
// every case.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>

#include "perpend/verify.hpp"

namespace perpend::verify {
namespace cases_test {

class EveryCase : public testing::TestWithParam<std::size_t> {};

TEST_P(EveryCase, ConvergesAtTheOrderTheorySays) {
  const Case& one = cases()[GetParam()];
  const Outcome outcome = run(one, StepOptions(), 4);
  ASSERT_EQ(outcome.steps.size(), 5u);
  EXPECT_EQ(outcome.unconverged, 0) << "steps above the solver's tolerance";
  for (std::size_t q = 0; q < outcome.rows.size(); ++q) {
    const Quantity& quantity = one.quantities[q];
    const Row& row = outcome.rows[q];
    std::ostringstream errors;
    for (double error : row.errors) errors << error << ' ';
    EXPECT_TRUE(row.met) << quantity.name << ": errors " << errors.str() << "order " << row.order;
    // The finest run is far better than the coarsest: no error is left that does not vanish.
    if (quantity.order > 0) {
      EXPECT_LT(row.errors.back(), row.errors.front() / 4) << quantity.name;
    }
  }
}

TEST_P(EveryCase, IsMetAtRealTime) {
  StepOptions options;
  options.effort.kind = Effort::Kind::real_time;
  const Case& one = cases()[GetParam()];
  const Outcome outcome = run(one, options, 4);
  for (std::size_t q = 0; q < outcome.rows.size(); ++q) {
    std::ostringstream errors;
    for (double error : outcome.rows[q].errors) errors << error << ' ';
    EXPECT_TRUE(outcome.rows[q].met) << one.quantities[q].name << ": errors " << errors.str();
  }
}

std::string name_of(const testing::TestParamInfo<std::size_t>& info) {
  std::string text = cases()[info.param].name;
  std::replace(text.begin(), text.end(), '-', '_');
  return text;
}
INSTANTIATE_TEST_SUITE_P(Verify, EveryCase, testing::Range(std::size_t{0}, cases().size()),
                         name_of);

TEST(Cases, HaveNamesOfTheirOwnAndSayWhatTheyExpect) {
  std::set<std::string> names;
  for (const Case& one : cases()) {
    EXPECT_TRUE(names.insert(one.name).second) << one.name;
    EXPECT_EQ(case_named(one.name), &one);
    EXPECT_FALSE(one.title.empty() || one.text.empty()) << one.name;
    EXPECT_GT(one.h, 0);
    for (const Quantity& quantity : one.quantities) {
      EXPECT_FALSE(quantity.unit.empty() || quantity.reference.empty()) << quantity.name;
      EXPECT_NE(quantity.order > 0, quantity.bound > 0) << quantity.name;
    }
  }
  EXPECT_EQ(case_named("perpetuum-mobile"), nullptr);
}

TEST(Order, IsTheSlopeOfThePowerLaw) {
  const std::vector<double> h{1, 0.5, 0.25, 0.125, 0.0625};
  for (double order : {1.0, 2.0, 0.5}) {
    std::vector<double> errors;
    for (double step : h) errors.push_back(3 * std::pow(step, order));
    EXPECT_NEAR(fitted_order(h, errors), order, 1e-14);
  }
  // An error that stays has order 0; the coarsest run does not count among five.
  EXPECT_NEAR(fitted_order(h, std::vector<double>{9, 2, 2, 2, 2}), 0, 1e-14);
}

// A method of order zero, and errors above a bound, must be seen.
TEST(Verdict, ACaseThatDoesNotConvergeIsMissed) {
  Case constant{"constant", "t", "t", 0.1, {{"a", "m", "r", 1, 0}, {"b", "m", "r", 0, 1e-3}}, {}};
  constant.errors = [](const Simulator&, double) -> std::vector<double> { return {0.1, 1e-4}; };
  Outcome outcome = run(constant, StepOptions(), 3);
  EXPECT_FALSE(outcome.rows[0].met);
  EXPECT_TRUE(outcome.rows[1].met);
  EXPECT_FALSE(outcome.met());
  constant.errors = [](const Simulator&, double h) -> std::vector<double> { return {h, h}; };
  outcome = run(constant, StepOptions(), 3);
  EXPECT_TRUE(outcome.rows[0].met);
  EXPECT_FALSE(outcome.rows[1].met);
  constant.errors = [](const Simulator&, double) -> std::vector<double> {
    return {std::nan(""), std::nan("")};
  };
  outcome = run(constant, StepOptions(), 3);
  EXPECT_FALSE(outcome.rows[0].met || outcome.rows[1].met);
}

TEST(Verdict, StopsWhenAskedTo) {
  int asked = 0;
  const Outcome outcome =
      run(*case_named("projectile"), StepOptions(), 3, [&] { return ++asked < 150; });
  EXPECT_TRUE(outcome.stopped);
  EXPECT_FALSE(outcome.met());
  EXPECT_EQ(outcome.steps.size(), 1u);  // 120 steps of the first run, the second was cut
}

// The reason why the cone is round here: a friction pyramid pulls the cubes of `yaw` aside unless
// the slope falls along one of its directions.
TEST(Verdict, APyramidMissesTheDirectionOfSliding) {
  StepOptions options;
  options.solver = "box/nncg";
  const Outcome outcome = run(*case_named("yaw"), options, 1);
  EXPECT_TRUE(outcome.rows[0].met);
  EXPECT_FALSE(outcome.rows[1].met);
  EXPECT_GT(outcome.rows[1].errors[0], 1);  // degrees
}

}  // namespace cases_test
}  // namespace perpend::verify
