#include <gtest/gtest.h>

#include "support/mlcp_cases.hpp"
#include "support/shaken.hpp"

namespace perpend {
namespace mlcp_fixed_point_test {

constexpr const char* kSolver = "mlcp/fixed-point";

TEST(MlcpFixedPoint, OneFactorizationServesTheWholeSolve) {
  const System s = assemble(boxes::column(3, 1, 1));
  const Result r = solve(s, kSolver);
  ASSERT_EQ(r.status, Status::converged) << r.message;
  EXPECT_EQ(r.work[static_cast<std::size_t>(Work::factorization)], 1);
  EXPECT_LT(velocity_plus(s, r.impulses).cwiseAbs().maxCoeff(), 1e-7);
}

TEST(MlcpFixedPoint, SlidesAlongAFacet) { mlcp_cases::slides_along_a_facet(kSolver); }
TEST(MlcpFixedPoint, AgreesWithLemke) { mlcp_cases::agrees_with_lemke(kSolver); }
TEST(MlcpFixedPoint, JointsHoldAndGiveWay) { mlcp_cases::joints_hold_and_give_way(kSolver); }
TEST(MlcpFixedPoint, RawProblem) { mlcp_cases::raw_problem_with_two_bounds(kSolver); }

TEST(MlcpFixedPoint, TooLargeAFactorDivergesAndSaysSo) {
  // The largest eigenvalue belongs to friction, whose budgets keep it bounded; the normal rows
  // diverge at about four times the factor of 2.
  Options o;
  o.set["factor"] = "20";
  const Result r = solve(assemble(boxes::shaken(boxes::column(3, 1, 1), 0.1)), kSolver, o);
  EXPECT_EQ(r.status, Status::failed) << r.message;
  EXPECT_NE(r.message.find("diverges"), std::string::npos) << r.message;
  EXPECT_TRUE(r.impulses.allFinite());
}

TEST(MlcpFixedPoint, SingularFreeRowsAreSaid) {
  // z_0 free with a zero row that asks for 1 = 0: nothing can be eliminated, nothing is hidden.
  SparseMatrix A(1, 1);
  const double inf = std::numeric_limits<double>::infinity();
  const auto p = raw_problem("mlcp", A, VectorXd::Ones(1), VectorXd::Constant(1, -inf),
                             VectorXd::Constant(1, inf));
  Options o;
  o.max_iterations = 100;
  const Result r = solve(*p, kSolver, o);
  EXPECT_NE(r.status, Status::converged);
  EXPECT_TRUE(r.z.allFinite());
}

}  // namespace mlcp_fixed_point_test
}  // namespace perpend
