#include <gtest/gtest.h>

#include "perpend/solve.hpp"
#include "support/boxes.hpp"
#include "support/shaken.hpp"

namespace perpend {
namespace ncp_minres_test {

using boxes::kGravity;
constexpr const char* kSolver = "ncp/minres";

TEST(NcpMinres, AColumnTakesFarFewerIterationsThanProjectedSteps) {
  // The Krylov step solves the whole column at once where a projected step carries news from one
  // contact to the next.
  const System s = assemble(boxes::column(10, 1, 1));
  Options o;
  const Result r = solve(s, kSolver, o);
  ASSERT_EQ(r.status, Status::converged) << r.message;
  EXPECT_LE(velocity_plus(s, r.impulses).cwiseAbs().maxCoeff(), 3e-8 * 10);
  const Result sweeps = solve(s, "ncp/fixed-point", o);
  EXPECT_LT(10 * r.iterations, sweeps.iterations);
  EXPECT_GT(r.work[static_cast<std::size_t>(Work::product)], r.iterations);
}

TEST(NcpMinres, WhatSlidesIsNotLifted) {
  // The cone problem without de Saxce's term makes a block that slides at v rise at mu v; with it
  // the block stays down and loses mu g h.
  const double mu = 0.25;
  boxes::World w(0.01);
  const Index floor = w.fixed(), block = w.cube(2, 1, {0, 0, 0.5});
  w.face(floor, block, {0, 0, 0}, 1, mu);
  w.frame().bodies.velocities(block, 0) = 0.6;
  w.frame().bodies.velocities(block, 1) = -0.8;
  const System s = assemble(w.frame());
  const Result r = solve(s, kSolver);
  ASSERT_EQ(r.status, Status::converged) << r.message;
  const VectorXd v = velocity_plus(s, r.impulses);
  const double speed = 1 - mu * kGravity * 0.01;
  EXPECT_NEAR(v[0], 0.6 * speed, 1e-7);
  EXPECT_NEAR(v[1], -0.8 * speed, 1e-7);
  EXPECT_NEAR(v[2], 0, 1e-7);
}

TEST(NcpMinres, AgreesWithSweepsWhereTheMotionIsUnique) {
  for (const Frame& f : {boxes::wall(3, 3, 0.0), boxes::column(1, 1, 1, 0.3)}) {
    const System s = assemble(boxes::shaken(f, 0.1));
    const Result r = solve(s, kSolver), sweeps = solve(s, "ncp/nncg");
    ASSERT_EQ(r.status, Status::converged) << r.message;
    ASSERT_EQ(sweeps.status, Status::converged) << sweeps.message;
    // Two answers with residuals below 1e-8 differ by a small multiple of that.
    EXPECT_LT((velocity_plus(s, r.impulses) - velocity_plus(s, sweeps.impulses)).norm(), 1e-6);
  }
}

}  // namespace ncp_minres_test
}  // namespace perpend
