#include "solve/kit/lcp_newton.hpp"

#include <gtest/gtest.h>

#include "support/lcps.hpp"

namespace perpend {
namespace lcp_newton_test {

// Both equations describe the same solution of a problem that has one.
TEST(LcpNewton, MapsLeadToTheSameSolution) {
  Options options;
  options.tolerance = 1e-12;
  const Result fischer = lcps::solve(lcps::fathi(6), "lcp/fischer-newton", options);
  const Result minimum = lcps::solve(lcps::fathi(6), "lcp/minmap-newton", options);
  EXPECT_EQ(fischer.status, Status::converged);
  EXPECT_EQ(minimum.status, Status::converged);
  EXPECT_NEAR((fischer.z - minimum.z).norm(), 0, 1e-10);
}

}  // namespace lcp_newton_test
}  // namespace perpend
