#include <gtest/gtest.h>

#include <Eigen/LU>

#include "support/lcp_checks.hpp"

namespace perpend {
namespace lcp_minmap_newton_test {

constexpr const char* kSolver = "lcp/minmap-newton";

TEST(MinmapNewton, SolvesTheClassics) { lcps::expect_solves_the_classics(kSolver); }

// After Ben Gharbia and Gilbert (2012): a P-matrix on which Newton's method on the minimum map
// without line search goes round through the active sets {1, 3}, {2, 3}, {1, 2}.
TEST(MinmapNewton, LineSearchEndsTheCycleOfThree) {
  const double alpha = 2;
  const lcps::MatrixXd A =
      (lcps::MatrixXd(3, 3) << 1, 0, alpha, alpha, 1, 0, 0, alpha, 1).finished();
  const VectorXd b = -VectorXd::Ones(3);
  std::vector<bool> active = {true, false, true};
  int repeats = 0;
  for (int k = 0; k < 9; ++k) {
    // x on the active set, w elsewhere: what the undamped method does.
    std::vector<Index> set;
    for (Index i = 0; i < 3; ++i)
      if (active[static_cast<std::size_t>(i)]) set.push_back(i);
    VectorXd x = VectorXd::Zero(3);
    const lcps::MatrixXd part = A(set, set);
    x(set) = part.inverse() * (-b(set));
    const VectorXd w = A * x + b;
    for (Index i = 0; i < 3; ++i) active[static_cast<std::size_t>(i)] = w[i] < x[i];
    repeats += active == std::vector<bool>{true, false, true};
  }
  EXPECT_EQ(repeats, 3);  // the example is what it claims to be
  Options options;
  options.tolerance = 1e-12;
  options.warm_start = lcps::vector({1, 0, 0});
  const Result r = lcps::solve({"cycle", A, b, {}}, kSolver, options);
  EXPECT_EQ(r.status, Status::converged) << r.message;
  EXPECT_NEAR((r.z - VectorXd::Constant(3, 1.0 / 3)).norm(), 0, 1e-11);
}

TEST(MinmapNewton, NeedsFewStepsWhereLemkeNeedsManyPivots) {
  EXPECT_LT(lcps::solve(lcps::murty(10), kSolver).iterations, 30);
}

TEST(MinmapNewton, SolvesContactsAndJoints) { lcps::expect_solves_contacts_and_joints(kSolver); }

TEST(MinmapNewton, AgreesWithLemkeOnVelocities) { lcps::expect_agrees_with_lemke(kSolver); }

TEST(MinmapNewton, HoldsColumns) { lcps::expect_holds_columns(kSolver); }

TEST(MinmapNewton, SaysWhatItCannotSolve) {
  lcps::expect_says_what_it_cannot_solve(kSolver, Status::stalled);
}

TEST(MinmapNewton, RefusesWhatDoesNotFitIntoMemory) {
  lcps::expect_refuses_what_does_not_fit(kSolver);
}

}  // namespace lcp_minmap_newton_test
}  // namespace perpend
