// lcp against matrices worked by hand: one block of 2 kg with its contact at its centre (A = I/2,
// rho = 2 kg), joint rows along x, groups of two and three faces.
#include <gtest/gtest.h>

#include "measure/scenes.hpp"
#include "perpend/formulate.hpp"

namespace perpend {
namespace lcp_test {

using Eigen::MatrixXd;
using scenes::corner;
using scenes::held_block;
using scenes::impulses;
using scenes::kInf;

// Sums of a few terms near 1, none of which is exact where cos and sin are not.
constexpr double kRounding = 1e-14;

std::unique_ptr<Problem> lcp(const System& s, Index facets = 4) {
  std::string why;
  auto problem = formulate(s, "lcp", {facets, Level::velocity}, why);
  EXPECT_TRUE(problem) << why;
  return problem;
}
const LinearProblem& linear(const std::unique_ptr<Problem>& p) {
  return dynamic_cast<const LinearProblem&>(*p);
}

TEST(Lcp, IsEquation19ForOneBlock) {
  const System s = assemble(scenes::sliding());  // b = (-1, 1, 0), mu = 1/2
  const auto problem = lcp(s);
  MatrixXd A(6, 6);
  //    pn    pf: x   y    -x    -y   s
  A << 0.5, 0, 0, 0, 0, 0,     // Gn^T v
      0, 0.5, 0, -0.5, 0, 1,   // x
      0, 0, 0.5, 0, -0.5, 1,   // y
      0, -0.5, 0, 0.5, 0, 1,   // -x
      0, 0, -0.5, 0, 0.5, 1,   // -y
      0.5, -1, -1, -1, -1, 0;  // mu pn - sum
  EXPECT_EQ(MatrixXd(linear(problem).A), A);
  EXPECT_EQ(linear(problem).b, impulses({-1, 1, 0, -1, 0, 0}));
  EXPECT_EQ(linear(problem).lower, VectorXd::Zero(6));
  EXPECT_EQ(linear(problem).rows.scale, impulses({2, 2, 2, 2, 2, 0.5}));
  EXPECT_EQ(linear(problem).rows.weight, impulses({0.5, 0.5, 0.5, 0.5, 0.5, 1}));
}

TEST(Lcp, OrdersAllNormalsThenAllFacetsThenAllSpeeds) {
  // Two blocks of 2 kg on the floor, sliding along x and y.
  Frame f = scenes::empty_frame(3, 2);
  scenes::add_floor(f, 0);
  f.bodies.masses.tail(2).setConstant(2);
  f.bodies.velocities(1, 0) = 1;
  f.bodies.velocities(2, 1) = 1;
  scenes::touch(f, 0, 0, 1, Vector3d::UnitZ(), 0, 0.25);
  scenes::touch(f, 1, 0, 2, Vector3d::UnitZ(), 0.5, 0.75);
  const System s = assemble(f);
  const auto problem = lcp(s);
  ASSERT_EQ(problem->size(), 12);
  // psi/h = 4 m/s on the second; facets contact by contact.
  EXPECT_EQ(linear(problem).b, impulses({0, 4, 1, 0, -1, 0, 0, 1, 0, -1, 0, 0}));
  const MatrixXd A = linear(problem).A;
  EXPECT_EQ(A(10, 0), 0.25);
  EXPECT_EQ(A(11, 1), 0.75);
  EXPECT_EQ(A.row(10).segment(2, 4), -Eigen::RowVector4d::Ones());
  EXPECT_EQ(A.row(11).segment(6, 4), -Eigen::RowVector4d::Ones());
  EXPECT_TRUE(A.topRightCorner(2, 10).bottomRows(2).isZero());
}

TEST(Lcp, DirectionsAreThoseOfEquation9) {
  const System s = assemble(scenes::block({1, 0, 0}, {0, 0, 0}));  // b = (0, 1, 0)
  const auto problem = lcp(s, 5);
  for (Index k = 0; k < 5; ++k)
    EXPECT_NEAR(linear(problem).b[1 + k], std::cos(2 * M_PI * static_cast<double>(k) / 5),
                kRounding);
}

TEST(Lcp, ExactSolutionsHaveNoErrorAndGoBothWays) {
  struct Case {
    Frame frame;
    Impulses lambda;
    VectorXd z;
  };
  const std::vector<Case> cases = {
      {scenes::sticking(), impulses({2, -0.5, 0}), impulses({2, 0, 0, 0.5, 0, 0})},
      {scenes::sliding(), impulses({2, -1, 0}), impulses({2, 0, 0, 1, 0, 0.5})},
      {scenes::separating(), impulses({0, 0, 0}), impulses({0, 0, 0, 0, 0, 0})}};
  for (const Case& c : cases) {
    const System s = assemble(c.frame);
    const auto problem = lcp(s);
    EXPECT_EQ(problem->own_error(c.z), 0);
    EXPECT_EQ(problem->lcp_merit(c.z), 0);
    EXPECT_NEAR((problem->unknowns(c.lambda) - c.z).norm(), 0, kRounding);
    EXPECT_NEAR((problem->impulses(c.z) - c.lambda).norm(), 0, kRounding);
  }
}

TEST(Lcp, ErrorOfDoingNothingIsTheSpeedAtWhichTheBlockSinks) {
  const System s = assemble(scenes::sticking());  // b = (-1, 1/4, 0)
  const auto problem = lcp(s);
  // pn: |0 - max(0, 0 + 2)|/2 = 1 m/s; -x facet: 1/4 m/s.
  EXPECT_EQ(problem->own_error(VectorXd::Zero(6)), 1);
  // 1/2 (phi(0, -1)^2 + phi(0, -1/4)^2) = 1/2 (4 + 1/4); phi(0, b) = b - |b|.
  EXPECT_EQ(problem->lcp_merit(VectorXd::Zero(6)), 2.125);
  // A speed where nothing slides: the row of s is mu pn - sum alpha = 1/2 N s, over 2 kg 1/4 m/s;
  // the facet that acts sees w = 100 m/s but cannot give up more than its 1/2 N s, 1/4 m/s too.
  VectorXd z = impulses({2, 0, 0, 0.5, 0, 0});
  z[5] = 100;
  EXPECT_EQ(problem->own_error(z), 0.25);
}

TEST(Lcp, EveryImpulseInThePolygonComesBack) {
  const System s = assemble(scenes::sticking());
  for (const Index facets : {3, 4, 5, 8}) {
    const auto problem = lcp(s, facets);
    for (int k = 0; k < 24; ++k) {
      const double angle = 2 * M_PI * k / 24;
      // 0.49 N s < mu lambda_n cos(pi/3): inside even the triangle.
      const Impulses lambda = impulses({2, 0.49 * std::cos(angle), 0.49 * std::sin(angle)});
      const VectorXd z = problem->unknowns(lambda);
      EXPECT_GE(z.minCoeff(), 0);
      EXPECT_LE(z.segment(1, facets).sum(), 1 + kRounding);
      EXPECT_LE((z.segment(1, facets).array() > kRounding).count(), 2);
      EXPECT_NEAR((problem->impulses(z) - lambda).norm(), 0, kRounding);
    }
  }
}

TEST(Lcp, FrictionBoundsFixedByTheEngineReplaceMuLambda) {
  Frame f = scenes::sliding();
  f.contacts.friction_bounds.resize(1, 2);
  f.contacts.friction_bounds << 0.5, 0.25;
  const System s = assemble(f, Model::engine);
  const auto problem = lcp(s);
  const MatrixXd A = linear(problem).A;
  EXPECT_EQ(A(5, 0), 0);                 // not mu pn
  EXPECT_EQ(linear(problem).b[5], 0.5);  // but the larger bound
  EXPECT_EQ(A(2, 2), 0.125);             // along o the direction is half as long: 1/2 * 1/4
  // lambda_t = -1/2 at its bound, y_t = 1 - 1/4.
  EXPECT_EQ(problem->own_error(problem->unknowns(impulses({2, -0.5, 0}))), 0);
  EXPECT_EQ(problem->own_error(problem->unknowns(impulses({2, -1, 0}))), 0.25);
}

TEST(Lcp, OneFixedAndOneProportionalBoundAreRefusedInWords) {
  Frame f = scenes::sliding();
  f.contacts.friction_bounds.resize(1, 2);
  f.contacts.friction_bounds << 0.5, kInf;
  std::string why;
  EXPECT_FALSE(formulate(assemble(f, Model::engine), "lcp", {}, why));
  EXPECT_NE(why.find("contact 0"), std::string::npos) << why;
  // Friction in one direction only (0 along o) can be held.
  f.contacts.friction_bounds << kInf, 0;
  const System s = assemble(f, Model::engine);
  EXPECT_EQ(lcp(s)->own_error(lcp(s)->unknowns(impulses({2, -1, 0}))), 0);
}

TEST(Lcp, JointLimitBecomesOneRow) {
  // lambda in [0, inf): x = lambda, w = x/2 - 1.
  const System s = assemble(scenes::slider(-1, 0, kInf));
  const auto problem = lcp(s);
  EXPECT_EQ(MatrixXd(linear(problem).A), MatrixXd::Constant(1, 1, 0.5));
  EXPECT_EQ(linear(problem).b, impulses({-1}));
  EXPECT_EQ(problem->own_error(impulses({2})), 0);
  EXPECT_EQ(problem->own_error(impulses({0})), 1);
  EXPECT_EQ(problem->impulses(impulses({2})), impulses({2}));
}

TEST(Lcp, LimitFromAboveIsShiftedAndTurned) {
  // lambda in (-inf, 3], y = lambda/2 + 1: solution lambda = -2; x = 3 - lambda = 5, w = -y.
  const System s = assemble(scenes::slider(1, -kInf, 3));
  const auto problem = lcp(s);
  EXPECT_EQ(MatrixXd(linear(problem).A), MatrixXd::Constant(1, 1, 0.5));
  EXPECT_EQ(linear(problem).b, impulses({-2.5}));
  EXPECT_EQ(problem->unknowns(impulses({-2})), impulses({5}));
  EXPECT_EQ(problem->own_error(impulses({5})), 0);
  EXPECT_EQ(problem->impulses(impulses({5})), impulses({-2}));
}

TEST(Lcp, MotorBecomesTwoPairs) {
  // lambda in [-1, 1], y = lambda/2 + b. x = lambda + 1, eta >= 0: y + eta perp x, 2 - x perp eta.
  struct Case {
    double speed, lambda, eta;
  };
  for (const Case& c : {Case{0.25, -0.5, 0}, Case{1, -1, 0}, Case{-1, 1, 0.5}}) {
    const System s = assemble(scenes::slider(c.speed, -1, 1));
    const auto problem = lcp(s);
    EXPECT_EQ(MatrixXd(linear(problem).A), (MatrixXd(2, 2) << 0.5, 1, -1, 0).finished());
    EXPECT_EQ(linear(problem).b, impulses({c.speed - 0.5, 2}));
    EXPECT_EQ(linear(problem).rows.scale, impulses({2, 0.5}));
    EXPECT_EQ(linear(problem).rows.weight, impulses({0.5, 1}));
    const VectorXd z = impulses({c.lambda + 1, c.eta});
    EXPECT_EQ(problem->unknowns(impulses({c.lambda})), z);
    EXPECT_EQ(problem->impulses(z), impulses({c.lambda}));
    EXPECT_EQ(problem->own_error(z), 0) << c.speed;
  }
}

TEST(Lcp, BilateralRowsAreEliminated) {
  const System s = assemble(held_block({0}));
  const auto problem = lcp(s);
  ASSERT_EQ(problem->size(), 6);
  const MatrixXd A = linear(problem).A;
  // x is held: friction along x moves nothing. y and z as before.
  EXPECT_NEAR(A(1, 1), 0, kRounding);
  EXPECT_EQ(A(2, 2), 0.5);
  EXPECT_EQ(A(0, 0), 0.5);
  EXPECT_NEAR((linear(problem).b - impulses({-1, 0, 0.25, 0, -0.25, 0})).norm(), 0, kRounding);
  // lambda_n = 2, lambda_o = -1/2, joint -6 N s (3 m/s times 2 kg).
  const VectorXd z = impulses({2, 0, 0, 0, 0.5, 0});
  EXPECT_NEAR(problem->own_error(z), 0, kRounding);
  EXPECT_NEAR((problem->impulses(z) - impulses({2, 0, -0.5, -6})).norm(), 0, kRounding);
  EXPECT_NEAR((problem->unknowns(impulses({2, 0, -0.5, -6})) - z).norm(), 0, kRounding);
}

TEST(Lcp, RedundantJointsShareTheirImpulse) {
  const System s = assemble(held_block({0, 0}));
  const auto problem = lcp(s);
  const VectorXd z = impulses({2, 0, 0, 0, 0.5, 0});
  EXPECT_NEAR(problem->own_error(z), 0, kRounding);
  EXPECT_NEAR((problem->impulses(z) - impulses({2, 0, -0.5, -3, -3})).norm(), 0, kRounding);
}

TEST(Lcp, ContradictingJointsAreReportedNotHidden) {
  // Two copies that want to be 1/8 m apart in one step of 1/8 s: half of 1 m/s each at best.
  const System s = assemble(held_block({0, 0.125}));
  const auto problem = lcp(s);
  EXPECT_NEAR(problem->own_error(impulses({2, 0, 0, 0, 0.5, 0})), 0.5, kRounding);
}

TEST(Lcp, GroupIsEquation20) {
  const System s = assemble(corner());
  ASSERT_EQ(s.groups.size(), 1u);
  ASSERT_EQ(s.groups[0].u, 0);  // predicted gaps: -1/8 and -1/4
  const auto problem = lcp(s, 3);
  ASSERT_EQ(problem->size(), 6);  // pn, three facets, s, gamma
  const MatrixXd A = linear(problem).A;
  // y_1 = pn - 1, y_2 = -2. Row of pn: gamma + y_1; row of gamma: gamma - y_2 + y_1.
  EXPECT_EQ(A(0, 0), 1);
  EXPECT_EQ(A(0, 5), 1);
  EXPECT_EQ(A(5, 0), 1);
  EXPECT_EQ(A(5, 5), 1);
  EXPECT_EQ(linear(problem).b[0], -1);
  EXPECT_EQ(linear(problem).b[5], 1);
  EXPECT_EQ(linear(problem).rows.scale[5], 1);
}

TEST(Lcp, GroupOfThreeFacesSumsTheGammas) {
  Frame f = scenes::empty_frame(2, 3);
  scenes::add_floor(f, 0);
  f.bodies.masses[1] = 1;
  scenes::touch(f, 0, 0, 1, Vector3d::UnitX(), 1, 0);
  scenes::touch(f, 1, 0, 1, Vector3d::UnitY(), 3, 0);
  scenes::touch(f, 2, 0, 1, Vector3d::UnitZ(), 2, 0);
  f.contacts.group = {7, 7, 7};
  const System s = assemble(f);
  const auto problem = lcp(s, 3);
  ASSERT_EQ(problem->size(), 7);
  const MatrixXd A = linear(problem).A;
  EXPECT_EQ(A.row(0).tail(2), Eigen::RowVector2d(1, 1));  // gamma_2 + gamma_3 + y_1
  EXPECT_EQ(A.row(5).tail(2), Eigen::RowVector2d(1, 0));  // gamma_2 - y_2 + y_1
  EXPECT_EQ(A.row(6).tail(2), Eigen::RowVector2d(1, 1));  // gamma_3 - y_3 + gamma_2 + y_1
  // y = psi/h = (8, 24, 16): gamma_2 = 16, gamma_3 = 0, and the largest is 24.
  const VectorXd z = problem->unknowns(Impulses::Zero(9));
  EXPECT_EQ(z.tail(2), Eigen::Vector2d(16, 0));
  EXPECT_EQ(problem->own_error(z), 0);
  EXPECT_EQ((linear(problem).A * z + linear(problem).b)[0], 24);
}

TEST(Lcp, GroupLetsThePointPassOverTheCorner) {
  // Nguyen and Trinkle 2010, Fig. 4a: from (1/4, 1/8) to (-1/4, 1/8), above the top, behind the
  // side.
  Frame f = corner({-4, 0, 0});
  const System group = assemble(f);
  const auto free = lcp(group);
  EXPECT_EQ(free->own_error(free->unknowns(Impulses::Zero(6))), 0);
  // Both faces as ordinary contacts over-constrain: the point may not leave the quadrant.
  f.contacts.group = {-1, -1};
  const System both = assemble(f);
  const auto conjunctive = lcp(both);
  EXPECT_EQ(conjunctive->own_error(conjunctive->unknowns(Impulses::Zero(6))), 2);
}

TEST(Lcp, GroupPushesAlongTheChosenFace) {
  // Nguyen and Trinkle 2010, Fig. 5: the point would end at (-1/4, -1/8). P1 = (-1/4, 0), P2 = (0,
  // -1/8), ST's (0, 0).
  System s = assemble(corner());
  const Impulses up = impulses({1, 0, 0, 0, 0, 0}), aside = impulses({0, 0, 0, 2, 0, 0});
  const Impulses both = up + aside;
  const auto along_1 = lcp(s);
  EXPECT_EQ(along_1->own_error(along_1->unknowns(up)), 0);
  EXPECT_EQ(along_1->impulses(along_1->unknowns(both)), up);  // one impulse acts
  EXPECT_GT(along_1->own_error(along_1->unknowns(Impulses::Zero(6))), 0);
  s.groups[0].u = 1;
  const auto along_2 = lcp(s);
  EXPECT_EQ(along_2->own_error(along_2->unknowns(aside)), 0);
  EXPECT_EQ(along_2->unknowns(aside).tail(1)[0], 1);  // gamma_2 = y_2 - y_1 = 0 + 1
}

}  // namespace lcp_test
}  // namespace perpend
