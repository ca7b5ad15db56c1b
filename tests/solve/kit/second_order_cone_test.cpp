#include "solve/kit/second_order_cone.hpp"

#include <gtest/gtest.h>

namespace perpend {
namespace second_order_cone_test {

const Vector3d kX(2, 0.5, -1.2), kZ(1.5, -1.1, 0.6);  // inside the cone, as is kZ

TEST(SecondOrderCone, DivisionUndoesTheProduct) {
  EXPECT_LT((jordan_divide(kX, jordan(kX, kZ)) - kZ).norm(), 1e-14);
  EXPECT_LT((jordan(kX, Vector3d::UnitX()) - kX).norm(), 1e-15);
}

TEST(SecondOrderCone, ScalingMakesBothPointsOne) {
  const NesterovTodd W(kX, kZ);
  EXPECT_LT((W.apply(kZ) - W.invert(kX)).norm(), 1e-14);
  EXPECT_LT((W.apply(kZ) - W.l()).norm(), 1e-15);
  EXPECT_LT((W.apply(W.apply(kZ)) - W.squared() * kZ).norm(), 1e-13);
  EXPECT_LT((W.squared() * kZ - kX).norm(), 1e-13);
  EXPECT_NEAR(W.l().squaredNorm(), kX.dot(kZ), 1e-14);  // the gap
}

TEST(SecondOrderCone, TheDeterminantKeepsItsDigitsNearTheSurface) {
  // x_0 is one ulp above |x_T| = 1: det = 2^-52 (2 + 2^-52); the difference of squares has one
  // rounding more, of half its value.
  const double ulp = std::numeric_limits<double>::epsilon();
  EXPECT_DOUBLE_EQ(determinant({1 + ulp, 1, 0}), ulp * (2 + ulp));
}

TEST(SecondOrderCone, TheLongestStepEndsOnTheSurface) {
  for (const Vector3d& d : {Vector3d(-1, 0.2, 0.3), Vector3d(0.1, 1, -2), Vector3d(-1, 0, 0)}) {
    const double a = to_boundary(kX, d);
    ASSERT_TRUE(std::isfinite(a));
    EXPECT_NEAR(inside(kX + a * d), 0, 1e-14);
    EXPECT_GT(inside(kX + 0.999 * a * d), 0);
  }
  EXPECT_EQ(to_boundary(kX, {1, 0.3, 0.4}), std::numeric_limits<double>::infinity());
  // Along x itself both roots are one; rounding must not make it none. A double root is known to
  // half of the digits.
  for (const double scale : {1.0, 0.1, 1 / 3.0})
    EXPECT_NEAR(scale * to_boundary(kX, -scale * kX), 1, 1e-7);
}

}  // namespace second_order_cone_test
}  // namespace perpend
