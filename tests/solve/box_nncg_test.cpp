#include <gtest/gtest.h>

#include "perpend/solve.hpp"
#include "support/box_checks.hpp"
#include "support/boxes.hpp"

namespace perpend {
namespace box_nncg_test {

// Sweeps until pgs_merit falls below 1e-20.
long sweeps(const System& s, std::string_view solver) {
  Options o;
  o.error = Measure::pgs_merit;
  o.tolerance = 1e-20;
  o.max_iterations = 100000;
  const Result r = solve(s, solver, o);
  EXPECT_EQ(r.status, Status::converged) << solver << ": " << r.message;
  return r.iterations;
}

TEST(BoxNncg, NeedsFewerSweepsThanPgsOnAColumn) {
  // Silcowitz-Hansen et al. 2010, Fig. 6(f): the small stack is where NNCG is far ahead.
  const System s = assemble(boxes::column(6, 1, 1));
  EXPECT_LT(3 * sweeps(s, "box/nncg"), sweeps(s, "box/pgs"));
}

TEST(BoxNncg, NeedsFewerSweepsThanPgsUnderAHeavyTop) {
  const System s = assemble(boxes::column(4, 1, 10));
  EXPECT_LT(3 * sweeps(s, "box/nncg"), sweeps(s, "box/pgs"));
}

TEST(BoxNncg, TheReturnedIterateRespectsItsBounds) {
  // Extrapolated iterates leave the bounds; the one that is judged and returned must not.
  const System s = assemble(boxes::wall(4, 4));
  Options o;
  o.max_iterations = 7;
  const Result r = solve(s, "box/nncg", o);
  box_checks::expect_within_bounds(s, r.impulses);
}

TEST(BoxNncg, RestartsWhereTheMeritGrowsAndMarksThem) {
  Options o;
  o.history = true;
  const Result r = solve(assemble(boxes::wall(4, 4)), "box/nncg", o);
  ASSERT_EQ(r.status, Status::converged);
  long restarts = 0;
  for (const HistoryPoint& p : r.history) restarts += p.restart;
  EXPECT_GT(restarts, 0);
}

TEST(BoxNncg, BodySpaceAndExplicitBlocksAgree) {
  const System s = assemble(boxes::wall(4, 4));
  checks::expect_same_motion(s, solve(s, "box/nncg"), solve(with_blocks(s), "box/nncg"), 1e-6);
}

}  // namespace box_nncg_test
}  // namespace perpend
