#include "solve/kit/scaled_lcp.hpp"

#include <gtest/gtest.h>

#include "support/lcps.hpp"

namespace perpend {
namespace scaled_lcp_test {

TEST(ScaledLcp, ResidualIsTheOwnErrorUpToAFactorOfTwo) {
  const auto p = lcps::problem(lcps::kostreva().A, lcps::kostreva().b);
  p->rows = {lcps::vector({3, 0.1, 1}), lcps::vector({0.3, 5, 1})};
  const ScaledLcp lcp(*p);
  const VectorXd z = lcps::vector({0.25, 0, 2}), x = lcp.scaled(z);
  EXPECT_EQ(lcp.unscaled(x), z);  // powers of two do not round
  const double residual = ScaledLcp::residual(x, lcp.w(x)), own = p->own_error(z);
  EXPECT_LE(residual, 2 * own);
  EXPECT_GE(residual, own / 2);
}

}  // namespace scaled_lcp_test
}  // namespace perpend
