#include <gtest/gtest.h>

#include "perpend/solve.hpp"
#include "support/boxes.hpp"
#include "support/held.hpp"
#include "support/shaken.hpp"

namespace perpend {
namespace ncp_admm_test {

using boxes::held;
using boxes::kGravity;
constexpr const char* kSolver = "ncp/admm";
constexpr double kInfinity = std::numeric_limits<double>::infinity();

Options tight() {
  Options o;
  o.tolerance = 1e-10;
  return o;
}

long factorizations(const Result& r) {
  return r.work[static_cast<std::size_t>(Work::factorization)];
}

TEST(NcpAdmm, SlidingBlockLosesMuGHOfItsSpeedAndIsNotLifted) {
  const double mu = 0.25;
  boxes::World w(0.01);
  const Index floor = w.fixed(), block = w.cube(2, 1, {0, 0, 0.5});
  w.face(floor, block, {0, 0, 0}, 1, mu);
  w.frame().bodies.velocities(block, 0) = 0.6;
  w.frame().bodies.velocities(block, 1) = -0.8;
  const System s = assemble(w.frame());
  const Result r = solve(s, kSolver, tight());
  ASSERT_EQ(r.status, Status::converged) << r.message;
  const VectorXd v = velocity_plus(s, r.impulses);
  const double speed = 1 - mu * kGravity * 0.01;
  EXPECT_NEAR(v[0], 0.6 * speed, 1e-9);
  EXPECT_NEAR(v[1], -0.8 * speed, 1e-9);
  EXPECT_NEAR(v[2], 0, 1e-9);
}

TEST(NcpAdmm, JointRowsHoldPushAndGiveWay) {
  const auto fall = [](const Frame& f) {
    const System s = assemble(f);
    const Result r = solve(s, kSolver, tight());
    EXPECT_EQ(r.status, Status::converged) << r.message;
    return velocity_plus(s, r.impulses)[2];
  };
  const double gh = kGravity * 0.01, weight = 2 * gh;
  EXPECT_NEAR(fall(held(-kInfinity, kInfinity)), 0, 1e-10);
  EXPECT_NEAR(fall(held(0, kInfinity, 0, 0.0002)), -0.02, 1e-10);
  EXPECT_NEAR(fall(held(0, kInfinity, 0, 0.01)), -gh, 1e-12);
  EXPECT_NEAR(fall(held(-10, 10, -0.3)), 0.3, 1e-10);
  EXPECT_NEAR(fall(held(-weight / 2, weight / 2, -0.3)), -gh / 2, 1e-10);
}

TEST(NcpAdmm, ComplianceIsPartOfTheMatrix) {
  // y = A x + b + C x with A = 1/2: x = gh/(1/2 + C), v+ = -C x.
  Frame f = held(-kInfinity, kInfinity);
  f.joints.cfm = VectorXd::Constant(1, 0.7);
  f.joints.bias = VectorXd::Zero(1);
  const System s = assemble(f, Model::engine);
  const Result r = solve(s, kSolver, tight());
  ASSERT_EQ(r.status, Status::converged) << r.message;
  EXPECT_NEAR(velocity_plus(s, r.impulses)[2], -0.7 * kGravity * 0.01 / 1.2, 1e-9);
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
  // v+ is unique there; two answers with residuals below e differ by a small multiple of e.
  const System s = assemble(boxes::shaken(boxes::wall(3, 3, 0.0), 0.1));
  const Result a = solve(s, kSolver, tight()), b = solve(s, "ncp/nncg", tight());
  ASSERT_EQ(a.status, Status::converged) << a.message;
  ASSERT_EQ(b.status, Status::converged) << b.message;
  EXPECT_LT((velocity_plus(s, a.impulses) - velocity_plus(s, b.impulses)).norm(), 1e-8);
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
  const System s = assemble(boxes::column(3, 1, 10));
  Frame heavy_frame = boxes::column(3, 1, 10);
  heavy_frame.bodies.masses *= 4096;  // 2^12: square roots keep their mantissa
  heavy_frame.bodies.inertia *= 4096;
  heavy_frame.bodies.forces *= 4096;
  const System heavy = assemble(heavy_frame);
  const Result a = solve(s, kSolver), b = solve(heavy, kSolver);
  EXPECT_EQ(a.iterations, b.iterations);
  EXPECT_LT((4096 * a.impulses - b.impulses).norm(), 1e-9 * b.impulses.norm());
}

}  // namespace ncp_admm_test
}  // namespace perpend
