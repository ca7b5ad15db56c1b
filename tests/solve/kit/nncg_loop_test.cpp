#include "solve/kit/nncg_loop.hpp"

#include <gtest/gtest.h>

namespace perpend {
namespace nncg_loop_test {

// Sweeps until the pace is lost or the tolerance is met, for residuals that fall by `factor`.
long sweeps(double factor, double worth) {
  Pace pace(1e-6, [&] { return worth; });
  double residual = 1;
  for (long k = 1;; ++k, residual *= factor)
    if (residual <= 1e-6 || pace.lost(residual)) return residual <= 1e-6 ? k : -k;
}

TEST(Pace, SweepsGoOnWhileTheyWillArriveInTime) {
  // 1e-6 at a factor of 1/2 is 20 sweeps.
  EXPECT_EQ(sweeps(0.5, 25), 21);
  EXPECT_LT(sweeps(0.5, 15), 0);
}

TEST(Pace, SweepsThatCrawlEndAtTheFirstVerdict) { EXPECT_EQ(sweeps(0.99, 100), -5); }

TEST(Pace, SweepsThatGainNothingEnd) { EXPECT_EQ(sweeps(1, 1e9), -5); }

}  // namespace nncg_loop_test
}  // namespace perpend
