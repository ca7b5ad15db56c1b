#include <gtest/gtest.h>

#include "support/mlcp_cases.hpp"

namespace perpend {
namespace mlcp_minres_test {

constexpr const char* kSolver = "mlcp/minres";

TEST(MlcpMinres, KrylovStepsSaveIterationsOnAColumn) {
  const System s = assemble(boxes::column(6, 1, 1));
  const Result r = solve(s, kSolver), plain = solve(s, "mlcp/fixed-point");
  ASSERT_EQ(r.status, Status::converged) << r.message;
  EXPECT_LT(10 * r.iterations, plain.iterations);
  EXPECT_LT(velocity_plus(s, r.impulses).cwiseAbs().maxCoeff(), 3e-7);
}

TEST(MlcpMinres, SlidesAlongAFacet) { mlcp_cases::slides_along_a_facet(kSolver); }
TEST(MlcpMinres, AgreesWithLemke) { mlcp_cases::agrees_with_lemke(kSolver); }
TEST(MlcpMinres, JointsHoldAndGiveWay) { mlcp_cases::joints_hold_and_give_way(kSolver); }
TEST(MlcpMinres, RawProblem) { mlcp_cases::raw_problem_with_two_bounds(kSolver); }

}  // namespace mlcp_minres_test
}  // namespace perpend
