#include "linear/dense_lu.hpp"

#include <gtest/gtest.h>

namespace perpend::linear {
namespace dense_lu_test {

TEST(DenseLu, SolvesAndInvertsWhereTheFirstPivotIsZero) {
  const Eigen::MatrixXd B = (Eigen::MatrixXd(2, 2) << 0, 2, 4, 0).finished();
  const DenseLu lu(B);
  EXPECT_EQ(lu.solve(Eigen::Vector2d(2, 4)), Eigen::VectorXd(Eigen::Vector2d(1, 1)));
  EXPECT_EQ(Eigen::MatrixXd(lu.inverse() * B), Eigen::MatrixXd::Identity(2, 2));
  EXPECT_DOUBLE_EQ(lu.reciprocal_condition(), 0.5);
}

TEST(DenseLu, TellsASingularMatrixByItsCondition) {
  EXPECT_EQ(DenseLu(Eigen::MatrixXd::Constant(2, 2, 1)).reciprocal_condition(), 0);
  EXPECT_EQ(DenseLu(Eigen::MatrixXd::Zero(3, 3)).reciprocal_condition(), 0);
  EXPECT_EQ(DenseLu(Eigen::MatrixXd(0, 0)).reciprocal_condition(), 1);
}

}  // namespace dense_lu_test
}  // namespace perpend::linear
