#include <gtest/gtest.h>

#include "support/lcp_checks.hpp"

namespace perpend {
namespace lcp_fischer_newton_test {

constexpr const char* kSolver = "lcp/fischer-newton";

TEST(FischerNewton, SolvesTheClassics) { lcps::expect_solves_the_classics(kSolver); }

TEST(FischerNewton, PenalizedFunctionSolvesThemToo) {
  for (const char* lambda : {"0.95", "0.7", "1"}) {
    SCOPED_TRACE(lambda);
    Options options;
    options.set = {{"function", "penalized"}, {"lambda", lambda}};
    lcps::expect_solves_the_classics(kSolver, options);
  }
}

TEST(FischerNewton, PenaltyOfWeightZeroIsThePlainFunctionAndOthersAreNot) {
  const System s = assemble(boxes::shaken(boxes::column(3, 1, 1), 0.5));
  Options options;
  const Result plain = solve(s, kSolver, options);
  options.set = {{"function", "penalized"}, {"lambda", "1"}};
  EXPECT_EQ(solve(s, kSolver, options).z, plain.z);
  options.set["lambda"] = "0.9";
  const Result penalized = solve(s, kSolver, options);
  EXPECT_EQ(penalized.status, Status::converged) << penalized.message;
  EXPECT_NE(penalized.z, plain.z);
}

TEST(FischerNewton, SaysWhatItCannotSolve) {
  lcps::expect_says_what_it_cannot_solve(kSolver, Status::stalled);
}

TEST(FischerNewton, SolvesContactsAndJoints) { lcps::expect_solves_contacts_and_joints(kSolver); }

TEST(FischerNewton, AgreesWithLemkeOnVelocities) { lcps::expect_agrees_with_lemke(kSolver); }

TEST(FischerNewton, NeedsFewStepsWhereLemkeNeedsManyPivots) {
  // Lemke's method takes 2^10 pivots here.
  EXPECT_LT(lcps::solve(lcps::murty(10), kSolver).iterations, 50);
}

TEST(FischerNewton, HoldsColumns) { lcps::expect_holds_columns(kSolver); }

TEST(FischerNewton, RefusesWhatDoesNotFitIntoMemory) {
  lcps::expect_refuses_what_does_not_fit(kSolver);
}

// Lu et al. 2013 see no quadratic convergence (Fig. 12). Where the solution is unique and regular
// there is: the last error before rounding is at most about the square of the one before, each
// below 1.
TEST(FischerNewton, ConvergesQuadraticallyAtARegularSolution) {
  Options options;
  options.tolerance = 1e-13;
  options.history = true;
  const Result r = lcps::solve(lcps::kostreva(), kSolver, options);
  ASSERT_EQ(r.status, Status::converged);
  ASSERT_GE(r.history.size(), 3u);
  const auto error = [&](std::size_t back) {
    return r.history[r.history.size() - back].errors[Measure::own_error];
  };
  EXPECT_LT(error(2), 10 * error(3) * error(3));
  EXPECT_LT(error(1), std::max(10 * error(2) * error(2), 1e-15));
}

}  // namespace lcp_fischer_newton_test
}  // namespace perpend
