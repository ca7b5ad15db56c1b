#include <gtest/gtest.h>

#include "perpend/solve.hpp"
#include "support/shaken.hpp"
#include "support/sliding.hpp"

namespace perpend {
namespace mncp_fixed_point_test {

constexpr const char* kSolver = "mncp/fixed-point";
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// `copies` bilateral rows that hold a cube of 2 kg along z, and one motor row along x.
Frame held(Index copies, double strength) {
  boxes::World w(0.01);
  const Index world = w.fixed(), cube = w.cube(2, 1, {0, 0, 0});
  Frame f = w.frame();
  f.joints = make_frame(0, 0, {copies + 1}).joints;
  f.joints.pairs.row(0) << world, cube;
  f.joints.jacobian.setZero();
  f.joints.rate = VectorXd::Zero(copies + 1);
  for (Index k = 0; k < copies; ++k) {
    f.joints.jacobian(k, 2) = -1;
    f.joints.jacobian(k, 8) = 1;
    f.joints.bounds.row(k) << -kInfinity, kInfinity;
  }
  f.joints.jacobian(copies, 0) = -1;
  f.joints.jacobian(copies, 6) = 1;
  f.joints.bounds.row(copies) << -strength, strength;
  f.joints.rate[copies] = -0.3;
  return f;
}

TEST(MncpFixedPoint, BilateralJointsTakeNoIterationsHoweverRedundant) {
  // Three copies of one row: the factorization holds them at once; a motor of 10 N s moves 2 kg to
  // 0.3 m/s, one of 0.1 N s by 0.05 m/s. A single inequality row with factor 1: r y is the answer,
  // up to the margin of 1.05 on its eigenvalue, so errors shrink by 20 in each iteration.
  for (const Index copies : {1, 3}) {
    for (const auto& [strength, speed] : {std::pair{10.0, 0.3}, std::pair{0.1, 0.05}}) {
      const System s = assemble(held(copies, strength));
      const Result r = solve(s, kSolver);
      ASSERT_EQ(r.status, Status::converged) << r.message;
      EXPECT_LE(r.iterations, 8);
      const VectorXd v = velocity_plus(s, r.impulses);
      EXPECT_NEAR(v[0], speed, 1e-7);
      EXPECT_NEAR(v[2], 0, 1e-7);
      EXPECT_EQ(r.work[static_cast<std::size_t>(Work::factorization)], 1);
    }
  }
}

TEST(MncpFixedPoint, SlidingBlockLosesMuGHOfItsSpeed) {
  const System s = assemble(boxes::sliding_block());
  const Result r = solve(s, kSolver);
  ASSERT_EQ(r.status, Status::converged) << r.message;
  const VectorXd v = velocity_plus(s, r.impulses);
  boxes::expect_braked_and_not_lifted(v, 1e-7);
  // The velocities among its unknowns are those of its impulses.
  EXPECT_LT((r.z.head(6) - v).norm(), 1e-12);
}

TEST(MncpFixedPoint, TooLargeAFactorDivergesAndSaysSo) {
  // Thrown about, so that the stiffest motions, which rock the cubes, take part.
  const System s = assemble(boxes::shaken(boxes::column(3, 1, 1), 0.1));
  Options o;
  EXPECT_EQ(solve(s, kSolver, o).status, Status::converged);
  o.set.emplace("factor", "4");
  const Result r = solve(s, kSolver, o);
  EXPECT_EQ(r.status, Status::failed) << r.message;
  EXPECT_NE(r.message.find("diverges"), std::string::npos) << r.message;
  EXPECT_TRUE(r.impulses.allFinite());
}

}  // namespace mncp_fixed_point_test
}  // namespace perpend
