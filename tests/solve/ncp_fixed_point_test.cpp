#include <gtest/gtest.h>

#include "perpend/solve.hpp"
#include "support/boxes.hpp"

namespace perpend {
namespace ncp_fixed_point_test {

using boxes::kGravity;
constexpr const char* kSolver = "ncp/fixed-point";

Options with(std::map<std::string, std::string> set) {
  Options o;
  o.set = std::move(set);
  return o;
}

// One row per contact: a point mass of m on a plane, A = 1/m times the unit matrix.
System point(double mass, double speed, double mu) {
  boxes::World w;
  const Index floor = w.fixed(), body = w.cube(mass, 1, {0, 0, 0});
  w.contact(floor, body, {0, 0, 0}, Vector3d::UnitZ(), mu);
  w.frame().bodies.velocities(body, 0) = speed;
  return assemble(w.frame());
}

TEST(NcpFixedPoint, WithTheRightRAPointMassTakesOneIteration) {
  // lambda - r y with r = m is the exact impulse, in the normal and in the plane.
  const System s = point(3, 0.05, 0.5);
  for (const char* strategy : {"local", "global"}) {
    const Result r = solve(s, kSolver, with({{"strategy", strategy}, {"start", "zero"}}));
    ASSERT_EQ(r.status, Status::converged) << r.message;
    EXPECT_EQ(r.iterations, 1) << strategy;
    // 0.05 m/s is more than mu g h = 0.049: it slides on at the difference.
    EXPECT_NEAR(velocity_plus(s, r.impulses)[0], 0.05 - 0.5 * kGravity * 0.01, 1e-14);
  }
}

TEST(NcpFixedPoint, ErrorsOfAPointMassShrinkByOneMinusTheFactor) {
  // y+ = (1 - factor) y: iterations to 1e-8 from g h = 0.0981 m/s are ln(1e-8/0.0981)/ln|1 - f|,
  // rounded up; at 2 the sign alternates for ever, above it grows (Lu et al. 2013, section 4.2: for
  // large r the problem is prone to diverge).
  const System s = point(3, 0, 0.5);
  for (const double factor : {0.3, 0.5, 0.9, 1.2, 1.6}) {
    const Result r =
        solve(s, kSolver,
              with({{"factor", std::to_string(factor)}, {"start", "zero"}, {"order", "jacobi"}}));
    ASSERT_EQ(r.status, Status::converged) << r.message;
    const double needed = std::log(1e-8 / 0.0981) / std::log(std::abs(1 - factor));
    EXPECT_EQ(r.iterations, static_cast<long>(std::ceil(needed))) << factor;
  }
}

TEST(NcpFixedPoint, TooLargeAnRDivergesAndSaysSo) {
  // Four times the local r in Jacobi's order: each contact alone overshoots by three of its errors,
  // and its neighbours do the same.
  const System s = assemble(boxes::column(3, 1, 1));
  const Result bad =
      solve(s, kSolver, with({{"order", "jacobi"}, {"factor", "4"}, {"start", "zero"}}));
  EXPECT_EQ(bad.status, Status::failed);
  EXPECT_NE(bad.message.find("diverges"), std::string::npos) << bad.message;
  EXPECT_TRUE(bad.impulses.allFinite());
  const Result good = solve(s, kSolver, with({{"order", "jacobi"}, {"strategy", "spectral"}}));
  EXPECT_EQ(good.status, Status::converged) << good.message;
}

TEST(NcpFixedPoint, EveryStrategyAndOrderEndsAtTheSameRest) {
  // A column at rest: v+ = 0. Residuals below 1e-8 leave three layers below 1e-7.
  const System s = assemble(boxes::column(3, 1, 1));
  for (const char* strategy : {"local", "global", "spectral"})
    for (const char* order : {"gauss-seidel", "jacobi"})
      for (const char* start : {"zero", "qp"}) {
        if (std::string(order) == "jacobi" && std::string(strategy) != "spectral") continue;
        const Result r =
            solve(s, kSolver, with({{"strategy", strategy}, {"order", order}, {"start", start}}));
        ASSERT_EQ(r.status, Status::converged) << strategy << ' ' << order << ": " << r.message;
        EXPECT_LT(velocity_plus(s, r.impulses).cwiseAbs().maxCoeff(), 1e-7);
      }
}

TEST(NcpFixedPoint, TheFrictionlessStartSavesIterationsAndIsCountedAsWork) {
  // At rest the frictionless answer is the answer: what is left is one iteration to see it, and the
  // sweeps of the start are in the work.
  const System s = assemble(boxes::column(4, 1, 1));
  const Result zero = solve(s, kSolver, with({{"start", "zero"}}));
  const Result qp = solve(s, kSolver, with({{"start", "qp"}}));
  ASSERT_EQ(zero.status, Status::converged) << zero.message;
  ASSERT_EQ(qp.status, Status::converged) << qp.message;
  EXPECT_LT(qp.iterations, zero.iterations / 2);
  const auto sweeps = static_cast<std::size_t>(Work::sweep);
  EXPECT_EQ(zero.work[sweeps], zero.iterations);
  EXPECT_GT(qp.work[sweeps], qp.iterations);
}

}  // namespace ncp_fixed_point_test
}  // namespace perpend
