#include <gtest/gtest.h>

#include "perpend/solve.hpp"
#include "support/cone_checks.hpp"
#include "support/sunk.hpp"

namespace perpend {
namespace ncp_anytime_test {

constexpr const char* kSolver = "ncp/anytime";

Options with(double sweeps) {
  Options o = cones::tight();
  o.set = {{"sweeps", std::to_string(sweeps)}};
  o.by_energy = true;
  return o;
}
long made(const Result& r, Work work) { return r.work[static_cast<std::size_t>(work)]; }

TEST(NcpAnytime, NearTheAnswerANewtonStepIsTakenWhateverTheSize) {
  const System s = assemble(boxes::pyramid(20));
  Options o = with(30);
  o.warm_start = solve(s, "ncp/auto", cones::tight()).impulses;
  o.warm_start *= 1 + 1e-5;
  const Result r = solve(s, kSolver, o);
  EXPECT_EQ(r.status, Status::converged) << r.message;
  EXPECT_EQ(r.path, "prox-newton");
  EXPECT_LE(made(r, Work::factorization), 8);
}

TEST(NcpAnytime, ABeginningAtRestIsSolved) {
  const Result r = solve(assemble(boxes::pyramid(12)), kSolver, with(40));
  EXPECT_EQ(r.status, Status::converged) << r.message;
  EXPECT_EQ(r.path, "prox-newton");
}

TEST(NcpAnytime, FromFarTheWorkDecides) {
  const System s = assemble(boxes::shaken(boxes::wall(6, 6), 3, 2));
  const Result swept = solve(s, kSolver, with(10));
  EXPECT_EQ(swept.status, Status::iteration_limit);
  EXPECT_EQ(swept.path, "nncg");
  EXPECT_EQ(made(swept, Work::sweep), 10);
  const Result inside = solve(s, kSolver, with(120));
  EXPECT_EQ(inside.path.rfind("interior-point", 0), 0u) << inside.path;
  EXPECT_EQ(made(inside, Work::sweep), 0);
  EXPECT_LE(inside.sweeps, 2 * 120) << "by the table, whose costs are not those of the fill alone";
  EXPECT_LT(measure(s, inside.impulses, Measure::velocity_error),
            measure(s, swept.impulses, Measure::velocity_error) / 3);
}

TEST(NcpAnytime, SweepsOverManyContactsAreCheapAndLeftForADebtAlone) {
  const System s = assemble(boxes::shaken(boxes::wall(12, 12), 3, 2));
  ASSERT_GE(s.contacts(), 256);
  Options o = with(30);
  EXPECT_EQ(solve(s, kSolver, o).path, "nncg");
  o.set.emplace("debt", "100");
  EXPECT_EQ(solve(s, kSolver, o).path.rfind("interior-point", 0), 0u);
}

TEST(NcpAnytime, WithoutALimitItSolves) {
  const System s = assemble(boxes::shaken(boxes::wall(4, 4), 3, 4));
  EXPECT_EQ(solve(s, kSolver, with(0)).status, Status::converged);
}

// The same problem in other units takes the same way.
TEST(NcpAnytime, NoUnitOfSpeedIsPreferred) {
  System s = assemble(boxes::shaken(boxes::wall(4, 4), 3, 2));
  const Result metres = solve(s, kSolver, with(100));
  s.b *= 1024;
  Options o = with(100);
  o.tolerance *= 1024;
  const Result others = solve(s, kSolver, o);
  EXPECT_EQ(others.path, metres.path);
  EXPECT_EQ(others.iterations, metres.iterations);
  EXPECT_LE((others.impulses - 1024 * metres.impulses).norm(), 1e-9 * others.impulses.norm());
}

}  // namespace ncp_anytime_test
}  // namespace perpend
