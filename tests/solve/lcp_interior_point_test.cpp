#include <gtest/gtest.h>

#include "support/lcp_checks.hpp"

namespace perpend {
namespace lcp_interior_point_test {

constexpr const char* kSolver = "lcp/interior-point";

TEST(LcpInteriorPoint, SolvesTheClassics) { lcps::expect_solves_the_classics(kSolver); }

TEST(LcpInteriorPoint, SaysWhatItCannotSolve) {
  lcps::expect_says_what_it_cannot_solve(kSolver, Status::stalled);
}

TEST(LcpInteriorPoint, SolvesContactsAndJoints) {
  lcps::expect_solves_contacts_and_joints(kSolver);
}

// Lu et al. 2013, Fig. 13: about 30 iterations to an error of 1e-15, whatever the size.
TEST(LcpInteriorPoint, NeedsAboutAsManyStepsForAnySize) {
  for (const Index n : {5, 20, 80}) {
    Options options;
    options.tolerance = 1e-12;
    const Result r = lcps::solve(lcps::fathi(n), kSolver, options);
    EXPECT_EQ(r.status, Status::converged) << r.message;
    EXPECT_LT(r.iterations, 30);
  }
}

TEST(LcpInteriorPoint, StaysInsideUntilItsFaceIsSolved) {
  // Iterates are strictly positive (eq. 22); only the face may put variables to zero.
  Options options;
  options.tolerance = 1e-12;
  int iterates = 0;
  options.observer = [&](const Iteration& i) {
    EXPECT_GT(i.z.minCoeff(), 0);
    ++iterates;
    return true;
  };
  const Result r = lcps::solve(lcps::fathi(8), kSolver, options);
  EXPECT_EQ(r.status, Status::converged);
  EXPECT_GT(iterates, 2);
  EXPECT_EQ(r.path, "interior-point with its face solved");
  EXPECT_EQ(r.z[7], 0);
}

TEST(LcpInteriorPoint, AgreesWithLemkeOnVelocities) { lcps::expect_agrees_with_lemke(kSolver); }

TEST(LcpInteriorPoint, HoldsColumns) { lcps::expect_holds_columns(kSolver); }

TEST(LcpInteriorPoint, RefusesWhatDoesNotFitIntoMemory) {
  lcps::expect_refuses_what_does_not_fit(kSolver);
}

TEST(LcpInteriorPoint, NearbyStartIsLiftedOffTheWalls) {
  Frame f = boxes::shaken(boxes::column(3, 1, 1), 0.5);
  Options options;
  options.tolerance = 1e-10;
  options.warm_start = solve(assemble(f), kSolver, options).impulses;
  f.bodies.velocities *= 1.0 + 1.0 / 1024;
  const Result r = solve(assemble(f), kSolver, options);
  EXPECT_EQ(r.status, Status::converged) << r.message;
}

}  // namespace lcp_interior_point_test
}  // namespace perpend
