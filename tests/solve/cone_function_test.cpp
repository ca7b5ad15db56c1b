#include "solve/cone_function.hpp"

#include <gtest/gtest.h>

#include <array>

namespace perpend {
namespace cone_function_test {

constexpr std::array kFunctions = {ConeFunction::alart_curnier, ConeFunction::natural_map,
                                   ConeFunction::fischer_burmeister};

// Impulse and velocity that obey Coulomb's law with mu = 0.5.
struct State {
  const char* name;
  Vector3d x, u;
};
const std::array<State, 4> kLawful = {{
    {"open", {0, 0, 0}, {0.3, 0.2, -0.7}},
    {"sticks", {2, 0.3, -0.4}, {0, 0, 0}},
    {"slides against its velocity", {2, -0.6, 0.8}, {0, 0.3, -0.4}},
    {"touches without force", {0, 0, 0}, {0, 0, 0}},
}};

TEST(ConeFunction, IsZeroWhereCoulombsLawHolds) {
  for (const ConeFunction f : kFunctions)
    for (const State& s : kLawful) {
      SCOPED_TRACE(s.name);
      // The root of the smallest eigenvalue loses half of the digits at worst: 1e-7.
      EXPECT_LT(evaluate(f, s.x, s.u, 0.5, 3).norm(), 1e-7);
      EXPECT_LT((linearize(f, s.x, s.u, 0.5, 3).F - evaluate(f, s.x, s.u, 0.5, 3)).norm(), 1e-15);
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
  for (const ConeFunction f : kFunctions)
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
  for (const ConeFunction f : kFunctions)
    for (const double mu : {0.5, 0.0, 30.0})
      for (const State& s : smooth) {
        SCOPED_TRACE(s.name);
        const ConeLinearization at = linearize(f, s.x, s.u, mu, r);
        for (int k = 0; k < 3; ++k) {
          const Vector3d e = h * Vector3d::Unit(k);
          const Vector3d dx =
              (evaluate(f, s.x + r * e, s.u, mu, r) - evaluate(f, s.x - r * e, s.u, mu, r)) /
              (2 * h);
          const Vector3d du =
              (evaluate(f, s.x, s.u + e, mu, r) - evaluate(f, s.x, s.u - e, mu, r)) / (2 * h);
          EXPECT_LT((dx - at.dx.col(k)).norm(), 1e-6) << mu << ' ' << k;
          EXPECT_LT((du - at.du.col(k)).norm(), 1e-6) << mu << ' ' << k;
        }
      }
}

}  // namespace cone_function_test
}  // namespace perpend
