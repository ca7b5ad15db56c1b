#include "solve/kit/fischer.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace perpend {
namespace fischer_test {

TEST(Fischer, VanishesExactlyWhereThePairIsComplementary) {
  for (const double x : {0.0, 1e-200, 1e-8, 1.0, 1e12, 1e200}) {
    EXPECT_EQ(fischer(x, 0).value, 0);
    EXPECT_EQ(fischer(0, x).value, 0);
    EXPECT_EQ(penalized_fischer(x, 0, 0.95).value, 0);
    EXPECT_EQ(penalized_fischer(0, x, 0.95).value, 0);
  }
  EXPECT_EQ(fischer(3, 4).value, 2);
  EXPECT_EQ(fischer(-3, 4).value, -4);
  EXPECT_EQ(penalized_fischer(3, 4, 0.75).value, 0.75 * 2 + 0.25 * 12);
  EXPECT_EQ(penalized_fischer(-3, 4, 0.75).value, 0.75 * -4);
}

// Central differences with step h are off by h^2 times the third derivative, which is below 1 at
// distances of 1 and more from the kinks, and by rounding of 1e-16/h: 1e-10 at h = 1e-5.
TEST(Fischer, DerivativesAreThoseOfTheValue) {
  const double h = 1e-5, off = 4e-10;
  for (const double a : {-4.0, -1.5, 1.25, 5.0})
    for (const double b : {-3.0, -1.0, 1.0, 7.0})
      for (const double lambda : {1.0, 0.95, 0.5}) {
        const auto value = [lambda](double x, double y) {
          return penalized_fischer(x, y, lambda).value;
        };
        const Fischer f = penalized_fischer(a, b, lambda);
        EXPECT_NEAR(f.da, (value(a + h, b) - value(a - h, b)) / (2 * h), off);
        EXPECT_NEAR(f.db, (value(a, b + h) - value(a, b - h)) / (2 * h), off);
      }
}

TEST(Fischer, SmallDerivativesKeepTheirDigits) {
  // 1 - 1/sqrt(1 + e^2) = e^2/2 up to e^4: for e = 1e-9 the plain difference is 0.
  const Fischer f = fischer(1, 1e-9);
  EXPECT_NEAR(f.da, 5e-19, 1e-33);
  EXPECT_NEAR(f.db, 1 - 1e-9, 1e-15);
  EXPECT_EQ(fischer(1e-9, 1).db, f.da);
}

TEST(Fischer, GradientAtTheKinkBelongsToTheDirectionAsked) {
  const double half = 1 - std::sqrt(0.5);
  EXPECT_NEAR(fischer(0, 0).da, half, 1e-15);
  EXPECT_NEAR(fischer(0, 0).db, half, 1e-15);
  EXPECT_EQ(fischer(0, 0, 1, 0).da, 0);
  EXPECT_EQ(fischer(0, 0, 1, 0).db, 1);
  EXPECT_EQ(fischer(0, 0, 0, -1).da, 1);
  EXPECT_EQ(fischer(0, 0, 0, -1).db, 2);
  EXPECT_NEAR(fischer(0, 0, 0, 0).da, half, 1e-15);
}

}  // namespace fischer_test
}  // namespace perpend
