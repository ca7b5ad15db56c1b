#include "solve/kit/patience.hpp"

#include <gtest/gtest.h>

namespace perpend {
namespace patience_test {

TEST(Patience, IsLostWhenTheSmallestErrorHasNotHalvedForSoLong) {
  Patience patience(1, 3);
  for (const double error : {0.9, 0.8, 0.6}) EXPECT_FALSE(patience.lost(error));
  EXPECT_TRUE(patience.lost(0.51));
  EXPECT_EQ(patience.why(), "the error has not halved in 3 iterations");
}

TEST(Patience, IsRenewedByHalvingAgainstTheSmallestNotTheLast) {
  Patience patience(1, 2);
  EXPECT_FALSE(patience.lost(0.4));
  EXPECT_FALSE(patience.lost(10));
  EXPECT_FALSE(patience.lost(0.3));  // a fall from 10, not a gain over 0.4
  EXPECT_TRUE(patience.lost(0.21));
}

}  // namespace patience_test
}  // namespace perpend
