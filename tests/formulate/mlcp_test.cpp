// mlcp against matrices worked by hand, and against lcp.
#include <gtest/gtest.h>

#include "measure/scenes.hpp"
#include "perpend/formulate.hpp"

namespace perpend {
namespace mlcp_test {

using Eigen::MatrixXd;
using scenes::impulses;
using scenes::kInf;

constexpr double kRounding = 1e-14;

std::unique_ptr<Problem> make(const System& s, std::string_view name, Index facets = 4) {
  std::string why;
  auto problem = formulate(s, name, {facets, Level::velocity}, why);
  EXPECT_TRUE(problem) << why;
  return problem;
}
const LinearProblem& linear(const std::unique_ptr<Problem>& p) {
  return dynamic_cast<const LinearProblem&>(*p);
}

TEST(Mlcp, KeepsVelocitiesBeforeTheUnknownsOfLcp) {
  const System s = assemble(scenes::sliding());  // v_free = (1, 0, -1), 2 kg
  const auto problem = make(s, "mlcp");
  ASSERT_EQ(problem->size(), 6 + 6);
  const MatrixXd A = linear(problem).A;
  EXPECT_EQ(A.topLeftCorner(3, 3), 2 * Eigen::Matrix3d::Identity());  // M
  EXPECT_EQ(A.topLeftCorner(6, 6), MatrixXd(s.dynamics->mass));
  MatrixXd G(6, 6);  // columns: n = z, then x, y, -x, -y, and s, which moves nothing
  G.setZero();
  G(2, 0) = 1;
  G(0, 1) = 1;
  G(1, 2) = 1;
  G(0, 3) = -1;
  G(1, 4) = -1;
  EXPECT_EQ(A.topRightCorner(6, 6), -G);
  EXPECT_EQ(A.bottomLeftCorner(6, 6), G.transpose());
  MatrixXd law = MatrixXd::Zero(6, 6);  // E, U, -E^T
  law.col(5).segment(1, 4).setOnes();
  law.row(5) << 0.5, -1, -1, -1, -1, 0;
  EXPECT_EQ(A.bottomRightCorner(6, 6), law);
  EXPECT_EQ(linear(problem).b, impulses({-2, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(linear(problem).lower.head(6), VectorXd::Constant(6, -kInf));
  EXPECT_EQ(linear(problem).upper, VectorXd::Constant(12, kInf));
  EXPECT_EQ(linear(problem).lower.tail(6), VectorXd::Zero(6));
}

TEST(Mlcp, WarmStartHoldsTheVelocityAfterTheStep) {
  const System s = assemble(scenes::sliding());
  const auto problem = make(s, "mlcp");
  const VectorXd z = problem->unknowns(impulses({2, -1, 0}));
  // v+ = 1 - 1/2 along x, at rest along z; then (pn, pf, s) of lcp.
  EXPECT_NEAR((z - impulses({0.5, 0, 0, 0, 0, 0, 2, 0, 0, 1, 0, 0.5})).norm(), 0, kRounding);
  EXPECT_NEAR(problem->own_error(z), 0, kRounding);
  EXPECT_NEAR(problem->lcp_merit(z), 0, kRounding);
  EXPECT_NEAR((problem->impulses(z) - impulses({2, -1, 0})).norm(), 0, kRounding);
}

TEST(Mlcp, ErrorOfAWrongVelocityIsThatVelocity) {
  const System s = assemble(scenes::sliding());
  const auto problem = make(s, "mlcp");
  VectorXd z = problem->unknowns(impulses({2, -1, 0}));
  z[1] += 0.125;  // momentum along y off by 2 kg times 1/8 m/s, friction as well
  EXPECT_NEAR(problem->own_error(z), 0.125, kRounding);
}

TEST(Mlcp, JointsKeepTheirBounds) {
  const System s = assemble(scenes::slider(-1, -0.25, 1));  // stopped by 2 N s, but 1 at most
  const auto problem = make(s, "mlcp");
  ASSERT_EQ(problem->size(), 6 + 1);
  EXPECT_EQ(linear(problem).lower[6], -0.25);
  EXPECT_EQ(linear(problem).upper[6], 1);
  EXPECT_EQ(linear(problem).A.coeff(6, 0), 1);
  EXPECT_EQ(linear(problem).A.coeff(0, 6), -1);
  const VectorXd z = problem->unknowns(impulses({1}));
  EXPECT_EQ(z, impulses({-0.5, 0, 0, 0, 0, 0, 1}));
  EXPECT_EQ(problem->own_error(z), 0);
  EXPECT_EQ(problem->lcp_merit(z), 0);
  EXPECT_EQ(problem->own_error(problem->unknowns(impulses({0}))), 0.5);  // 1 N s short, over 2 kg
}

TEST(Mlcp, ComplianceStandsOnTheDiagonal) {
  Frame f = scenes::sliding();
  f.contacts.cfm = Rows3::Constant(1, 3, 0.5);
  const System s = assemble(f, Model::engine);  // A = I: lambda_n = 1, lambda_t = -1/2
  const Impulses lambda = impulses({1, -0.5, 0});
  for (const std::string_view name : {"lcp", "mlcp"}) {
    const auto problem = make(s, name);
    EXPECT_NEAR(problem->own_error(problem->unknowns(lambda)), 0, kRounding) << name;
  }
  const System explicit_blocks = with_blocks(s);
  const auto problem = make(explicit_blocks, "mlcp");
  EXPECT_NEAR(problem->own_error(problem->unknowns(lambda)), 0, kRounding);
}

TEST(Mlcp, MovingFixedBodyDragsTheBlockAlong) {
  Frame f = scenes::block({0, 0, 0}, {0, 0, -16});
  f.bodies.velocities(0, 0) = 0.5;  // a conveyor: the block wants 1 N s, and mu lambda_n is 1 N s
  const System s = assemble(f);
  const auto problem = make(s, "mlcp");
  const VectorXd z = problem->unknowns(impulses({2, 1, 0}));
  EXPECT_EQ(z[0], 0.5);
  EXPECT_NEAR(problem->own_error(z), 0, kRounding);
}

// b = J v_free + c rounds c away where the body is quick: the law must not be made from b.
TEST(Mlcp, GapOfAQuickBodyIsNotRoundedAway) {
  Frame f = scenes::block({0, 0, -1e17}, {0, 0, 0});
  f.bodies.velocities(0, 2) = 0.25;  // the floor rises
  f.contacts.gap[0] = 0.375 * f.step;
  const System s = assemble(f);
  const VectorXd expected = impulses({0.375 - 0.25, 0, 0});
  EXPECT_EQ(constant_velocity(s), expected);
  EXPECT_EQ(linear(make(s, "mlcp")).b[6], expected[0]);
  const auto mixed = make(s, "mncp");
  EXPECT_EQ(dynamic_cast<const MixedConeProblem&>(*mixed).c, expected);
  EXPECT_EQ(constant_velocity(with_blocks(s)), expected);
}

TEST(Mlcp, GroupsCarryTheirGammas) {
  const System s = assemble(scenes::corner());
  const auto problem = make(s, "mlcp", 3);
  ASSERT_EQ(problem->size(), 6 + 6);
  const VectorXd z = problem->unknowns(impulses({1, 0, 0, 0, 0, 0}));
  EXPECT_EQ(problem->own_error(z), 0);
  EXPECT_EQ(problem->impulses(z), impulses({1, 0, 0, 0, 0, 0}));
  EXPECT_EQ(linear(problem).A.coeff(6, 11), 1);   // gamma in the row of pn
  EXPECT_EQ(linear(problem).A.coeff(11, 0), -1);  // gamma - y_2 + y_1: -v_x
  EXPECT_EQ(linear(problem).A.coeff(11, 2), 1);   // + v_z
}

}  // namespace mlcp_test
}  // namespace perpend
