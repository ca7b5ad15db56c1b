#include <gtest/gtest.h>

#include "support/lcp_checks.hpp"

namespace perpend {
namespace lcp_dantzig_test {

constexpr const char* kSolver = "lcp/dantzig";

TEST(Dantzig, SolvesTheClassics) { lcps::expect_solves_the_classics(kSolver); }

// Driving the worst row first, Murty's matrix takes one pivot less than Lemke's 2^n.
TEST(Dantzig, NeedsTwoToTheNPivotsLessOneOnMurtysExample) {
  for (const Index n : {1, 4, 8}) {
    const Result r = lcps::solve(lcps::murty(n), kSolver);
    ASSERT_EQ(r.status, Status::converged) << r.message;
    EXPECT_EQ(r.work[static_cast<std::size_t>(Work::pivot)], (1 << n) - 1);
    EXPECT_EQ(r.z[0], std::exp2(static_cast<double>(n)));  // integers: exact
    EXPECT_TRUE(r.z.tail(n - 1).isZero(0));
  }
}

TEST(Dantzig, TellsARay) {
  lcps::expect_says_what_it_cannot_solve(kSolver, Status::failed);
  const Result r = lcps::solve(lcps::impossible(), kSolver);
  EXPECT_NE(r.message.find("ray"), std::string::npos) << r.message;
}

TEST(Dantzig, SolvesContactsAndJoints) { lcps::expect_solves_contacts_and_joints(kSolver); }

TEST(Dantzig, AgreesWithLemkeOnVelocities) { lcps::expect_agrees_with_lemke(kSolver); }

TEST(Dantzig, RefusesWhatDoesNotFitIntoMemory) { lcps::expect_refuses_what_does_not_fit(kSolver); }

// No principal pivot of order one exists in a skew matrix: all come in pairs.
TEST(Dantzig, PivotsInPairsWhereTheDiagonalIsZero) {
  const Result r = lcps::solve(
      {"exchange", (lcps::MatrixXd(2, 2) << 0, 1, -1, 0).finished(), lcps::vector({-1, 1}), {}},
      kSolver);
  ASSERT_EQ(r.status, Status::converged) << r.message;
  EXPECT_NEAR((r.z - lcps::vector({1, 1})).norm(), 0, 1e-15);
}

// The last pivot of a drive would be on zero, and no pair helps: w_1 = z_2 - 1 can only be raised
// by z_2, whose own row w_2 = -z_2 + 1/2 forbids it. Not sufficient, and no solution either.
TEST(Dantzig, BreaksDownAloud) {
  const Result r = lcps::solve(
      {"breakdown", (lcps::MatrixXd(2, 2) << 0, 1, 0, -1).finished(), lcps::vector({-1, 0.5}), {}},
      kSolver);
  EXPECT_EQ(r.status, Status::failed) << r.message;
  EXPECT_FALSE(r.message.empty());
  EXPECT_EQ(r.path, kSolver);  // nobody else answered
}

TEST(Dantzig, StopsAtTheLimitOfPivots) {
  Options options;
  options.max_iterations = 100;
  const Result r = lcps::solve(lcps::murty(10), kSolver, options);
  EXPECT_EQ(r.status, Status::iteration_limit);
  EXPECT_EQ(r.iterations, 100);
  EXPECT_GE(r.z.minCoeff(), 0);
}

// Equal cubes: every ratio ties, which the perturbation of b takes apart.
TEST(Dantzig, HoldsADegenerateColumn) {
  for (const double mu : {0.0, 0.5}) {
    Options options;
    options.tolerance = 1e-11;
    const Result r = solve(assemble(boxes::column(5, 1, 1, mu)), kSolver, options);
    EXPECT_EQ(r.status, Status::converged) << r.message;
  }
}

}  // namespace lcp_dantzig_test
}  // namespace perpend
