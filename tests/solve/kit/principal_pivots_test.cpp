#include "solve/kit/principal_pivots.hpp"

#include <gtest/gtest.h>

#include "support/lcps.hpp"

namespace perpend {
namespace principal_pivots_test {

TEST(PrincipalPivots, BordersTheInverseAndRefusesAZeroPivot) {
  const auto p =
      lcps::problem((lcps::MatrixXd(2, 2) << 0, 1, -1, 0).finished(), lcps::vector({-1, 1}));
  const ScaledLcp lcp(*p);
  PrincipalPivots pivots(lcp);
  EXPECT_FALSE(pivots.exchange(0));
  EXPECT_FALSE(pivots.inside(0));
  EXPECT_TRUE(pivots.exchange(0, 1));
  EXPECT_EQ(pivots.solve(lcp.q, -1, 0), lcps::vector({1, 1}));

  const lcps::Lcp fathi = lcps::fathi(3);
  const auto definite = lcps::problem(fathi.A, fathi.b);
  const ScaledLcp other(*definite);
  PrincipalPivots sets(other);
  for (const Index j : {2, 0, 1}) EXPECT_TRUE(sets.exchange(j));
  EXPECT_TRUE(sets.exchange(2));
  EXPECT_TRUE(sets.exchange(1));
  EXPECT_NEAR((sets.solve(other.q, -1, 0) - fathi.z).norm(), 0, 1e-12);
}

}  // namespace principal_pivots_test
}  // namespace perpend
