#include <gtest/gtest.h>

#include "support/mlcp_cases.hpp"
#include "support/shaken.hpp"

namespace perpend {
namespace mlcp_jacobi_test {

constexpr const char* kSolver = "mlcp/jacobi";

TEST(MlcpJacobi, SlidesAlongAFacet) { mlcp_cases::slides_along_a_facet(kSolver); }
TEST(MlcpJacobi, AgreesWithLemke) { mlcp_cases::agrees_with_lemke(kSolver); }
TEST(MlcpJacobi, JointsHoldAndGiveWay) { mlcp_cases::joints_hold_and_give_way(kSolver); }
TEST(MlcpJacobi, RawProblem) { mlcp_cases::raw_problem_with_two_bounds(kSolver); }

TEST(MlcpJacobi, BodiesThatShareNothingTakeOneStepEach) {
  // Two point masses on the floor, no friction: the rows of A are orthogonal, Gershgorin's bound is
  // 1, and one Jacobi step is exact.
  boxes::World w;
  const Index floor = w.fixed();
  for (const double mass : {1.0, 7.0}) {
    const Index body = w.cube(mass, 1, {3 * mass, 0, 0});
    w.contact(floor, body, {3 * mass, 0, 0}, Vector3d::UnitZ(), 0);
  }
  Options o;
  o.facets = 4;
  const System s = assemble(w.frame());
  const Result r = solve(s, kSolver, o);
  ASSERT_EQ(r.status, Status::converged) << r.message;
  EXPECT_LT(velocity_plus(s, r.impulses).norm(), 1e-8);
}

TEST(MlcpJacobi, TooLargeARelaxationDivergesAndSaysSo) {
  Options o;
  o.set["relaxation"] = "40";
  const Result r = solve(assemble(boxes::shaken(boxes::column(3, 1, 1), 0.1)), kSolver, o);
  EXPECT_EQ(r.status, Status::failed) << r.message;
  EXPECT_TRUE(r.impulses.allFinite());
}

}  // namespace mlcp_jacobi_test
}  // namespace perpend
