#include <gtest/gtest.h>

#include "perpend/solve.hpp"
#include "support/boxes.hpp"
#include "support/held.hpp"
#include "support/shaken.hpp"

namespace perpend {
namespace ncp_apgd_test {

using boxes::held;
using boxes::kGravity;
constexpr const char* kSolver = "ncp/apgd";
constexpr double kInfinity = std::numeric_limits<double>::infinity();

Options tight() {
  Options o;
  o.tolerance = 1e-10;
  return o;
}

TEST(NcpApgd, SlidingBlockLosesMuGHOfItsSpeedAndIsNotLifted) {
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
  // Without the de Saxce term the convex problem would lift it at mu |v_T| = 0.24 m/s.
  EXPECT_NEAR(v[2], 0, 1e-9);
}

TEST(NcpApgd, WithAStaleDeSaxceTermItSolvesAnotherProblem) {
  // The belt drags the block at 1 m/s, which friction makes 1 - mu g h; the term of the start,
  // mu (1 m/s), held for all iterations, presses the block mu^2 g h into the belt.
  const double mu = 0.5;
  boxes::World w(0.01);
  const Index belt = w.fixed({0, 0, 0}, {1, 0, 0}), block = w.cube(1, 1, {0, 0, 0.5});
  w.face(belt, block, {0, 0, 0}, 1, mu);
  const System s = assemble(w.frame());
  Options o = tight();
  o.max_iterations = 900;
  EXPECT_EQ(solve(s, kSolver, o).status, Status::converged);
  o.set["period"] = "1000";
  const Result stale = solve(s, kSolver, o);
  EXPECT_EQ(stale.status, Status::iteration_limit);
  EXPECT_GT(stale.errors[Measure::velocity_error], 0.1 * mu * mu * kGravity * 0.01);
}

TEST(NcpApgd, JointRowsHoldPushAndGiveWay) {
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

TEST(NcpApgd, AgreesWithSweepsOnAWallThatIsThrownAboutWithoutFriction) {
  // v+ is unique there; two answers with residuals below e differ by a small multiple of e.
  const System s = assemble(boxes::shaken(boxes::wall(3, 3, 0.0), 0.1));
  const Result a = solve(s, kSolver, tight()), b = solve(s, "ncp/nncg", tight());
  ASSERT_EQ(a.status, Status::converged) << a.message;
  ASSERT_EQ(b.status, Status::converged) << b.message;
  EXPECT_LT((velocity_plus(s, a.impulses) - velocity_plus(s, b.impulses)).norm(), 1e-8);
}

TEST(NcpApgd, NeedsFewerProductsThanSweepsOfGaussSeidelUnderAHeavyTop) {
  // Error after k steps falls with k sqrt(condition) instead of k condition (Nesterov 1983).
  const System s = assemble(boxes::column(4, 1, 100));
  Options o;
  o.max_iterations = 100000;
  const Result a = solve(s, kSolver, o), b = solve(s, "ncp/pgs", o);
  ASSERT_EQ(a.status, Status::converged) << a.message;
  EXPECT_LT(a.work[static_cast<std::size_t>(Work::product)],
            b.work[static_cast<std::size_t>(Work::sweep)]);
}

TEST(NcpApgd, AnswerDoesNotDependOnTheUnitOfMass) {
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

TEST(NcpApgd, EndsAtTheLimitWithTheBestIterateWhereItIsTooSlow) {
  const System s = assemble(boxes::column(5, 1, 1e5));
  Options o;
  o.max_iterations = 50;
  const Result r = solve(s, kSolver, o);
  EXPECT_EQ(r.status, Status::iteration_limit);
  EXPECT_EQ(r.iterations, 50);
  EXPECT_LE(r.errors[Measure::velocity_error],
            measure(s, Impulses::Zero(s.rows()), Measure::velocity_error));
}

}  // namespace ncp_apgd_test
}  // namespace perpend
