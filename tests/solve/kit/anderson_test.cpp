#include "solve/kit/anderson.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace perpend {
namespace anderson_test {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// v <- B v + c, eigenvalues of B from 0.1 to 0.999: plain iteration needs thousands of steps.
struct Linear {
  VectorXd rates = VectorXd::LinSpaced(6, 0.1, 0.999), c = VectorXd::LinSpaced(6, 1, -2);
  VectorXd residual(const VectorXd& v) const { return rates.cwiseProduct(v) + c - v; }
  VectorXd answer() const { return c.cwiseQuotient(VectorXd::Ones(6) - rates); }
};

TEST(Anderson, EndsALinearIterationInAsManyStepsAsThereAreRates) {
  // Type II is GMRES: exact after 6 differences, but for rounding amplified by 1/(1 - 0.999) and
  // the raised diagonal (1e-12, on columns of a Gram matrix whose condition is about 1e6).
  const Linear F;
  Anderson anderson(6, 8);
  VectorXd v = VectorXd::Zero(6);
  for (int k = 0; k < 9; ++k) anderson.advance(v, F.residual(v));
  EXPECT_LT((v - F.answer()).norm(), 1e-3 * F.answer().norm());
  VectorXd plain = VectorXd::Zero(6);
  for (int k = 0; k < 9; ++k) plain += F.residual(plain);
  EXPECT_GT((plain - F.answer()).norm(), 0.1 * F.answer().norm());
}

TEST(Anderson, WithoutMemoryItIsThePlainIteration) {
  const Linear F;
  Anderson anderson(6, 0);
  VectorXd v = VectorXd::Zero(6), plain = v;
  for (int k = 0; k < 5; ++k) {
    anderson.advance(v, F.residual(v));
    plain += F.residual(plain);
    EXPECT_EQ(v, plain);
  }
}

TEST(Anderson, RefusesAProposalThatMakesThingsWorseAndGoesBackToThePlainIterate) {
  Anderson anderson(1, 3);
  VectorXd v = VectorXd::Constant(1, 0.0);
  const auto f = [](double value) { return VectorXd::Constant(1, value); };
  EXPECT_FALSE(anderson.advance(v, f(1)));  // v = 1
  EXPECT_FALSE(anderson.advance(v, f(0.9)));
  // The secant: f falls by 0.1 per unit, so the zero is 9 beyond 1.
  EXPECT_NEAR(v[0], 10, 1e-9);
  EXPECT_TRUE(anderson.advance(v, f(5)));
  EXPECT_DOUBLE_EQ(v[0], 1.9);
  // Nothing is remembered: the next step is plain.
  EXPECT_FALSE(anderson.advance(v, f(0.5)));
  EXPECT_DOUBLE_EQ(v[0], 2.4);
}

TEST(Anderson, DoesNotLeapAlongADriftThatNeverEnds) {
  // f stays the same but for the last bits: there is no fixed point, only rounding to fall into.
  Anderson anderson(2, 3);
  VectorXd v = VectorXd::Zero(2);
  for (int k = 0; k < 50; ++k) anderson.advance(v, Eigen::Vector2d(1, k % 2 == 0 ? 1 : 1 + 1e-15));
  EXPECT_LT((v - VectorXd::Constant(2, 50)).norm(), 1e-9);
}

TEST(Anderson, ASkippedStepIsNotTakenForADifference) {
  Anderson anderson(1, 3);
  VectorXd v = VectorXd::Constant(1, 0.0);
  const auto f = [](double value) { return VectorXd::Constant(1, value); };
  anderson.advance(v, f(1));
  anderson.skip();
  EXPECT_FALSE(anderson.advance(v, f(7)));  // nor for a proposal that failed
  EXPECT_DOUBLE_EQ(v[0], 8);
}

}  // namespace anderson_test
}  // namespace perpend
