#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "perpend/solve.hpp"
#include "support/boxes.hpp"
#include "support/shaken.hpp"

namespace perpend {
namespace ncp_interior_point_test {

using boxes::kGravity;
using testing::StartsWith;

// A cube of 2 kg that slides at `speed` on a floor.
Frame sliding(double speed, double mu) {
  boxes::World w(0.01);
  const Index floor = w.fixed(), cube = w.cube(2, 1, {0, 0, 0.5});
  w.face(floor, cube, {0, 0, 0}, 1, mu);
  w.frame().bodies.velocities(cube, 0) = speed;
  return w.frame();
}

TEST(NcpInteriorPoint, StopsABlockByFriction) {
  // After a step of 0.01 s the block has lost mu g h, nothing where mu is 0; where mu is huge it
  // trips and the law must hold all the same. Residuals of 1e-8 at four contacts: 1e-7 (see the
  // conformance test).
  for (const char* saxce : {"monolithic", "lagged"})
    for (const double mu : {0.0, 1e-3, 0.3, 100.0, 1e6}) {
      SCOPED_TRACE(mu);
      const Frame f = sliding(1, mu);
      const System s = assemble(f);
      Options o;
      o.set["saxce"] = saxce;
      const Result r = solve(s, "ncp/interior-point", o);
      ASSERT_EQ(r.status, Status::converged) << r.message;
      EXPECT_THAT(r.path, StartsWith("interior-point"));
      const Rows6 v = velocity_plus(f, s, r.impulses);
      if (mu > 1) {
        EXPECT_LT(v(1, 0), 0.9);
        continue;
      }
      EXPECT_NEAR(v(1, 0), 1 - mu * kGravity * 0.01, 1e-7);
      EXPECT_NEAR(v(1, 2), 0, 1e-7);
    }
}

TEST(NcpInteriorPoint, NeedsAboutAsManyStepsForAnySize) {
  for (const Index size : {2, 4, 6}) {
    Options o;
    o.set["polish"] = "0";
    o.tolerance = 1e-4;
    const Result r = solve(assemble(boxes::wall(size, size)), "ncp/interior-point", o);
    ASSERT_EQ(r.status, Status::converged) << r.message;
    EXPECT_EQ(r.path, "interior-point");
    EXPECT_LE(r.iterations, 15) << size;
  }
}

TEST(NcpInteriorPoint, PolishingIsNamedInThePath) {
  Options o;
  o.tolerance = 1e-12;
  const Result r =
      solve(assemble(boxes::shaken(boxes::column(3, 1, 2, 0.4), 0.3)), "ncp/interior-point", o);
  EXPECT_LE(r.errors[Measure::own_error], 1e-11);
  EXPECT_THAT(r.path, StartsWith("interior-point > prox-newton"));
}

TEST(NcpInteriorPoint, RowsBetweenTwoBoundsKeepTheirWidthFromTheStart) {
  // Motors on a chain of masses, each far too weak for the speed it is asked for but the last: the
  // distances of an impulse to its two bounds add up to their width in every step, or the method
  // ends somewhere else. Without a solver behind it, so that nobody mends it.
  const Index n = 6;
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < n; ++i) {
    entries.emplace_back(i, i, 2);
    if (i > 0) entries.emplace_back(i, i - 1, -1);
    if (i > 0) entries.emplace_back(i - 1, i, -1);
  }
  SparseMatrix A(n, n);
  A.setFromTriplets(entries.begin(), entries.end());
  VectorXd b(n), bound(n);
  b << -3, 2, -1, 4, -2, 0.1;
  bound << 0.1, 0.01, 0.3, 0.02, 0.1, 10;
  const System s = assemble(A, b, VectorXd(), -bound, bound);
  Options o;
  o.set["polish"] = "0";
  o.tolerance = 1e-7;
  const Result r = solve(s, "ncp/interior-point", o);
  ASSERT_EQ(r.status, Status::converged) << r.message;
  EXPECT_LE(r.iterations, 30);
  // All but the last give what they have, against their b; the last stops its row.
  VectorXd expected(n);
  expected << 0.1, -0.01, 0.3, -0.02, 0.1, 0;
  expected[5] = (expected[4] - b[5]) / 2;
  EXPECT_LT((r.impulses - expected).cwiseAbs().maxCoeff(), 1e-7);  // residual/A
}

TEST(NcpInteriorPoint, MotorsLimitsAndEqualBoundsKeepToTheirImpulses) {
  // Four rows on four masses of 1 kg: free (stops), a limit that is reached (stops), one that is
  // left (no impulse), a motor too weak for its speed (gives all it has), and one whose two bounds
  // are equal (gives that).
  const Index n = 5;
  SparseMatrix A(n, n);
  A.setIdentity();
  VectorXd b(n), lower(n), upper(n);
  const double inf = std::numeric_limits<double>::infinity();
  b << -1, -1, 1, -1, -1;
  lower << -inf, 0, 0, -0.25, 0.3;
  upper << inf, inf, inf, 0.25, 0.3;
  const System s = assemble(A, b, VectorXd(), lower, upper);
  const Result r = solve(s, "ncp/interior-point");
  ASSERT_EQ(r.status, Status::converged) << r.message;
  VectorXd expected(n);
  expected << 1, 1, 0, 0.25, 0.3;
  EXPECT_LT((r.impulses - expected).cwiseAbs().maxCoeff(), 2e-8);  // residual/A
}

TEST(NcpInteriorPoint, AWarmStartIsUsed) {
  const System s = assemble(boxes::wall(4, 4));
  const Result cold = solve(s, "ncp/interior-point");
  ASSERT_EQ(cold.status, Status::converged);
  Options o;
  o.warm_start = 1.001 * cold.impulses;
  const Result warm = solve(s, "ncp/interior-point", o);
  ASSERT_EQ(warm.status, Status::converged);
  EXPECT_LT(warm.iterations, cold.iterations);
}

TEST(NcpInteriorPoint, SaysStalledWhereNoImpulseCanHelp) {
  // Two rows ask the same velocity to be -1 and +1 m/s.
  SparseMatrix A(2, 2);
  for (int i : {0, 1})
    for (int j : {0, 1}) A.insert(i, j) = 1;
  const double inf = std::numeric_limits<double>::infinity();
  const System s = assemble(A, Eigen::Vector2d(1, -1), VectorXd(), VectorXd::Constant(2, -inf),
                            VectorXd::Constant(2, inf));
  const Result r = solve(s, "ncp/interior-point");
  EXPECT_EQ(r.status, Status::stalled) << r.message;
  EXPECT_TRUE(r.impulses.allFinite());
}

}  // namespace ncp_interior_point_test
}  // namespace perpend
