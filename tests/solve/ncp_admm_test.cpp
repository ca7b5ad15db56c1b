#include <gtest/gtest.h>

#include "perpend/solve.hpp"
#include "support/cone_checks.hpp"

namespace perpend {
namespace ncp_admm_test {

using cones::tight;
constexpr const char* kSolver = "ncp/admm";

long factorizations(const Result& r) {
  return r.work[static_cast<std::size_t>(Work::factorization)];
}

TEST(NcpAdmm, SlidingBlockLosesMuGHOfItsSpeedAndIsNotLifted) {
  cones::expect_brakes_a_sliding_block(kSolver, tight(), 1e-9);
}

TEST(NcpAdmm, JointRowsHoldPushAndGiveWay) {
  cones::expect_joint_rows_hold_push_and_give_way(kSolver);
}

TEST(NcpAdmm, ComplianceIsPartOfTheMatrix) {
  cones::expect_joint_gives_by_its_compliance(kSolver, 1e-9);
}

TEST(NcpAdmm, FactorizesOncePerPenaltyNotPerIteration) {
  // Changes of the penalty are 20, 30, 45 ... iterations apart.
  const System s = assemble(boxes::wall(5, 5));
  const Result r = solve(s, kSolver, tight());
  ASSERT_EQ(r.status, Status::converged) << r.message;
  EXPECT_GT(r.iterations, 20);
  EXPECT_GE(factorizations(r), 1);
  EXPECT_LE(factorizations(r), 12);
  EXPECT_LT(10 * factorizations(r), r.iterations + 10);
}

TEST(NcpAdmm, BodySpaceAndExplicitBlocksTakeTheSamePath) {
  // The same matrix by Woodbury's identity and by its own factor: iterates differ by rounding,
  // which thirty iterations do not amplify beyond 1e-9 of the impulses.
  const System s = assemble(boxes::column(3, 1, 10));
  Options o;
  o.tolerance = 0;
  o.max_iterations = 30;
  const Result a = solve(s, kSolver, o), b = solve(with_blocks(s), kSolver, o);
  EXPECT_LT((a.impulses - b.impulses).norm(), 1e-9 * a.impulses.norm());
}

TEST(NcpAdmm, AgreesWithSweepsOnAWallThatIsThrownAboutWithoutFriction) {
  cones::expect_agrees_with_sweeps_without_friction(kSolver);
}

TEST(NcpAdmm, AccelerationSavesIterationsUnderAHeavyTop) {
  const System s = assemble(boxes::column(6, 1, 100));
  Options plain;
  plain.set["memory"] = "0";
  plain.max_iterations = 100000;
  const Result a = solve(s, kSolver), b = solve(s, kSolver, plain);
  ASSERT_EQ(a.status, Status::converged) << a.message;
  ASSERT_EQ(b.status, Status::converged) << b.message;
  EXPECT_LT(2 * a.iterations, b.iterations);
}

TEST(NcpAdmm, AWarmStartFromTheAnswerNeedsNothingMore) {
  const System s = assemble(boxes::wall(4, 4));
  Options o = tight();
  o.warm_start = solve(s, kSolver, o).impulses;
  o.tolerance = 1e-8;
  EXPECT_LE(solve(s, kSolver, o).iterations, 2);
}

TEST(NcpAdmm, AnswerDoesNotDependOnTheUnitOfMass) {
  cones::expect_same_answer_in_another_unit_of_mass(kSolver,
                                                    4096);  // square roots keep their mantissa
}

}  // namespace ncp_admm_test
}  // namespace perpend
