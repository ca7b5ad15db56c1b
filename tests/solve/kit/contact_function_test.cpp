#include "solve/kit/contact_function.hpp"

#include <gtest/gtest.h>

#include <array>

#include "perpend/measure.hpp"

namespace perpend {
namespace contact_function_test {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

constexpr std::array kConeFunctions = {ConeFunction::alart_curnier, ConeFunction::natural_map,
                                       ConeFunction::fischer_burmeister};

// Impulse and velocity that obey Coulomb's law with mu = 0.5.
struct State {
  const char* name;
  Vector3d x, u;
};
const std::array<State, 4> kLawfulStates = {{
    {"open", {0, 0, 0}, {0.3, 0.2, -0.7}},
    {"sticks", {2, 0.3, -0.4}, {0, 0, 0}},
    {"slides against its velocity", {2, -0.6, 0.8}, {0, 0.3, -0.4}},
    {"touches without force", {0, 0, 0}, {0, 0, 0}},
}};

TEST(ConeFunction, IsZeroWhereCoulombsLawHolds) {
  for (const ConeFunction f : kConeFunctions)
    for (const State& s : kLawfulStates) {
      SCOPED_TRACE(s.name);
      // The root of the smallest eigenvalue loses half of the digits at worst: 1e-7.
      EXPECT_LT(evaluate(f, s.x, s.u, 0.5, 3).norm(), 1e-7);
      EXPECT_LT((linearize(f, s.x, s.u, 0.5, 3).value - evaluate(f, s.x, s.u, 0.5, 3)).norm(),
                1e-15);
    }
}

TEST(ConeFunction, IsNotZeroWhereItIsBroken) {
  const std::array<State, 5> broken = {{
      {"approaches", {0, 0, 0}, {-0.1, 0, 0}},
      {"pulls", {-1, 0, 0}, {0, 0, 0}},
      {"pushes while it separates", {1, 0, 0}, {0.1, 0, 0}},
      {"friction beyond the cone", {1, 0.7, 0}, {0, 0, 0}},
      {"slides along its friction", {1, 0.5, 0}, {0, 0.3, 0}},
  }};
  for (const ConeFunction f : kConeFunctions)
    for (const State& s : broken) {
      SCOPED_TRACE(s.name);
      EXPECT_GT(evaluate(f, s.x, s.u, 0.5, 1).norm(), 0.01);
    }
}

// Central differences of step 1e-6 are off by 1e-12 times third derivatives, which are below 1e3 at
// these distances from the kinks, and by rounding, 1e-10.
TEST(ConeFunction, DerivativesAreThoseOfTheFunction) {
  const std::array<State, 4> smooth = {{
      {"open", {0.1, 0.02, -0.03}, {0.9, 0.2, -0.7}},
      {"sticks", {2, 0.3, -0.4}, {0.05, 0.02, 0.01}},
      {"slides", {1, -0.4, 0.1}, {0.1, 0.8, -0.9}},
      {"slides slowly", {1, -0.45, 0.3}, {-0.1, 0.05, -0.1}},
  }};
  const double r = 0.7, h = 1e-6;
  for (const ConeFunction f : kConeFunctions)
    for (const double mu : {0.5, 0.0, 30.0})
      for (const State& s : smooth) {
        SCOPED_TRACE(s.name);
        const ContactFunction at = linearize(f, s.x, s.u, mu, r);
        for (int k = 0; k < 3; ++k) {
          const Vector3d e = h * Vector3d::Unit(k);
          const Vector3d dx =
              (evaluate(f, s.x + r * e, s.u, mu, r) - evaluate(f, s.x - r * e, s.u, mu, r)) /
              (2 * h);
          const Vector3d du =
              (evaluate(f, s.x, s.u + e, mu, r) - evaluate(f, s.x, s.u - e, mu, r)) / (2 * h);
          EXPECT_LT((dx - at.by_x.col(k)).norm(), 1e-6) << mu << ' ' << k;
          EXPECT_LT((du - at.by_u.col(k)).norm(), 1e-6) << mu << ' ' << k;
        }
      }
}

// In scaled units.
using Function = ContactFunction (*)(const Vector3d&, const Vector3d&, double, double);
const Function kFunctions[] = {scaled_alart_curnier, scaled_fischer_burmeister};

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
          EXPECT_LT((at.by_x.col(k) - by_lambda).norm(), tolerance);
          EXPECT_LT((at.by_u.col(k) - by_y).norm(), tolerance * r);
        }
      }
}

TEST(ContactFunction, IsFiniteWhereItHasNoDerivative) {
  for (const Function f : kFunctions)
    for (const double mu : {0.0, 0.5}) {
      const ContactFunction apex = f(Vector3d::Zero(), Vector3d::Zero(), mu, 1);
      EXPECT_EQ(apex.value.norm(), 0);
      EXPECT_TRUE(apex.by_x.allFinite() && apex.by_u.allFinite());
      const ContactFunction mantle = f({2, 2 * mu, 0}, Vector3d::Zero(), mu, 1);
      EXPECT_LT(mantle.value.norm(), 1e-15);
      EXPECT_TRUE(mantle.by_x.allFinite() && mantle.by_u.allFinite());
    }
}

TEST(ContactFunction, RowsVanishInsideAndAtTheirBounds) {
  for (const auto f : {natural_row, fischer_burmeister_row}) {
    EXPECT_EQ(f(5, 0, -kInfinity, kInfinity, 1, 2).value, 0);
    EXPECT_EQ(f(5, 3, -kInfinity, kInfinity, 1, 2).value, 6);
    EXPECT_NEAR(f(0, 3, 0, kInfinity, 1, 2).value, 0, 1e-15);
    EXPECT_NEAR(f(1, 0, 0, kInfinity, 1, 2).value, 0, 1e-15);
    EXPECT_NEAR(f(2, -3, -kInfinity, 2, 1, 2).value, 0, 1e-15);
    EXPECT_NEAR(f(-1, 4, -1, 2, 1, 2).value, 0, 1e-15);
    EXPECT_NEAR(f(2, -4, -1, 2, 1, 2).value, 0, 1e-15);
    EXPECT_NEAR(f(0.5, 0, -1, 2, 1, 2).value, 0, 1e-15);
    EXPECT_GT(std::abs(f(-1, -4, -1, 2, 1, 2).value), 1e-3);
    EXPECT_GT(std::abs(f(0.5, 1, -1, 2, 1, 2).value), 1e-3);
    const double h = 1e-6;
    const RowFunction at = f(0.3, 0.7, -1, 2, 1, 2);
    EXPECT_NEAR(at.by_x,
                (f(0.3 + h, 0.7, -1, 2, 1, 2).value - f(0.3 - h, 0.7, -1, 2, 1, 2).value) / (2 * h),
                1e-8);
    EXPECT_NEAR(at.by_y,
                (f(0.3, 0.7 + h, -1, 2, 1, 2).value - f(0.3, 0.7 - h, -1, 2, 1, 2).value) / (2 * h),
                1e-8);
  }
}

}  // namespace contact_function_test
}  // namespace perpend
