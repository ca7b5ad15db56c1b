#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "perpend/solve.hpp"
#include "support/boxes.hpp"
#include "support/shaken.hpp"

namespace perpend {
namespace ncp_pgs_sm_test {

using boxes::kGravity;

TEST(NcpPgsSm, OneSubspaceSolvesWhatStands) {
  // A column at rest: every contact sticks, the reduced system is the whole answer.
  const Result r = solve(assemble(boxes::column(5, 1, 1)), "ncp/pgs-sm");
  ASSERT_EQ(r.status, Status::converged) << r.message;
  EXPECT_LE(r.work[static_cast<std::size_t>(Work::factorization)], 8);
  EXPECT_THAT(r.path, testing::StartsWith("pgs, "));
  EXPECT_THAT(r.path, testing::HasSubstr("subspace steps"));
}

TEST(NcpPgsSm, SweepsLessThanGaussSeidelUnderAHeavyTop) {
  // The paper's claim: the far-reaching modes that Gauss-Seidel is slow at are in the subspace.
  const System s = assemble(boxes::column(6, 1, 50));
  Options o;
  o.max_iterations = 20000;
  const Result sm = solve(s, "ncp/pgs-sm", o), pgs = solve(s, "ncp/pgs", o);
  ASSERT_EQ(sm.status, Status::converged) << sm.message;
  EXPECT_LT(10 * sm.work[static_cast<std::size_t>(Work::sweep)],
            pgs.work[static_cast<std::size_t>(Work::sweep)]);
}

TEST(NcpPgsSm, SlidingContactsKeepToTheirRay) {
  // A cube of 2 kg slides at 1 m/s: it loses mu g h, and every contact is on its cone, against the
  // motion.
  boxes::World w(0.01);
  const Index floor = w.fixed(), cube = w.cube(2, 1, {0, 0, 0.5});
  w.face(floor, cube, {0, 0, 0}, 1, 0.3);
  w.frame().bodies.velocities(cube, 0) = 0.6;
  w.frame().bodies.velocities(cube, 1) = -0.8;
  const System s = assemble(w.frame());
  const Result r = solve(s, "ncp/pgs-sm");
  ASSERT_EQ(r.status, Status::converged) << r.message;
  const Rows6 v = velocity_plus(w.frame(), s, r.impulses);
  // Residuals of 1e-8 at four contacts: 1e-7 (see the conformance test).
  EXPECT_NEAR(v(cube, 0), 0.6 * (1 - 0.3 * kGravity * 0.01), 1e-7);
  EXPECT_NEAR(v(cube, 1), -0.8 * (1 - 0.3 * kGravity * 0.01), 1e-7);
  for (Index i = 0; i < s.contacts(); ++i)
    EXPECT_NEAR(r.impulses.segment<2>(3 * i + 1).norm(), 0.3 * r.impulses[3 * i], 1e-7);
}

TEST(NcpPgsSm, AgreesWithNewtonOnTheVelocity) {
  // 1e-10 at every row leaves less than 1e-8 for walls of three layers.
  const System s = assemble(boxes::shaken(boxes::wall(3, 3, 0.6), 0.02));
  Options o;
  o.tolerance = 1e-10;
  o.max_iterations = 100000;
  const Result sm = solve(s, "ncp/pgs-sm", o), newton = solve(s, "ncp/newton", o);
  ASSERT_EQ(sm.status, Status::converged) << sm.message;
  ASSERT_EQ(newton.status, Status::converged) << newton.message;
  EXPECT_LT((velocity_plus(s, sm.impulses) - velocity_plus(s, newton.impulses)).norm(), 1e-8);
}

TEST(NcpPgsSm, LimitsStopItWithAnHonestStatus) {
  Options o;
  o.tolerance = 0;
  o.max_iterations = 37;
  const Result r = solve(assemble(boxes::shaken(boxes::wall(3, 3), 1)), "ncp/pgs-sm", o);
  EXPECT_EQ(r.status, Status::iteration_limit);
  EXPECT_EQ(r.iterations, 37);
}

}  // namespace ncp_pgs_sm_test
}  // namespace perpend
