#include "solve/kit/bilateral_rows.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <limits>

#include "perpend/solve/held_rows.hpp"
#include "support/held.hpp"
#include "support/solved.hpp"

namespace perpend {
namespace bilateral_rows_test {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kFall = 2 * 9.81 * 0.01;  // N s: the weight of held.hpp's cube over its step

// The cube on two rows that say the same.
Frame held_twice() { return boxes::contradicting(0); }

// Cubes of 1, 2, ... kg, each on a ball joint at the corner of the one before; the first in the
// world.
Frame chain(int links) {
  boxes::World w(0.01);
  const Index world = w.fixed();
  for (int i = 0; i < links; ++i) w.cube(1.0 + i, 1, {1.0 * i, 1.0 * i, 1.0 * i});
  Frame f = w.frame();
  f.joints = make_frame(0, 0, Integers(static_cast<std::size_t>(links), 3)).joints;
  f.joints.jacobian.setZero();
  const Vector3d corner(0.5, 0.5, 0.5);
  for (int i = 0; i < links; ++i) {
    f.joints.pairs.row(i) << world + i, world + i + 1;
    for (Index axis = 0; axis < 3; ++axis) {
      auto row = f.joints.jacobian.row(3 * i + axis);
      row[axis] = -1;
      row[6 + axis] = 1;
      const Vector3d turn = corner.cross(Vector3d::Unit(axis));
      row.segment<3>(3) = -turn.transpose();
      row.segment<3>(9) = -turn.transpose();  // the joint is at the other corner
    }
  }
  return f;
}

Result run(const System& s, const Impulses& start = {}, double tolerance = 1e-10) {
  Options o = checks::within(tolerance);
  o.warm_start = start;
  return solve(s, "ncp/auto", o);
}
long factorizations(const Result& r) {
  return r.work[static_cast<std::size_t>(Work::factorization)];
}

TEST(BilateralRows, AreNoContactsAndNoBounds) {
  EXPECT_TRUE(all_bilateral(assemble(held_twice())));
  EXPECT_FALSE(all_bilateral(assemble(boxes::held(0, kInfinity))));
  EXPECT_FALSE(all_bilateral(assemble(boxes::held(-1, 1))));
  EXPECT_FALSE(all_bilateral(assemble(boxes::column(1, 1, 1))));
}

TEST(BilateralRows, OneFactorizationAnswersAChainAsADenseSolveDoes) {
  for (const int links : {1, 4, 40}) {
    const System s = assemble(chain(links));
    for (const System& form : {s, with_blocks(s)}) {
      const Result r = run(form);
      ASSERT_EQ(r.status, Status::converged) << r.message;
      EXPECT_EQ(r.path, "linear");
      EXPECT_EQ(factorizations(r), 1);
      EXPECT_LE(r.iterations, 4);
      const VectorXd dense = to_sparse(s).toDense().ldlt().solve(-s.b);
      EXPECT_LT((r.impulses - dense).norm(), 1e-7 * dense.norm());
    }
  }
}

TEST(BilateralRows, RedundantRowsShareWhatIsMissingEqually) {
  const System s = assemble(held_twice());
  const Result cold = run(s);
  ASSERT_EQ(cold.status, Status::converged) << cold.message;
  EXPECT_EQ(cold.path, "linear");
  EXPECT_NEAR(cold.impulses[0], kFall / 2, 1e-10);
  EXPECT_NEAR(cold.impulses[1], kFall / 2, 1e-10);
  // From (1, -0.5) N s the sum lacks kFall - 0.5: each gets half of it, and no more changes.
  const Result warm = run(s, Eigen::Vector2d(1, -0.5));
  ASSERT_EQ(warm.status, Status::converged) << warm.message;
  EXPECT_NEAR(warm.impulses[0], 1 + (kFall - 0.5) / 2, 1e-10);
  EXPECT_NEAR(warm.impulses[1], -0.5 + (kFall - 0.5) / 2, 1e-10);
}

TEST(BilateralRows, AComplianceGivesWay) {
  // (1/m + C) lambda = h g
  Frame f = boxes::held(-kInfinity, kInfinity);
  f.joints.cfm = VectorXd::Constant(1, 0.7);
  f.joints.bias = VectorXd::Zero(1);
  const Result r = run(assemble(f, Model::engine));
  ASSERT_EQ(r.status, Status::converged) << r.message;
  EXPECT_EQ(r.path, "linear");
  EXPECT_NEAR(r.impulses[0], 9.81 * 0.01 / (0.5 + 0.7), 1e-12);
}

TEST(BilateralRows, ThatContradictEachOtherAreGivenUpSoon) {
  const System s = assemble(boxes::contradicting(1));
  BodyNewtonSpace space;
  ASSERT_TRUE(space.prepare(s));
  BilateralRows rows;
  const Options o = checks::within(1e-10);
  Progress progress(o, *solver_named("ncp/auto"), VectorXd::Zero(2), checks::velocity_judge(s));
  EXPECT_FALSE(rows.run(s, space, progress));
  const Result given_up = progress.take_result();
  EXPECT_LE(given_up.iterations, 4);
  // Between 0 and 1 m/s: half of it is the least that is left.
  EXPECT_NEAR(given_up.errors[Measure::own_error], 0.5, 1e-6);
  EXPECT_EQ(run(s).status, Status::infeasible);
}

TEST(BilateralRows, ToleranceBelowRoundingEndsAtRounding) {
  const Result r = run(assemble(chain(40)), {}, 0);
  EXPECT_EQ(r.status, Status::stalled);
  EXPECT_EQ(r.path, "linear");
  EXPECT_LT(r.errors[Measure::own_error], 1e-12);
  EXPECT_NE(r.message.find("rounding"), r.message.npos) << r.message;
}

TEST(BilateralRows, AStepOfAllHeldTakesVelocitiesAway) {
  const System s = assemble(chain(4));
  HeldRows joints;
  ASSERT_TRUE(joints.hold_all(s));
  VectorXd change;
  for (const VectorXd& y : {s.b, VectorXd(VectorXd::LinSpaced(s.rows(), -1, 2))}) {
    joints.step(y, change);
    EXPECT_LT((apply(s, change) + y).norm(), 1e-5 * y.norm());
  }
  EXPECT_FALSE(joints.hold_all(assemble(boxes::column(1, 1, 1))));
  EXPECT_FALSE(joints.hold_all(with_blocks(s)));
}

}  // namespace bilateral_rows_test
}  // namespace perpend
