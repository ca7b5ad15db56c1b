#include "solve/kit/power_iteration.hpp"

#include <gtest/gtest.h>

namespace perpend {
namespace power_iteration_test {

double largest(const VectorXd& eigenvalues) {
  const Options o;
  const Progress::Judge judge{[](const VectorXd&) { return 1.0; },
                              [](const VectorXd&) { return Errors(); }};
  Progress progress(o, *solver_named("ncp/fixed-point"), VectorXd::Zero(eigenvalues.size()), judge);
  VectorXd start(eigenvalues.size());
  for (Index i = 0; i < start.size(); ++i) start[i] = uneven(i);
  return largest_eigenvalue(
      start, [&](const VectorXd& v) -> VectorXd { return eigenvalues.cwiseProduct(v); }, progress);
}

// Thirty steps leave less than (2/4)^50 of the second eigenvalue, below rounding; the margin is 5
// %.
TEST(PowerIteration, FindsTheLargestEigenvalueWithItsMargin) {
  EXPECT_NEAR(largest(Eigen::Vector3d(2, 4, 1)), 1.05 * 4, 1e-14);
}

TEST(PowerIteration, IsAtLeastOne) {
  EXPECT_EQ(largest(Eigen::Vector3d(0.2, 0.4, 0.1)), 1);
  EXPECT_EQ(largest(VectorXd()), 1.05);
}

}  // namespace power_iteration_test
}  // namespace perpend
