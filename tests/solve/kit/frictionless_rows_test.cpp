#include "solve/kit/frictionless_rows.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "support/held.hpp"
#include "support/shaken.hpp"
#include "support/solved.hpp"

namespace perpend {
namespace frictionless_rows_test {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Result run(const System& s, double tolerance = 1e-10) {
  return solve(s, "ncp/auto", checks::within(tolerance));
}
long factorizations(const Result& r) {
  return r.work[static_cast<std::size_t>(Work::factorization)];
}

// A cube of 2 kg, 1 m, on a floor and under a limit row along z, both open by so much.
Frame between(double gap, double to_limit) {
  Frame f = boxes::held(-kInfinity, 0, 0, to_limit);
  boxes::World w(0.01);
  const Index floor = w.fixed(), cube = w.cube(2, 1, {0, 0, 0});
  w.face(floor, cube, {0, 0, -0.5}, 1, 0, gap);
  Joints joints = f.joints;
  f = w.frame();
  f.joints = joints;
  return f;
}

TEST(FrictionlessRows, AreContactsWithoutFrictionLimitsAndJoints) {
  EXPECT_TRUE(all_frictionless(assemble(boxes::column(2, 1, 1, 0))));
  EXPECT_TRUE(all_frictionless(assemble(between(0, 0))));
  EXPECT_FALSE(all_frictionless(assemble(boxes::column(2, 1, 1, 0.1))));
  EXPECT_FALSE(all_frictionless(assemble(boxes::held(-kInfinity, kInfinity)))) << "no contact";
  Frame motor = between(0, 0);
  motor.joints.bounds.row(0) << -1, 1;
  EXPECT_FALSE(all_frictionless(assemble(motor)));
}

TEST(FrictionlessRows, ACubeAtRestIsHeldByOneFactorization) {
  const System s = assemble(between(0, -1));
  for (const System& form : {s, with_blocks(s)}) {
    const Result r = run(form);
    ASSERT_EQ(r.status, Status::converged) << r.message;
    EXPECT_EQ(r.path, "active set");
    EXPECT_EQ(factorizations(r), 1);
    for (Index i = 0; i < 4; ++i) EXPECT_NEAR(r.impulses[3 * i], 2 * 9.81 * 0.01 / 4, 1e-10);
    EXPECT_EQ(r.impulses[12], 0) << "the limit is 1 m away";
  }
}

TEST(FrictionlessRows, AStartThatIsNearlyRightIsChangedByWhatItLacks) {
  // Two corners carry 0.07 N s each, two none: 0.0562 N s are missing, and the four share them.
  const System s = assemble(between(0, -1));
  Options o = checks::within(1e-10);
  o.warm_start = VectorXd::Zero(s.rows());
  o.warm_start[0] = o.warm_start[9] = 0.07;
  const Result r = solve(s, "ncp/auto", o);
  ASSERT_EQ(r.status, Status::converged) << r.message;
  EXPECT_EQ(factorizations(r), 1);
  for (const Index row : {0, 9}) EXPECT_NEAR(r.impulses[row], 0.07 + 0.01405, 1e-9);
  for (const Index row : {3, 6}) EXPECT_NEAR(r.impulses[row], 0.01405, 1e-9);
}

TEST(FrictionlessRows, OverlapIsOpenedUntilALimitStops) {
  // Overlap of 1 mm in a step of 10 ms: up at 0.1 m/s; a limit 0.4 mm above lets 0.04 m/s pass, so
  // both cannot be. With 2 mm of room the limit stays free.
  const Result free = run(assemble(between(-1e-3, -2e-3)));
  ASSERT_EQ(free.status, Status::converged) << free.message;
  double sum = 0;
  for (Index i = 0; i < 4; ++i) sum += free.impulses[3 * i];
  EXPECT_NEAR(sum, 2 * (0.1 + 9.81 * 0.01), 1e-9);
  EXPECT_EQ(free.impulses[12], 0);
  EXPECT_EQ(run(assemble(between(-1e-3, -0.4e-3))).status, Status::infeasible);
}

TEST(FrictionlessRows, MoveBodiesAsProxNewtonDoes) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed)
    for (const Frame& f : {boxes::wall(4, 4, 0), boxes::pyramid(5, 0), boxes::column(6, 1, 100, 0),
                           boxes::wall(8, 8, 0)}) {
      const System s = assemble(boxes::shaken(f, 0.5, seed));
      const Result ours = run(s);
      EXPECT_EQ(ours.path.rfind("active set", 0), 0u) << ours.path;
      checks::expect_same_motion(s, ours,
                                 checks::solved(s, "ncp/prox-newton", checks::within(1e-10)), 1e-8);
    }
}

TEST(FrictionlessRows, OfLargeProblemsTakePartAsTheyAreHeld) {
  const System s = assemble(boxes::shaken(boxes::wall(14, 14, 0), 0.05));
  ASSERT_GT(s.contacts(), 1000);
  const Result r = run(s);
  ASSERT_EQ(r.status, Status::converged) << r.message;
  EXPECT_EQ(r.path, "active set");
  EXPECT_LE(measure(s, r.impulses, Measure::velocity_error), 1e-10);
}

}  // namespace frictionless_rows_test
}  // namespace perpend
