// Plots: where points land, what a legend says, and what cannot be drawn.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <regex>

#include "draw/ticks.hpp"
#include "perpend/draw.hpp"

namespace perpend::draw {
namespace plot_test {

using testing::HasSubstr;

struct Circle {
  double x, y;
};
std::vector<Circle> circles(const std::string& text) {
  static const std::regex pattern("<circle cx=\"([-0-9.]+)\" cy=\"([-0-9.]+)\"");
  std::vector<Circle> out;
  for (auto at = std::sregex_iterator(text.begin(), text.end(), pattern);
       at != std::sregex_iterator(); ++at)
    out.push_back({std::stod((*at)[1]), std::stod((*at)[2])});
  return out;
}

Plot plot_of(std::vector<double> x, std::vector<double> y, bool log) {
  Plot plot{"a title", {"x", log}, {"y", log}, {}};
  plot.curves.push_back({"data", std::move(x), std::move(y), true, false});
  return plot;
}

TEST(Plot, APowerLawIsAStraightLineOnLogAxes) {
  // y = x^2: equal steps of log x are equal steps in both directions. Two digits are written.
  const auto at = circles(svg({plot_of({1, 2, 4, 8}, {1, 4, 16, 64}, true)}));
  ASSERT_EQ(at.size(), 4u);
  for (std::size_t i = 0; i + 2 < at.size(); ++i) {
    EXPECT_NEAR(at[i + 1].x - at[i].x, at[i + 2].x - at[i + 1].x, 0.03);
    EXPECT_NEAR(at[i + 1].y - at[i].y, at[i + 2].y - at[i + 1].y, 0.03);
  }
  EXPECT_GT(at[1].x, at[0].x);  // to the right
  EXPECT_LT(at[1].y, at[0].y);  // and up
}

TEST(Plot, PointsKeepTheirProportionsOnLinearAxes) {
  const auto at = circles(svg({plot_of({0, 1, 4}, {2, 3, 6}, false)}));
  ASSERT_EQ(at.size(), 3u);
  EXPECT_NEAR((at[2].x - at[0].x) / (at[1].x - at[0].x), 4, 0.01);
  EXPECT_NEAR((at[2].y - at[0].y) / (at[1].y - at[0].y), 4, 0.01);
}

TEST(Plot, EveryPointIsInsideTheCard) {
  for (const bool log : {true, false})
    for (const Circle& at :
         circles(svg({plot_of({1e-9, 3, 1e7}, {1e-3, 1e3, 5}, log)}, 500, 300))) {
      EXPECT_GT(at.x, 40);
      EXPECT_LT(at.x, 500);
      EXPECT_GT(at.y, 20);
      EXPECT_LT(at.y, 260);
    }
}

TEST(Plot, WhatCannotBeDrawnIsLeftOutAndBreaksTheLine) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::string text = svg({plot_of({1, 2, 3, 4, 5, 6}, {1, 2, 0, nan, 5, 6}, true)});
  EXPECT_EQ(circles(text).size(), 4u);
  EXPECT_THAT(text, testing::ContainsRegex("d=\"M[^M\"]*M[^M\"]*\""));  // two pieces
  EXPECT_THAT(text, testing::Not(HasSubstr("nan")));
}

TEST(Plot, NothingToDrawIsStillAPlot) {
  for (const bool log : {true, false})
    EXPECT_THAT(svg({plot_of({}, {}, log)}), HasSubstr("a title"));
  EXPECT_THAT(svg({plot_of({3}, {3}, false)}), HasSubstr("<circle"));
}

TEST(Plot, WordsAreEscaped) {
  Plot plot = plot_of({1}, {1}, false);
  plot.title = "a < b & \"c\"";
  EXPECT_THAT(svg({plot}), HasSubstr("a &lt; b &amp; &quot;c&quot;"));
}

TEST(Plot, TheLegendLiesOnNoCurveIfThereIsAPlaceForIt) {
  const auto legend = [](const Plot& plot) {
    static const std::regex pattern("class=\"legend\"[^>]* x=\"([0-9.]+)\" y=\"([0-9.]+)\"");
    const std::string text = svg({plot}, 500, 300);
    std::smatch at;
    EXPECT_TRUE(std::regex_search(text, at, pattern));
    return Circle{std::stod(at[1]), std::stod(at[2])};
  };
  Plot plot = plot_of({0, 1}, {0, 1}, false);
  plot.curves.push_back({"", {0, 1}, {1, 0}, true, false});
  const Circle beside = legend(plot);  // at half height, right
  EXPECT_GT(beside.x, 300);
  EXPECT_NEAR(beside.y, 130, 20);
  plot.curves = {{"data", {0.1, 0.1, 0.9, 0.9, 0.1}, {0.1, 0.9, 0.9, 0.1, 0.1}, true, false}};
  const Circle between = legend(plot);  // in the middle of a frame
  EXPECT_NEAR(between.x, 230, 40);
  EXPECT_NEAR(between.y, 130, 20);
}

TEST(Plot, GuidesDoNotWidenTheAxes) {
  Plot plot = plot_of({1, 10}, {1, 10}, true);
  const auto before = circles(svg({plot}));
  plot.curves.push_back({"slope 5", {1, 10}, {1, 1e5}, false, true});
  const auto after = circles(svg({plot}));
  ASSERT_EQ(before.size(), after.size());
  for (std::size_t i = 0; i < before.size(); ++i) EXPECT_EQ(before[i].y, after[i].y);
}

TEST(Plot, SameInputSameBytes) {
  const Plot plot = plot_of({1, 2, 3}, {1e-3, 5, 2}, true);
  EXPECT_EQ(svg({plot, plot}), svg({plot, plot}));
}

std::vector<std::string> labels(const Range& range, bool log) {
  std::vector<std::string> out;
  for (const Tick& tick : ticks(range, log, 6))
    if (!tick.label.empty()) out.push_back(tick.label);
  return out;
}

TEST(Ticks, AreRoundNumbers) {
  EXPECT_THAT(labels({0, 1}, false), testing::ElementsAre("0", "0.2", "0.4", "0.6", "0.8", "1"));
  EXPECT_THAT(labels({-3, 12}, false), testing::ElementsAre("0", "5", "10"));
  EXPECT_THAT(labels({1e-7, 1e-3}, true),
              testing::ElementsAre("1e-7", "1e-6", "1e-5", "1e-4", "1e-3"));
  EXPECT_THAT(labels({0.9, 60}, true), testing::ElementsAre("1", "2", "5", "10", "20", "50"));
}

TEST(Ticks, AreFewOnLongAxes) {
  EXPECT_LE(labels({1e-30, 1e30}, true).size(), 8u);
  EXPECT_GE(labels({1e-30, 1e30}, true).size(), 3u);
}

// One ulp, noise of rounding, the ends of what doubles can say: there is no axis without an end.
TEST(Ticks, AreFewOnEveryAxis) {
  constexpr double kMost = std::numeric_limits<double>::max(), kInfinity = HUGE_VAL;
  const double values[] = {0,      1,      -1,     0.3,       19.62,      1e9,
                           1e-9,   1e300,  -1e300, 1e308,     kMost,      -kMost,
                           1e-300, 1e-308, 5e-324, kInfinity, -kInfinity, NAN};
  for (const double a : values)
    for (const double other : values)
      for (const double b : {other, std::nextafter(a, kInfinity), a * (1 + 1e-13), a * (1 + 1e-10)})
        for (const bool log : {false, true}) {
          if (log && !(a > 0 && b > 0)) continue;
          EXPECT_LE(ticks({a, b}, false, 6).size(), 20u) << a << " to " << b;
          EXPECT_LE(svg({plot_of({0, 1, 2}, {a, b, a}, log)}).size(), 60000u) << a << " to " << b;
          EXPECT_LE(svg({plot_of({a, b, a}, {0, 1, 2}, log)}).size(), 60000u) << a << " to " << b;
        }
}

TEST(Plot, NumbersBesideEachOtherAreDrawnAsOneValue) {
  const auto at = circles(svg({plot_of({0, 1}, {19.62, std::nextafter(19.62, 20.0)}, false)}));
  ASSERT_EQ(at.size(), 2u);
  EXPECT_NEAR(at[0].y, at[1].y, 0.011);
  EXPECT_THAT(svg({plot_of({0, 1}, {1e-320, HUGE_VAL}, true)}), Not(HasSubstr("nan")));
}

}  // namespace plot_test
}  // namespace perpend::draw
