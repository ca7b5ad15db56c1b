#include "system/gauss_seidel.hpp"

#include <gtest/gtest.h>

#include "support/boxes.hpp"

namespace perpend {
namespace gauss_seidel_test {

Frame wall_with_joints() {
  Frame f = boxes::wall(3, 3);
  f.joints = make_frame(0, 0, {2, 1}).joints;
  f.joints.pairs << 1, 4, 0, 9;
  f.joints.jacobian = Rows<12>::Constant(3, 12, 0.5);
  f.joints.jacobian(0, 3) = -1;
  f.joints.jacobian(2, 8) = 2;
  // The last row acts on a second pair, which shares a body with the first.
  f.joints.pairs2 = f.joints.pairs;
  f.joints.pairs2.row(1) << 3, 9;
  f.joints.jacobian2 = Rows<12>::Zero(3, 12);
  f.joints.jacobian2.row(2).setLinSpaced(-1, 2);
  return f;
}

// J v of the frame's columns, and A = J M^-1 J^T with the terms of a shared body.
TEST(GaussSeidelState, ASecondPairIsPartOfTheRow) {
  const Frame f = wall_with_joints();
  const System s = assemble(f);
  Rows6 j = Rows6::Zero(f.bodies.count(), 6);
  for (const Index side : {0, 1}) {
    j.row(f.joints.pairs(1, side)) += f.joints.jacobian.row(2).segment<6>(6 * side);
    j.row(f.joints.pairs2(1, side)) += f.joints.jacobian2.row(2).segment<6>(6 * side);
  }
  double diagonal = 0, free = f.joints.violation[2] / f.step;
  const Rows6 before = velocity_plus(f, s, Impulses::Zero(s.rows()));
  for (Index i = 0; i < f.bodies.count(); ++i) {
    free += j.row(i).dot(before.row(i));
    if (f.bodies.fixed(i)) continue;
    const Matrix3d inertia = f.bodies.inertia.row(i).reshaped<Eigen::RowMajor>(3, 3);
    const Vector3d turn = j.row(i).tail<3>();
    diagonal +=
        j.row(i).head<3>().squaredNorm() / f.bodies.masses[i] + turn.dot(inertia.inverse() * turn);
  }
  EXPECT_NEAR(joint_diagonal(s, 2), diagonal, 1e-12 * diagonal);
  EXPECT_NEAR(joint_diagonal(with_blocks(s), 2), diagonal, 1e-12 * diagonal);
  EXPECT_NEAR(s.b[s.rows() - 1], free, 1e-12);
}

// y = A lambda + b is the same through u(i) after pushes, and through a product.
template <class State>
void pushes_keep_y(const System& s, State& state) {
  state.set(VectorXd::LinSpaced(s.rows(), -1, 1));
  VectorXd lambda = state.lambda();
  for (Index i = 0; i < s.contacts(); ++i) {
    state.push(i, Vector3d(0.1, -0.2, 0.3));
    state.push(i, 1, 0.5);
    lambda.segment<3>(3 * i) += Vector3d(0.1, 0.3, 0.3);
  }
  for (Index j = 0; j < s.joint_rows(); ++j) {
    state.push_joint(j, -0.25);
    lambda[3 * s.contacts() + j] -= 0.25;
  }
  const VectorXd y = relative_velocity(s, lambda);
  // Sums of at most 12 x 20 terms of size one, added in another order.
  const double rounding = 1e-12;
  EXPECT_LT((state.lambda() - lambda).norm(), rounding);
  for (Index i = 0; i < s.contacts(); ++i) {
    EXPECT_LT((state.u(i) - y.segment<3>(3 * i)).norm(), rounding);
    EXPECT_NEAR(state.u(i, 2), y[3 * i + 2], rounding);
    EXPECT_EQ(state.block(i), contact_block(s, i));
  }
  for (Index j = 0; j < s.joint_rows(); ++j) {
    EXPECT_NEAR(state.u_joint(j), y[3 * s.contacts() + j], rounding);
    EXPECT_EQ(state.joint_diagonal(j), joint_diagonal(s, j));
  }
}

TEST(GaussSeidelState, BodySpacePushesKeepY) {
  const System s = assemble(wall_with_joints());
  ASSERT_TRUE(std::holds_alternative<BodySpace>(s.A));
  with_state(s, [&](auto& state) { pushes_keep_y(s, state); });
}

TEST(GaussSeidelState, ExplicitBlocksPushesKeepY) {
  const System s = with_blocks(assemble(wall_with_joints()));
  ASSERT_TRUE(std::holds_alternative<Blocks>(s.A));
  with_state(s, [&](auto& state) { pushes_keep_y(s, state); });
}

TEST(GaussSeidelState, BothFormsAreTheSameMatrix) {
  const System s = assemble(wall_with_joints());
  const SparseMatrix A = to_sparse(s);
  for (Index k = 0; k < s.rows(); ++k) {
    const VectorXd column = apply(s, VectorXd::Unit(s.rows(), k));
    EXPECT_LT((column - A.toDense().col(k)).norm(), 1e-13) << k;
  }
  EXPECT_LT((A.toDense() - A.toDense().transpose()).cwiseAbs().maxCoeff(), 1e-13);
}

TEST(GaussSeidelState, ExtrapolationInBodySpaceIsAProductWithA) {
  const System s = assemble(wall_with_joints());
  BodySpaceState state(s, std::get<BodySpace>(s.A)), direction(s, std::get<BodySpace>(s.A));
  const VectorXd x = VectorXd::LinSpaced(s.rows(), 0, 1), p = VectorXd::LinSpaced(s.rows(), 2, -1);
  state.set(x);
  direction.set(p);
  state.extrapolate(0.5, p, direction.velocity());
  const VectorXd y = relative_velocity(s, x + 0.5 * p);
  EXPECT_LT((state.u(3) - y.segment<3>(9)).norm(), 1e-12);
}

}  // namespace gauss_seidel_test
}  // namespace perpend
