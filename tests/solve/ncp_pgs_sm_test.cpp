#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "perpend/solve.hpp"
#include "support/shaken.hpp"
#include "support/sliding.hpp"
#include "support/solved.hpp"

namespace perpend {
namespace ncp_pgs_sm_test {

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
  // It loses mu g h, and every contact is on its cone, against the motion. Residuals of 1e-8 at
  // four contacts: 1e-7 (see the conformance test).
  const double mu = 0.3;
  const System s = assemble(boxes::sliding_block(mu));
  const Result r = solve(s, "ncp/pgs-sm");
  ASSERT_EQ(r.status, Status::converged) << r.message;
  boxes::expect_braked_and_not_lifted(velocity_plus(s, r.impulses), 1e-7, mu);
  for (Index i = 0; i < s.contacts(); ++i)
    EXPECT_NEAR(r.impulses.segment<2>(3 * i + 1).norm(), mu * r.impulses[3 * i], 1e-7);
}

TEST(NcpPgsSm, AgreesWithNewtonOnTheVelocity) {
  // 1e-10 at every row leaves less than 1e-8 for walls of three layers.
  const System s = assemble(boxes::shaken(boxes::wall(3, 3, 0.6), 0.02));
  const Options o = checks::at_most(100000, 1e-10);
  checks::expect_same_motion(s, solve(s, "ncp/pgs-sm", o), solve(s, "ncp/newton", o), 1e-8);
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
