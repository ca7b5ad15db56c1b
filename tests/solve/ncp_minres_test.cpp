#include <gtest/gtest.h>

#include "perpend/solve.hpp"
#include "support/cone_checks.hpp"

namespace perpend {
namespace ncp_minres_test {

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
  cones::expect_brakes_a_sliding_block(kSolver, {}, 1e-7);
}

TEST(NcpMinres, AgreesWithSweepsWhereTheMotionIsUnique) {
  for (const Frame& f : {boxes::wall(3, 3, 0.0), boxes::column(1, 1, 1, 0.3)}) {
    const System s = assemble(boxes::shaken(f, 0.1));
    // Two answers with residuals below 1e-8 differ by a small multiple of that.
    checks::expect_same_motion(s, solve(s, kSolver), solve(s, "ncp/nncg"), 1e-6);
  }
}

}  // namespace ncp_minres_test
}  // namespace perpend
