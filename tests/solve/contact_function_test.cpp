#include "solve/contact_function.hpp"

#include <gtest/gtest.h>

#include "perpend/measure.hpp"

namespace perpend {
namespace contact_function_test {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

using Function = ContactFunction (*)(const Vector3d&, const Vector3d&, double, double);
const Function kFunctions[] = {alart_curnier, fischer_burmeister_cone};

// Pairs that obey Coulomb's law: open, sticking inside, sliding, touching without force.
struct Pair {
  Vector3d lambda, y;
  double mu;
};
const std::vector<Pair> kLawful = {
    {{0, 0, 0}, {0.3, -2, 1}, 0.5},     {{2, 0.3, -0.4}, {0, 0, 0}, 0.5},
    {{2, 0.6, -0.8}, {0, -3, 4}, 0.5},  {{0, 0, 0}, {0, 1, 1}, 0.7},
    {{2, 1000, 1500}, {0, 0, 0}, 1000}, {{2, 0, 0}, {0, 5, -1}, 0},
    {{0, 0, 0}, {0.1, 5, -1}, 0},
};

TEST(ContactFunction, VanishesExactlyWhereCoulombsLawHolds) {
  for (const Function f : kFunctions)
    for (const double r : {1.0, 7.0}) {
      for (const Pair& p : kLawful) {
        // Sums of a dozen numbers below 1e5: 1e-10.
        EXPECT_LT(f(p.lambda, p.y, p.mu, r).value.norm(), 1e-10);
        // A little off in any way it does not.
        for (int k = 0; k < 3; ++k) {
          Vector3d y = p.y;
          y[k] -= 0.1;
          const Vector3d hat = y + Vector3d(p.mu * y.tail<2>().norm(), 0, 0);
          const double wrong = (p.lambda - project_cone(p.lambda - hat, p.mu)).norm();
          if (wrong > 1e-9) {
            EXPECT_GT(f(p.lambda, y, p.mu, r).value.norm(), 1e-6);
          }
        }
      }
    }
}

// Central differences with step h are off by h^2 times third derivatives, which in these regions
// are below 100, and by rounding 1e-15/h.
TEST(ContactFunction, DerivativesAreThoseOfDifferences) {
  const std::vector<Pair> smooth = {{{1, 0.2, 0.1}, {0.3, -0.5, 0.4}, 0.5},
                                    {{-0.4, 0.2, 0.1}, {0.9, -0.5, 0.4}, 0.5},
                                    {{2, 0.2, 0.1}, {0.03, -0.05, 0.04}, 0.8},
                                    {{1, 0.7, -0.2}, {-0.2, 0.5, 0.1}, 1.5},
                                    {{0.5, 0.7, -0.2}, {0.2, 0.5, 0.1}, 0}};
  const double h = 1e-6, tolerance = 1e-7;
  for (const Function f : kFunctions)
    for (const Pair& p : smooth)
      for (const double r : {1.0, 3.0}) {
        const ContactFunction at = f(p.lambda, p.y, p.mu, r);
        for (int k = 0; k < 3; ++k) {
          const Vector3d d = h * Vector3d::Unit(k);
          const Vector3d by_lambda =
              (f(p.lambda + d, p.y, p.mu, r).value - f(p.lambda - d, p.y, p.mu, r).value) / (2 * h);
          const Vector3d by_y =
              (f(p.lambda, p.y + d, p.mu, r).value - f(p.lambda, p.y - d, p.mu, r).value) / (2 * h);
          EXPECT_LT((at.by_lambda.col(k) - by_lambda).norm(), tolerance);
          EXPECT_LT((at.by_y.col(k) - by_y).norm(), tolerance * r);
        }
      }
}

TEST(ContactFunction, IsFiniteWhereItHasNoDerivative) {
  for (const Function f : kFunctions)
    for (const double mu : {0.0, 0.5}) {
      const ContactFunction apex = f(Vector3d::Zero(), Vector3d::Zero(), mu, 1);
      EXPECT_EQ(apex.value.norm(), 0);
      EXPECT_TRUE(apex.by_lambda.allFinite() && apex.by_y.allFinite());
      const ContactFunction mantle = f({2, 2 * mu, 0}, Vector3d::Zero(), mu, 1);
      EXPECT_LT(mantle.value.norm(), 1e-15);
      EXPECT_TRUE(mantle.by_lambda.allFinite() && mantle.by_y.allFinite());
    }
}

TEST(ContactFunction, RowsVanishInsideAndAtTheirBounds) {
  for (const auto f : {natural_row, fischer_burmeister_row}) {
    EXPECT_EQ(f(5, 0, -kInfinity, kInfinity, 2).value, 0);
    EXPECT_EQ(f(5, 3, -kInfinity, kInfinity, 2).value, 6);
    EXPECT_NEAR(f(0, 3, 0, kInfinity, 2).value, 0, 1e-15);
    EXPECT_NEAR(f(1, 0, 0, kInfinity, 2).value, 0, 1e-15);
    EXPECT_NEAR(f(2, -3, -kInfinity, 2, 2).value, 0, 1e-15);
    EXPECT_NEAR(f(-1, 4, -1, 2, 2).value, 0, 1e-15);
    EXPECT_NEAR(f(2, -4, -1, 2, 2).value, 0, 1e-15);
    EXPECT_NEAR(f(0.5, 0, -1, 2, 2).value, 0, 1e-15);
    EXPECT_GT(std::abs(f(-1, -4, -1, 2, 2).value), 1e-3);
    EXPECT_GT(std::abs(f(0.5, 1, -1, 2, 2).value), 1e-3);
    const double h = 1e-6;
    const RowFunction at = f(0.3, 0.7, -1, 2, 2);
    EXPECT_NEAR(at.by_lambda,
                (f(0.3 + h, 0.7, -1, 2, 2).value - f(0.3 - h, 0.7, -1, 2, 2).value) / (2 * h),
                1e-8);
    EXPECT_NEAR(at.by_y,
                (f(0.3, 0.7 + h, -1, 2, 2).value - f(0.3, 0.7 - h, -1, 2, 2).value) / (2 * h),
                1e-8);
  }
}

}  // namespace contact_function_test
}  // namespace perpend
