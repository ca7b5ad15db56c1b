#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/LU>

#include "perpend/solve.hpp"
#include "support/lcp_checks.hpp"

namespace perpend {
namespace mlcp_path_test {

using Eigen::MatrixXd;
using scenes::impulses;
using scenes::kInf;
using testing::HasSubstr;

Result path(const MatrixXd& A, const VectorXd& b, const VectorXd& lower, const VectorXd& upper,
            const Options& options = {}) {
  return solve(*raw_problem("mlcp", A.sparseView(), b, lower, upper), "mlcp/path", options);
}

Result lcp(const MatrixXd& A, const VectorXd& b, const Options& options = {}) {
  return path(A, b, VectorXd::Zero(b.size()), VectorXd::Constant(b.size(), kInf), options);
}

long pivots(const Result& r) { return r.work[static_cast<std::size_t>(Work::pivot)]; }

double entry(std::uint64_t& seed) {  // in [-1, 1)
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return 2 * static_cast<double>(seed >> 11) / 9007199254740992.0 - 1;  // 2^53
}

// Positive definite and not symmetric: one solution for any b and bounds.
MatrixXd definite(Index n, std::uint64_t& seed) {
  MatrixXd G(n, n), S(n, n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) {
      G(i, j) = entry(seed);
      S(i, j) = entry(seed);
    }
  return G * G.transpose() / static_cast<double>(n) + (S - S.transpose()) +
         0.1 * MatrixXd::Identity(n, n);
}

TEST(Path, TakesLemkesTwoToTheNPivotsOnMurtysExample) {
  for (const Index n : {1, 3, 8}) {
    const lcps::Lcp murty = lcps::murty(n);
    const Result r = lcp(murty.A, murty.b);
    ASSERT_EQ(r.status, Status::converged) << r.message;
    EXPECT_EQ(pivots(r), 1 << n);
    EXPECT_EQ(r.z[0], std::exp2(static_cast<double>(n)));
    EXPECT_TRUE(r.z.tail(n - 1).isZero(0));
    EXPECT_EQ(r.path, "ray");
    Options few;
    few.max_iterations = 2;
    if (n == 8) {
      const Result stopped = lcp(murty.A, murty.b, few);
      EXPECT_EQ(stopped.status, Status::iteration_limit);
      EXPECT_EQ(stopped.iterations, 2);
      EXPECT_GE(stopped.z.minCoeff(), 0);
    }
  }
}

// Kostreva (1979): cycles if ties are broken by the first row (lcp_lemke_test shows it).
TEST(Path, DoesNotCycleOnKostrevasExample) {
  const MatrixXd A = (MatrixXd(3, 3) << 1, 2, 0, 0, 1, 2, 2, 0, 1).finished();
  const Result r = lcp(A, -VectorXd::Ones(3));
  ASSERT_EQ(r.status, Status::converged) << r.message;
  EXPECT_NEAR((r.z - VectorXd::Constant(3, 1.0 / 3)).norm(), 0, 1e-14);
}

// Beale's linear program (1955), on which the simplex method cycles, as the LCP of its optimality
// conditions: min c.x, G x <= h, x >= 0. Optimum -5/100 at x = (1/25, 0, 1, 0).
TEST(Path, DoesNotCycleOnBealesLinearProgram) {
  MatrixXd G(3, 4);
  G << 0.25, -60, -1.0 / 25, 9, 0.5, -90, -1.0 / 50, 3, 0, 0, 1, 0;
  const VectorXd h = impulses({0, 0, 1}), c = impulses({-0.75, 150, -0.02, 6});
  MatrixXd A = MatrixXd::Zero(7, 7);
  A.topRightCorner(4, 3) = G.transpose();
  A.bottomLeftCorner(3, 4) = -G;
  VectorXd b(7);
  b << c, h;
  const Result r = lcp(A, b);
  ASSERT_EQ(r.status, Status::converged) << r.message;
  EXPECT_NEAR(c.dot(r.z.head(4)), -0.05, 1e-12);
}

TEST(Path, SolvesBoxedFreeAndFixedVariablesTogether) {
  for (std::uint64_t seed = 1; seed < 6; ++seed) {
    std::uint64_t random = seed;
    constexpr Index kSize = 60;
    const MatrixXd A = definite(kSize, random);
    VectorXd b(kSize), lower(kSize), upper(kSize);
    for (Index i = 0; i < kSize; ++i) {
      b[i] = entry(random);
      const double width = 0.1 * (1 + entry(random));
      const double lows[] = {-kInf, 0, -kInf, -width, 0.25}, highs[] = {kInf, kInf, 1, width, 0.25};
      lower[i] = lows[i % 5];
      upper[i] = highs[i % 5];
    }
    for (const char* start : {"ray", "crash", "path"}) {
      Options options;
      options.tolerance = 1e-12;
      options.set["start"] = start;
      const Result r = path(A, b, lower, upper, options);
      ASSERT_EQ(r.status, Status::converged) << start << ": " << r.message;
      const VectorXd w = A * r.z + b;
      int low = 0, high = 0;
      for (Index i = 0; i < kSize; ++i) {
        EXPECT_LE(lower[i], r.z[i]);
        EXPECT_LE(r.z[i], upper[i]);
        if (lower[i] == upper[i]) continue;
        if (w[i] > 1e-10) {
          EXPECT_EQ(r.z[i], lower[i]) << i;
        } else if (w[i] < -1e-10) {
          EXPECT_EQ(r.z[i], upper[i]) << i;
        }
        low += std::isfinite(upper[i]) && r.z[i] == lower[i];
        high += std::isfinite(lower[i]) && r.z[i] == upper[i];
      }
      EXPECT_GT(low + high, 0);
    }
  }
}

TEST(Path, IsALinearSolveWhereAllVariablesAreFree) {
  std::uint64_t random = 7;
  const MatrixXd A = definite(20, random);
  const VectorXd b = VectorXd::LinSpaced(20, -1, 1);
  const Result r = path(A, b, VectorXd::Constant(20, -kInf), VectorXd::Constant(20, kInf));
  ASSERT_EQ(r.status, Status::converged) << r.message;
  EXPECT_LT((r.z + A.fullPivLu().solve(b)).norm(), 1e-12);
  EXPECT_LE(pivots(r), 1);
}

TEST(Path, HoldsAMotorAtItsBound) {
  // Speed -1 m/s towards 0 needs 2 N s on 2 kg; the motor has 1. Then the other way round.
  EXPECT_EQ(solve(assemble(scenes::slider(-1, -1, 1)), "mlcp/path").impulses, impulses({1}));
  EXPECT_EQ(solve(assemble(scenes::slider(1, -1, 1)), "mlcp/path").impulses, impulses({-1}));
  EXPECT_EQ(solve(assemble(scenes::slider(-0.25, -1, 1)), "mlcp/path").impulses, impulses({0.5}));
}

TEST(Path, SolvesSlidingAndStickingToRounding) {
  Options options;
  options.facets = 4;
  EXPECT_EQ(solve(assemble(scenes::sticking()), "mlcp/path", options).impulses,
            impulses({2, -0.5, 0}));
  const Result slide = solve(assemble(scenes::sliding()), "mlcp/path", options);
  EXPECT_LT((slide.impulses - impulses({2, -1, 0})).norm(), 1e-15);
}

TEST(Path, FollowsEitherFaceOfAGroup) { lcps::expect_follows_either_face_of_a_group("mlcp/path"); }

TEST(Path, MovesBodiesAsLemkeDoes) {
  for (const double speed : {0.01, 0.5})
    lcps::expect_moves_bodies_as_lemke_does("mlcp/path", speed);
}

TEST(Path, HoldsADegenerateColumnAndAMassRatioOfAThousand) {
  for (const double top : {1.0, 1000.0}) {
    const System s = assemble(boxes::column(10, 1, top));
    const Result r = checks::solved(s, "mlcp/path", checks::within(1e-11));
    EXPECT_LT(velocity_plus(s, r.impulses).norm(), 1e-9);
  }
}

TEST(Path, GoesBackToTheWatchdogsCheckpointAndTakesAPartOfThePath) {
  // A turns and grows, so that with the proximal term 1 a full step doubles the residual: the
  // eigenvalues -0.9 +- 0.5i of A give r(t) = (1 - t a/(a + 1)) r, |1 - a/(a + 1)| = 1.96. After
  // some steps taken unseen the method returns to its start. There |r(1/2)| = 1.18 and
  // |r(1/4)| = 0.97 of |r(0)|: a quarter of the path is taken. From then on the term is as small as
  // the residual, and the next steps converge.
  const MatrixXd A = (MatrixXd(2, 2) << -0.9, -0.5, 0.5, -0.9).finished();
  Options options;
  options.set = {{"proximal", "1"}, {"start", "path"}};
  options.tolerance = 1e-12;
  options.history = true;
  const VectorXd b = impulses({0.06, 0.08}), infinite = VectorXd::Constant(2, kInf);
  const Result r = path(A, b, -infinite, infinite, options);
  ASSERT_EQ(r.status, Status::converged) << r.message;
  EXPECT_THAT(r.path, HasSubstr("watchdog back to t = 0.25")) << r.path;
  EXPECT_LT((A * r.z + b).norm(), 1e-12);
  // The residual did grow meanwhile, and the return is marked in the history.
  double largest = 0;
  int restarts = 0;
  for (const HistoryPoint& p : r.history) {
    largest = std::max(largest, p.errors[Measure::own_error]);
    restarts += p.restart;
  }
  EXPECT_GT(largest, 2 * r.history.front().errors[Measure::own_error]);
  EXPECT_GE(restarts, 1);
}

TEST(Path, GoesOnFromWhereAPathWasCut) {
  const System s = assemble(boxes::shaken(boxes::column(2, 1, 1), 0.5));
  Options options;
  options.set = {{"pivots", "7"}, {"start", "ray"}};
  options.tolerance = 1e-10;
  const Result r = solve(s, "mlcp/path", options);
  ASSERT_EQ(r.status, Status::converged) << r.path << ": " << r.message;
  EXPECT_THAT(r.path, HasSubstr("ray > path x"));
}

TEST(Path, StartsNearASolutionWithLessThanATenthOfThePivots) {
  for (std::uint64_t seed = 1; seed < 6; ++seed) {
    std::uint64_t random = seed;
    constexpr Index kSize = 80;
    const MatrixXd A = definite(kSize, random);
    VectorXd b(kSize), other(kSize);
    for (Index i = 0; i < kSize; ++i) {
      b[i] = entry(random);
      other[i] = b[i] + 1e-4 * entry(random);
    }
    const VectorXd lower = VectorXd::Constant(kSize, -0.1), upper = VectorXd::Constant(kSize, 0.1);
    const Result cold = path(A, b, lower, upper);
    Options options;
    options.warm_start = path(A, other, lower, upper).z;
    options.set["crash"] = "0";
    const Result warm = path(A, b, lower, upper, options);
    ASSERT_EQ(warm.status, Status::converged) << warm.message;
    EXPECT_GT(pivots(cold), 50);
    EXPECT_LT(10 * pivots(warm), pivots(cold)) << warm.path;
    EXPECT_LT((warm.z - cold.z).norm(), 1e-6);
  }
}

TEST(Path, StartsFromTheImpulsesOfTheLastStep) {
  Frame f = boxes::shaken(boxes::column(3, 1, 1), 0.5);
  Options options;
  options.tolerance = 1e-10;
  const Result first = solve(assemble(f), "mlcp/path", options);
  f.bodies.velocities *= 1.0 + 1.0 / 4096;
  const System next = assemble(f);
  const Result cold = solve(next, "mlcp/path", options);
  options.warm_start = first.impulses;
  const Result warm = solve(next, "mlcp/path", options);
  ASSERT_EQ(warm.status, Status::converged) << warm.message;
  EXPECT_LT(warm.iterations, cold.iterations) << warm.path;
  checks::expect_same_motion(next, warm, cold, 1e-8);
}

TEST(Path, ProximalTermSavesASingularBasis) {
  // Both columns of A = ones are basic at this start (z - w > 0): only one of them is independent.
  Options options;
  options.warm_start = impulses({2, 0.5});
  options.set = {{"start", "path"}};
  options.tolerance = 1e-12;
  const Result r = lcp(MatrixXd::Ones(2, 2), impulses({-1, -3}), options);
  ASSERT_EQ(r.status, Status::converged) << r.message;
  EXPECT_THAT(r.path, HasSubstr("proximal path"));
  EXPECT_NEAR((r.z - impulses({0, 3})).norm(), 0, 1e-9);
}

TEST(Path, ProximalTermSharesALoadBetweenRedundantJoints) {
  // The same row twice, 6 N s together; without the proximal term the first basis is singular.
  const System s = assemble(scenes::held_block({0, 0}));
  Options options;
  options.tolerance = 1e-12;
  const Result r = solve(s, "mlcp/path", options);
  ASSERT_EQ(r.status, Status::converged) << r.message;
  EXPECT_THAT(r.path, HasSubstr("proximal ray"));
  // Friction may carry a part of the load; the joints share the rest, and all stands still.
  EXPECT_NEAR(r.impulses[3], r.impulses[4], 1e-8);
  EXPECT_LT(velocity_plus(s, r.impulses).norm(), 1e-11);
}

TEST(Path, ProvesJointsThatContradictEachOther) {
  // One row asks for 0 m/s, the other for 1 m/s: every velocity misses one of them by 1/2.
  Frame f = scenes::empty_frame(2, 0, {2});
  scenes::add_floor(f, 0);
  f.bodies.masses[1] = 2;
  f.joints.pairs.row(0) << 0, 1;
  f.joints.jacobian.setZero();
  f.joints.jacobian.col(6).setOnes();
  f.joints.rate = impulses({0, -1});
  const Result r = solve(assemble(f), "mlcp/path");
  EXPECT_EQ(r.status, Status::infeasible) << r.message;
  EXPECT_THAT(r.message, HasSubstr("0.5 m/s"));
  EXPECT_TRUE(r.z.allFinite());
}

TEST(Path, CallsInfeasibleOnlyWhatItCanProve) {
  // w = -z - 1 >= 0 has no z >= 0.
  const Result none = lcp(-MatrixXd::Identity(1, 1), impulses({-1}));
  EXPECT_EQ(none.status, Status::infeasible) << none.message;
  EXPECT_THAT(none.message, HasSubstr("closer than 1 m/s"));
  // w = (z_2 - 1, z_2 + 1) >= 0 at z_2 = 1, but there z_2 w_2 = 2: feasible, without a solution.
  const MatrixXd A = (MatrixXd(2, 2) << 0, 1, 0, 1).finished();
  const Result ray = lcp(A, impulses({-1, 1}));
  EXPECT_EQ(ray.status, Status::failed) << ray.message;
  EXPECT_THAT(ray.message, HasSubstr("ray"));
}

TEST(Path, RefusesWhatDoesNotFitIntoMemory) {
  Options options;
  options.memory_limit = 1000;
  EXPECT_EQ(lcp(MatrixXd::Identity(10, 10), -VectorXd::Ones(10), options).status,
            Status::too_large);
}

TEST(Path, GivesTheSameBitsTwice) {
  const System s = assemble(boxes::shaken(boxes::column(3, 1, 1), 0.5));
  EXPECT_EQ(solve(s, "mlcp/path").z, solve(s, "mlcp/path").z);
}

}  // namespace mlcp_path_test
}  // namespace perpend
