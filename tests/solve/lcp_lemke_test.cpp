#include <gtest/gtest.h>

#include <set>

#include "perpend/solve.hpp"
#include "support/lcp_checks.hpp"

namespace perpend {
namespace lcp_lemke_test {

using Eigen::MatrixXd;
using scenes::impulses;

Result lemke(const MatrixXd& A, const VectorXd& b, const Options& options = {}) {
  return solve(*lcps::problem(A, b), "lcp/lemke", options);
}

std::pair<MatrixXd, VectorXd> murty(Index n) {
  const lcps::Lcp lcp = lcps::murty(n);
  return {lcp.A, lcp.b};
}

TEST(Lemke, NeedsTwoToTheNPivotsOnMurtysExample) {
  for (const Index n : {1, 2, 3, 6, 10}) {
    const auto [A, b] = murty(n);
    const Result r = lemke(A, b);
    ASSERT_EQ(r.status, Status::converged) << r.message;
    EXPECT_EQ(r.work[static_cast<std::size_t>(Work::pivot)], 1 << n);
    EXPECT_EQ(r.iterations, 1 << n);
    // z = (2^n, 0, .., 0): all numbers are integers, so the answer is exact.
    EXPECT_EQ(r.z[0], std::exp2(static_cast<double>(n)));
    EXPECT_TRUE(r.z.tail(n - 1).isZero(0));
    EXPECT_EQ(r.errors[Measure::own_error], 0);
    EXPECT_EQ(r.path, "lemke");
  }
}

TEST(Lemke, StopsAtTheLimitOfPivots) {
  const auto [A, b] = murty(10);
  Options options;
  options.max_iterations = 100;
  const Result r = lemke(A, b, options);
  EXPECT_EQ(r.status, Status::iteration_limit);
  EXPECT_EQ(r.iterations, 100);
  EXPECT_TRUE(r.z.allFinite());
  EXPECT_GE(r.z.minCoeff(), 0);
}

// With ties broken by the first row Lemke's method cycles on it.
const MatrixXd kKostreva = lcps::kostreva().A;

// The tableau method with that naive rule. Returns after how many pivots a basis comes again, 0
// when it ends.
long naive_lemke_cycles(const MatrixXd& A, const VectorXd& b) {
  const Index n = b.size(), z0 = 2 * n;
  MatrixXd T(n, 2 * n + 2);
  T << MatrixXd::Identity(n, n), -A, -VectorXd::Ones(n), b;
  std::vector<Index> basic;
  for (Index i = 0; i < n; ++i) basic.push_back(i);
  const auto pivot = [&](Index row, Index entering) {
    T.row(row) /= T(row, entering);
    for (Index i = 0; i < n; ++i)
      if (i != row) T.row(i) -= (T(i, entering) * T.row(row)).eval();
    return std::exchange(basic[static_cast<std::size_t>(row)], entering);
  };
  Index row;
  b.minCoeff(&row);
  Index left = pivot(row, z0);
  std::set<std::pair<std::set<Index>, Index>> seen;
  for (long k = 2; k < 100; ++k) {
    const Index entering = left < n ? left + n : left - n;
    if (!seen.insert({{basic.begin(), basic.end()}, entering}).second) return k - 1;
    double best = scenes::kInf;
    row = -1;
    for (Index i = 0; i < n; ++i)
      if (T(i, entering) > 1e-12 && T(i, z0 + 1) / T(i, entering) < best - 1e-12) {
        best = T(i, z0 + 1) / T(i, entering);
        row = i;
      }
    if (row < 0) return 0;
    left = pivot(row, entering);
    if (left == z0) return 0;
  }
  return 0;
}

TEST(Lemke, DoesNotCycleOnKostrevasExample) {
  const VectorXd b = -VectorXd::Ones(3);
  ASSERT_EQ(naive_lemke_cycles(kKostreva, b), 8);  // the example is what it claims to be
  const Result r = lemke(kKostreva, b);
  ASSERT_EQ(r.status, Status::converged) << r.message;
  EXPECT_EQ(r.iterations, 4);  // as in exact arithmetic, lexicographic
  EXPECT_NEAR((r.z - VectorXd::Constant(3, 1.0 / 3)).norm(), 0, 1e-15);
}

TEST(Lemke, TellsASecondaryRay) {
  // w_1 = -z_1 - 1 is never positive.
  const Result one = lemke(-MatrixXd::Identity(1, 1), impulses({-1}));
  EXPECT_EQ(one.status, Status::failed);
  EXPECT_NE(one.message.find("secondary ray"), std::string::npos) << one.message;
  // A contact that no impulse can open (A = 0), beside one that is solved.
  MatrixXd A = MatrixXd::Zero(2, 2);
  A(0, 0) = 1;
  const Result two = lemke(A, impulses({-1, -2}));
  EXPECT_EQ(two.status, Status::failed);
  EXPECT_TRUE(two.z.allFinite());
}

TEST(Lemke, DoesNothingWhereNothingIsViolated) {
  const Result r = lemke(kKostreva, impulses({1, 0, 2}));
  EXPECT_EQ(r.status, Status::converged);
  EXPECT_EQ(r.iterations, 0);
  EXPECT_TRUE(r.z.isZero(0));
}

TEST(Lemke, SolvesSlidingAndStickingExactly) {
  Options options;
  options.facets = 4;
  const Result stick = solve(assemble(scenes::sticking()), "lcp/lemke", options);
  EXPECT_EQ(stick.impulses, impulses({2, -0.5, 0}));
  const Result slide = solve(assemble(scenes::sliding()), "lcp/lemke", options);
  EXPECT_EQ(slide.impulses, impulses({2, -1, 0}));
  EXPECT_EQ(slide.errors[Measure::own_error], 0);
}

TEST(Lemke, SolvesAMotorAtItsBoundAndRedundantJoints) {
  const Result motor = solve(assemble(scenes::slider(-1, -1, 1)), "lcp/lemke");
  EXPECT_EQ(motor.impulses, impulses({1}));

  const Result held = solve(assemble(scenes::held_block({0, 0})), "lcp/lemke");
  EXPECT_EQ(held.status, Status::converged);
  EXPECT_NEAR((held.impulses - impulses({2, 0, -0.5, -3, -3})).norm(), 0, 1e-14);
}

TEST(Lemke, FollowsEitherFaceOfAGroup) { lcps::expect_follows_either_face_of_a_group("lcp/lemke"); }

TEST(Lemke, HoldsADegenerateColumn) {
  // Ten cubes, four equal contacts each: A has rank 6 per cube, every ratio ties.
  for (const double mu : {0.0, 0.5}) {
    const System s = assemble(boxes::column(10, 1, 1, mu));
    const Result r = solve(s, "lcp/lemke");
    ASSERT_EQ(r.status, Status::converged) << r.message;
    EXPECT_LT(r.errors[Measure::own_error], 1e-13);
    EXPECT_LT(r.errors[Measure::velocity_error], 1e-12);  // at rest, polygon and cone agree
    EXPECT_LT(velocity_plus(s, r.impulses).norm(), 1e-12);
  }
}

TEST(Lemke, HoldsAColumnWithUnevenFeet) {
  // Points and gaps off by up to 1e-7 m: the fourth foot of every cube is nearly redundant, and a
  // pivot on what is left of it (1e-7) leads to a ray that is not there.
  Frame f = boxes::column(5, 1, 1);
  std::uint64_t seed = 1;
  const auto next = [&seed] {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return 1e-7 * static_cast<double>(seed >> 11) / 9007199254740992.0;  // 2^53
  };
  for (Index i = 0; i < f.contacts.count(); ++i) {
    f.contacts.points(i, 0) += next() - 0.5e-7;
    f.contacts.points(i, 1) += next() - 0.5e-7;
    f.contacts.gap[i] = next();
  }
  Options options;
  options.facets = 4;
  options.tolerance = 1e-11;
  const Result r = solve(assemble(f), "lcp/lemke", options);
  EXPECT_EQ(r.status, Status::converged) << r.message;
}

TEST(Lemke, HoldsAMassRatioOfAThousand) {
  Options options;
  options.tolerance = 1e-12;
  const Result r = solve(assemble(boxes::column(3, 1, 1000)), "lcp/lemke", options);
  ASSERT_EQ(r.status, Status::converged) << r.message;
}

TEST(Lemke, SolvesTwoHundredContactsWithFourFacets) {
#ifndef NDEBUG
  GTEST_SKIP() << "a second when optimized, many minutes at -O0";
#endif
  const System s = assemble(boxes::shaken(boxes::wall(5, 6), 0.01));
  ASSERT_EQ(s.contacts(), 200);
  Options options;
  options.facets = 4;
  const Result r = solve(s, "lcp/lemke", options);
  ASSERT_EQ(r.status, Status::converged) << r.message;
  EXPECT_EQ(r.z.size(), 1200);
  EXPECT_LT(r.errors[Measure::own_error], 1e-12);
  EXPECT_EQ(r.path, "lemke");
}

TEST(Lemke, SolvesAShakenColumnForAnyNumberOfFacets) {
  const System s = assemble(boxes::shaken(boxes::column(3, 1, 1), 0.5));
  for (const Index facets : {3, 5, 8}) {
    Options options;
    options.facets = facets;
    const Result r = solve(s, "lcp/lemke", options);
    EXPECT_EQ(r.status, Status::converged) << r.message;
    // The polygon is not the cone: bodies slide here, and Coulomb's law is off by that much.
    EXPECT_LT(r.errors[Measure::own_error], 1e-12);
    EXPECT_GT(r.errors[Measure::velocity_error], 1e-4);
  }
}

TEST(Lemke, WarmStartFromTheSolutionNeedsNoPivot) {
  const System s = assemble(boxes::shaken(boxes::column(3, 1, 1), 0.5));
  Options options;
  options.warm_start = solve(s, "lcp/lemke").impulses;
  const Result r = solve(s, "lcp/lemke", options);
  EXPECT_EQ(r.status, Status::converged);
  EXPECT_EQ(r.iterations, 0);
}

TEST(Lemke, WarmStartOfTheNextStepTakesFewerPivots) {
  Frame f = boxes::shaken(boxes::column(3, 1, 1), 0.5);
  const Result first = solve(assemble(f), "lcp/lemke");
  f.bodies.velocities *= 1.0 + 1.0 / 1024;
  const System next = assemble(f);
  const Result cold = solve(next, "lcp/lemke");
  Options options;
  options.warm_start = first.impulses;
  const Result warm = solve(next, "lcp/lemke", options);
  ASSERT_EQ(warm.status, Status::converged) << warm.message;
  EXPECT_EQ(warm.path, "lemke from the basis of the warm start");
  EXPECT_LT(warm.iterations, cold.iterations / 4);
  EXPECT_LT(warm.errors[Measure::own_error], 1e-12);
}

TEST(Lemke, UselessWarmStartFallsBackAndSaysSo) {
  // Both contacts of A = ones cannot be basic together.
  Options options;
  options.warm_start = impulses({1, 1});
  const Result r = lemke(MatrixXd::Ones(2, 2), impulses({-1, -3}), options);
  EXPECT_EQ(r.status, Status::converged);
  EXPECT_EQ(r.z, impulses({0, 3}));
  EXPECT_EQ(r.path, "lemke, cold (the basis of the warm start is singular)");
}

TEST(Lemke, RefusesWhatDoesNotFitIntoMemory) {
  Options options;
  options.memory_limit = 1000;
  const auto [A, b] = murty(10);  // 4 matrices of 10 x 10 doubles: 3200 bytes
  const Result r = lemke(A, b, options);
  EXPECT_EQ(r.status, Status::too_large);
  EXPECT_NE(r.message.find("3.2e+03"), std::string::npos) << r.message;
}

TEST(Lemke, GivesTheSameBitsTwice) {
  const System s = assemble(boxes::shaken(boxes::column(3, 1, 1), 0.5));
  EXPECT_EQ(solve(s, "lcp/lemke").z, solve(s, "lcp/lemke").z);
}

}  // namespace lcp_lemke_test
}  // namespace perpend
