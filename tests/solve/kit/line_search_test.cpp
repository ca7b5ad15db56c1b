#include "solve/kit/line_search.hpp"

#include <gtest/gtest.h>

namespace perpend {
namespace line_search_test {

TEST(ConvexLineSearch, TakesTheFullStepOfAQuadraticFunction) {
  EXPECT_EQ(convex_line_search([](double a) { return a - 1; }), 1);
}

TEST(ConvexLineSearch, FindsAZeroBehindAKink) {
  // Slope -1 + a up to 0.2, then a hundred times as steep: the zero is at 0.208.
  const auto slope = [](double a) { return a < 0.2 ? a - 1 : -0.8 + 100 * (a - 0.2); };
  const double a = convex_line_search(slope);
  EXPECT_LE(std::abs(slope(a)), 0.1);
  // and beyond the full step
  const double far = convex_line_search([](double t) { return t / 5 - 1; });
  EXPECT_LE(std::abs(far / 5 - 1), 0.5);
}

TEST(ConvexLineSearch, ASlopeThatRoundingHoldsStillGivesAFiniteStep) {
  EXPECT_EQ(convex_line_search([](double) { return -1e-6; }), 1);
  EXPECT_EQ(convex_line_search([](double) { return 0.0; }), 1);
  // Still falling after four doublings: as far as was looked.
  EXPECT_EQ(convex_line_search([](double a) { return -1 + 1e-3 * a; }), 16);
}

}  // namespace line_search_test
}  // namespace perpend
