#include <gtest/gtest.h>

#include "perpend/solve.hpp"
#include "support/boxes.hpp"
#include "support/normal_checks.hpp"
#include "support/shaken.hpp"
#include "support/solved.hpp"

namespace perpend {
namespace normal_pcg_test {

Result solved(const System& s, std::string_view solver, double tolerance = 1e-10) {
  return checks::solved(s, solver, checks::at_most(100000, tolerance));
}

TEST(NormalPcg, StopsOneContactInOneStep) {
  const Result r = solve(assemble(scenes::sliding()), "normal/pcg");
  EXPECT_EQ(r.status, Status::converged);
  EXPECT_EQ(r.iterations, 1);
  EXPECT_NEAR(r.impulses[0], 2, 1e-15);
}

TEST(NormalPcg, LetsGoOfAContactThatOpens) {
  normal_checks::expect_lets_go_of_a_contact_that_opens("normal/pcg");
}

TEST(NormalPcg, EndsWithinAsManyStepsAsThereAreContactsWhenAllStayClosed) {
  // Conjugate gradients on a column with one contact between neighbours: A is nonsingular, and from
  // a start at twice the weight above each contact none opens on the way, so that n steps are
  // enough but for rounding (one more is granted). From zero, contacts close one after the other.
  boxes::World w;
  Index below = w.fixed();
  for (Index i = 0; i < 12; ++i) {
    const double z = static_cast<double>(i);
    const Index cube = w.cube(1, 1, {0, 0, z + 0.5});
    w.contact(below, cube, {0, 0, z}, Vector3d::UnitZ(), 0);
    below = cube;
  }
  const System s = assemble(w.frame());
  Options o;
  o.tolerance = 1e-10;
  o.warm_start = Impulses::Zero(s.rows());
  for (Index i = 0; i < 12; ++i)
    o.warm_start[3 * i] = 2 * (12 - static_cast<double>(i)) * boxes::kGravity * 0.01;
  const Result warm = solve(s, "normal/pcg", o);
  EXPECT_EQ(warm.status, Status::converged);
  EXPECT_LE(warm.iterations, 13);
  // Silcowitz et al. 2010: the same cost for each step as PGS and a better rate.
  const long cold = solved(s, "normal/pcg").iterations;
  EXPECT_GT(solved(s, "normal/simple").iterations, 20 * cold);
}

TEST(NormalPcg, AgreesWithPivotingOnTheVelocity) {
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    const System s = assemble(boxes::shaken(boxes::wall(4, 3, 0), 1, seed));
    checks::expect_same_motion(s, solved(s, "normal/pcg", 1e-11), solved(s, "normal/baraff", 1e-11),
                               1e-9);
  }
}

TEST(NormalPcg, SolvesExplicitBlocksToTheSameVelocity) {
  const System s = assemble(boxes::shaken(boxes::pyramid(4, 0), 0.5));
  checks::expect_same_motion(s, solved(s, "normal/pcg"), solved(with_blocks(s), "normal/pcg"),
                             1e-8);
}

TEST(NormalPcg, FollowsAnAsymmetricMatrixToItsOwnSolution) {
  // A = (1, 0.2; 0.1, 1), b = (-1, -1): f_0 = 0.8/0.98, f_1 = 0.9/0.98. The symmetric part alone
  // would give f = 1/1.15 twice.
  SparseMatrix A(6, 6);
  for (Index i = 0; i < 6; ++i) A.insert(i, i) = 1;
  A.insert(0, 3) = 0.2;
  A.insert(3, 0) = 0.1;
  VectorXd b = VectorXd::Zero(6);
  b[0] = b[3] = -1;
  const Result r = solved(assemble(A, b, VectorXd::Zero(2)), "normal/pcg");
  EXPECT_NEAR(r.impulses[0], 0.8 / 0.98, 1e-9);
  EXPECT_NEAR(r.impulses[3], 0.9 / 0.98, 1e-9);
}

TEST(NormalPcg, ProvesThatAClosingPressCannotBeHeld) {
  normal_checks::expect_proves_that_a_closing_press_cannot_be_held("normal/pcg");
}

}  // namespace normal_pcg_test
}  // namespace perpend
