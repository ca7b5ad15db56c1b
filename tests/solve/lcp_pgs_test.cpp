#include <gtest/gtest.h>

#include "support/lcp_checks.hpp"

namespace perpend {
namespace lcp_pgs_test {

constexpr const char* kSolver = "lcp/pgs";

Result slide(const Options& options) {
  return solve(assemble(scenes::sliding()), kSolver, options);
}

Options four_facets(double tolerance) {
  Options options;
  options.facets = 4;
  options.tolerance = tolerance;
  return options;
}

TEST(LcpPgs, SweepsTriangularMatricesInOneSweep) {
  // Murty's matrix is lower triangular, Fathi's z has one entry: forward substitution is enough.
  for (const lcps::Lcp& lcp : {lcps::murty(10), lcps::fathi(8)}) {
    const Result r = lcps::solve(lcp, kSolver);
    EXPECT_EQ(r.status, Status::converged);
    EXPECT_EQ(r.iterations, 1);
    EXPECT_EQ(r.z, lcp.z);
  }
}

// x_1 <- 1 - 2 x_2, x_2 <- 1 - 2 x_3, x_3 <- 1 - 2 x_1, cut at zero: (1, 1, 0), then (0, 1, 1),
// (0, 0, 1) ... a P-matrix is not enough for convergence; a dominant diagonal or symmetry is.
TEST(LcpPgs, GoesRoundInKostrevasExample) {
  const Result r = lcps::solve(lcps::kostreva(), kSolver);
  EXPECT_EQ(r.status, Status::stalled);
  EXPECT_GT(r.errors[Measure::own_error], 0.1);
}

TEST(LcpPgs, SaysWhatItCannotSolve) {
  lcps::expect_says_what_it_cannot_solve(kSolver, Status::stalled);
}

TEST(LcpPgs, SolvesSlidingAndStickingWithADivisorForTheSpeeds) {
  const Options options = four_facets(1e-10);
  const Result stick = solve(assemble(scenes::sticking()), kSolver, options);
  EXPECT_EQ(stick.status, Status::converged) << stick.message;
  EXPECT_NEAR((stick.impulses - lcps::vector({2, -0.5, 0})).norm(), 0, 1e-9);
  const Result sliding = slide(options);
  EXPECT_EQ(sliding.status, Status::converged) << sliding.message;
  EXPECT_NEAR((sliding.impulses - lcps::vector({2, -1, 0})).norm(), 0, 1e-9);
}

// Without cfm nothing moves the speed, which bounds friction: the sliding body is stopped dead by
// an impulse outside its cone, as if mu were infinite, and the method says that it is stuck there.
TEST(LcpPgs, WithoutCfmEveryContactSticks) {
  Options options = four_facets(1e-10);
  options.set["cfm"] = "0";
  const System s = assemble(scenes::sliding());
  VectorXd z;
  options.observer = [&](const Iteration& i) {
    z = i.z;
    return true;
  };
  const Result r = solve(s, kSolver, options);
  EXPECT_EQ(r.status, Status::stalled);
  EXPECT_NE(r.message.find("1 rows with a zero diagonal"), std::string::npos) << r.message;
  EXPECT_GT(r.errors[Measure::own_error], 0.1);
  std::string why;
  FormulationOptions how;
  how.facets = 4;
  const Impulses stuck = formulate(s, "lcp", how, why)->impulses(z);
  EXPECT_NEAR(relative_velocity(s, stuck).norm(), 0, 1e-12);  // at rest
  EXPECT_GT(std::abs(stuck[1]), 0.5 * stuck[0]);              // outside the cone
}

// The CFM of Lu et al. 2013 is another problem: the friction bound gives way by cfm s, more the
// larger cfm is.
TEST(LcpPgs, SoftCfmSolvesAnotherProblem) {
  Options options = four_facets(1e-12);
  options.set = {{"cfm-law", "soft"}, {"cfm", "8"}};
  const Result more = slide(options);
  EXPECT_EQ(more.status, Status::stalled) << more.message;
  options.set["cfm"] = "2";
  const Result less = slide(options);
  EXPECT_EQ(less.status, Status::stalled) << less.message;
  EXPECT_GT(less.errors[Measure::own_error], 1e-3);
  EXPECT_GT(more.errors[Measure::own_error], less.errors[Measure::own_error]);
}

TEST(LcpPgs, TooSmallACfmDoesNotConverge) {
  Options options = four_facets(1e-10);
  options.set["cfm"] = "1e-6";
  const Result r = slide(options);
  EXPECT_NE(r.status, Status::converged);
  EXPECT_TRUE(r.z.allFinite());
}

TEST(LcpPgs, AgreesWithLemkeOnVelocities) { lcps::expect_agrees_with_lemke(kSolver); }

}  // namespace lcp_pgs_test
}  // namespace perpend
