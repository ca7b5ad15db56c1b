#include <gtest/gtest.h>

#include "perpend/solve.hpp"
#include "support/boxes.hpp"
#include "support/shaken.hpp"

namespace perpend {
namespace {

constexpr const char* kSolver = "ncp/auto";

Options tight() {
  Options o;
  o.tolerance = 1e-10;
  return o;
}

TEST(NcpAuto, StacksAtRestAreNewtonsAlone) {
  for (const Frame& f : {boxes::column(10, 1, 1), boxes::column(14, 1, 100),
                         boxes::column(5, 1, 1e5), boxes::pyramid(8), boxes::wall(6, 6)}) {
    const System s = assemble(f);
    const Result r = solve(s, kSolver, tight());
    ASSERT_EQ(r.status, Status::converged) << r.message;
    EXPECT_EQ(r.path, "prox-newton");
    EXPECT_EQ(r.work[static_cast<std::size_t>(Work::sweep)], 0);
    EXPECT_LE(measure(s, r.impulses, Measure::velocity_error), 1e-10);
  }
}

TEST(NcpAuto, SweepsHelpWhereNewtonStallsAndThePathSaysSo) {
  // Bricks thrown about at mu = 1: among many such walls Newton alone stalls on some.
  int helped = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const System s = assemble(boxes::shaken(boxes::wall(4, 4, 1.0), 3, seed));
    const Result both = solve(s, kSolver, tight());
    EXPECT_EQ(both.path.rfind("prox-newton", 0), 0u);
    EXPECT_EQ(both.path == "prox-newton", both.work[static_cast<std::size_t>(Work::sweep)] == 0);
    if (both.status == Status::converged && both.path != "prox-newton") ++helped;
  }
  EXPECT_GE(helped, 1);
}

TEST(NcpAuto, ReturnsTheBestOfWhatItSaw) {
  // Cut off early, in the middle of either method: no iterate that was seen is better.
  const System s = assemble(boxes::shaken(boxes::wall(4, 4, 1.0), 3, 2));
  for (long limit : {5, 40, 150, 300}) {
    Options o = tight();
    o.max_iterations = limit;
    double best = measure(s, Impulses::Zero(s.rows()), Measure::velocity_error);
    o.observer = [&](const Iteration& i) {
      best = std::min(best, measure(s, i.z, Measure::velocity_error));
      return true;
    };
    const Result r = solve(s, kSolver, o);
    // Between two exact looks sweeps are ranked by an estimate that lags by one sweep.
    EXPECT_LE(r.errors[Measure::own_error], 2 * best) << limit;
    if (r.work[static_cast<std::size_t>(Work::sweep)] == 0) {
      EXPECT_LE(r.errors[Measure::own_error], best * (1 + 1e-9)) << limit;
    }
  }
}

TEST(NcpAuto, SameBitsTwiceAlsoWhenItChangesItsMethod) {
  const System s = assemble(boxes::shaken(boxes::wall(4, 4, 1.0), 3, 5));
  Options o = tight();
  o.max_iterations = 600;
  const Result a = solve(s, kSolver, o), b = solve(s, kSolver, o);
  EXPECT_EQ(a.impulses, b.impulses);
  EXPECT_EQ(a.path, b.path);
}

TEST(NcpAuto, WarmStartThatIsNearlyRightTakesAStep) {
  Frame f = boxes::pyramid(6);
  const Result cold = solve(assemble(f), kSolver, tight());
  ASSERT_EQ(cold.status, Status::converged);
  const System moved = assemble(boxes::shaken(f, 1e-8));
  Options o = tight();
  o.warm_start = cold.impulses;
  const Result warm = solve(moved, kSolver, o);
  ASSERT_EQ(warm.status, Status::converged) << warm.message;
  EXPECT_LE(warm.iterations, 4);
  EXPECT_LT(warm.iterations, cold.iterations);
}

TEST(NcpAuto, AWarmStartWorseThanNoneDoesNoHarm) {
  const System s = assemble(boxes::column(6, 1, 1));
  const Result cold = solve(s, kSolver, tight());
  Options o = tight();
  o.warm_start = -1e6 * Impulses::Ones(s.rows());
  const Result warm = solve(s, kSolver, o);
  EXPECT_EQ(warm.status, Status::converged) << warm.message;
  EXPECT_EQ(warm.iterations, cold.iterations);
}

}  // namespace
}  // namespace perpend
