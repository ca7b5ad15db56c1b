#include "solve/kit/lemke_basis.hpp"

#include <gtest/gtest.h>

#include "measure/scenes.hpp"
#include "support/boxes.hpp"
#include "support/shaken.hpp"

namespace perpend {
namespace lemke_basis_test {

using Eigen::MatrixXd;
using Move = LemkeBasis::Move;
using scenes::impulses;

std::unique_ptr<LinearProblem> lcp(const MatrixXd& A, const VectorXd& b) {
  return raw_problem("lcp", A.sparseView(), b, {}, {});
}

TEST(LemkeBasis, PivotsAsOnPaper) {
  // w_1 = 2 z_1 + z_2 - 5, w_2 = z_1 + 2 z_2 - 6: w_2 leaves for z0 = 6 (w_1 = 1), then z_2 enters:
  // w_1 = 1 - z_2 and z0 = 6 - 2 z_2, so w_1 leaves at z_2 = 1; then z_1 drives z0 out.
  const auto problem = lcp((MatrixXd(2, 2) << 2, 1, 1, 2).finished(), impulses({-5, -6}));
  LemkeBasis basis(*problem);
  basis.start_cold();
  EXPECT_FALSE(basis.feasible());
  EXPECT_EQ(basis.enter_artificial(), Move::pivoted);
  EXPECT_EQ(basis.violation(), 6);
  EXPECT_EQ(basis.step(), Move::pivoted);
  EXPECT_EQ(basis.z(), impulses({0, 1}));
  EXPECT_EQ(basis.violation(), 4);
  EXPECT_EQ(basis.step(), Move::solved);
  EXPECT_TRUE(basis.left_artificial());
  EXPECT_TRUE(basis.polish());
  EXPECT_TRUE(basis.feasible());
  EXPECT_NEAR((basis.z() - impulses({4.0 / 3, 7.0 / 3})).norm(), 0, 1e-15);
}

TEST(LemkeBasis, StartsFromTheBasisOfAGivenSolution) {
  const auto problem = lcp((MatrixXd(2, 2) << 2, 1, 1, 2).finished(), impulses({-5, -6}));
  LemkeBasis basis(*problem);
  ASSERT_TRUE(basis.start_from(impulses({1, 1})));  // both positive, as in the solution
  EXPECT_EQ(basis.enter_artificial(), Move::solved);
  EXPECT_NEAR((basis.z() - impulses({4.0 / 3, 7.0 / 3})).norm(), 0, 1e-15);
  // Of the wrong one only w_2 is violated: one exchange with z0 and one back.
  ASSERT_TRUE(basis.start_from(impulses({1, 0})));
  EXPECT_EQ(basis.enter_artificial(), Move::pivoted);
  EXPECT_EQ(basis.step(), Move::solved);
  EXPECT_NEAR((basis.z() - impulses({4.0 / 3, 7.0 / 3})).norm(), 0, 1e-15);
}

TEST(LemkeBasis, KnowsASingularStart) {
  const auto problem = lcp(MatrixXd::Ones(2, 2), impulses({-1, -3}));
  LemkeBasis basis(*problem);
  EXPECT_FALSE(basis.start_from(impulses({1, 1})));
}

// An infinite entry of A (a lever of 1e300 m, squared), numbers whose ratios overflow, and numbers
// so small that the rounding of a ratio is as large as they are.
TEST(LemkeBasis, EndsAtTheEndsOfTheNumbers) {
  const double inf = std::numeric_limits<double>::infinity(), least = 5e-324;
  const std::vector<std::pair<MatrixXd, VectorXd>> cases = {
      {(MatrixXd(2, 2) << inf, 1, 1, 2).finished(), impulses({-1, -6})},
      {(MatrixXd(2, 2) << 1e-300, 1, 1, 1e-300).finished(), impulses({-1e200, -1e300})},
      {(MatrixXd(2, 2) << 1e300, 1e300, -1e300, 1e-300).finished(), impulses({-1e300, -1e-300})},
      {(MatrixXd(2, 2) << 3, 1, 1, 7).finished(), impulses({-5 * least, -6 * least})},
      {(MatrixXd(2, 2) << 3, 1, 1, 7).finished(), impulses({-inf, -1})}};
  for (const auto& [A, b] : cases) {
    const auto problem = lcp(A, b);
    LemkeBasis basis(*problem);
    basis.start_cold();
    Move move = basis.enter_artificial();
    for (int pivots = 0; move == Move::pivoted && pivots < 10; ++pivots) move = basis.step();
    EXPECT_NE(move, Move::pivoted) << A;
    if (move == Move::solved) {
      EXPECT_TRUE(basis.z().allFinite()) << A;
    }
  }
}

TEST(LemkeBasis, GivesTheSpeedOfAnOpenContactAPartner) {
  // A block that flies off sideways: pn = pf = 0, but s = 1 m/s is positive on its own.
  const System s = assemble(scenes::block({1, 0, 2}, {0, 0, 0}));
  std::string why;
  const auto problem = formulate(s, "lcp", {4, Level::velocity}, why);
  LemkeBasis basis(dynamic_cast<const LinearProblem&>(*problem));
  const VectorXd z = problem->unknowns(Impulses::Zero(3));
  ASSERT_EQ(z, impulses({0, 0, 0, 0, 0, 1}));
  ASSERT_TRUE(basis.start_from(z));
  EXPECT_TRUE(basis.feasible());
  EXPECT_EQ(basis.z(), z);
}

TEST(LemkeBasis, PivotsEndWhereAFreshFactorizationIs) {
  // 60 pivots on a shaken column; x = B^-1 q updated against x solved from the matrix itself.
  const System s = assemble(boxes::shaken(boxes::column(4, 1, 1), 0.1));
  std::string why;
  const auto problem = formulate(s, "lcp", {4, Level::velocity}, why);
  LemkeBasis basis(dynamic_cast<const LinearProblem&>(*problem));
  basis.start_cold();
  Move move = basis.enter_artificial();
  for (int k = 1; k < 60 && move == Move::pivoted; ++k) move = basis.step();
  ASSERT_EQ(move, Move::pivoted);
  const VectorXd updated = basis.z();
  ASSERT_TRUE(basis.polish());
  // Impulses of 0.1 N s; bases of 1e3 in condition leave 1e-13 of it.
  EXPECT_NEAR((basis.z() - updated).lpNorm<Eigen::Infinity>(), 0, 1e-13);
  EXPECT_GT(updated.lpNorm<Eigen::Infinity>(), 0.01);
}

}  // namespace lemke_basis_test
}  // namespace perpend
