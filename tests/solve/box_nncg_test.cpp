#include <gtest/gtest.h>

#include "measure/box_sweep.hpp"
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

VectorXd pgs(const System& s, const VectorXd& lambda) {
  return with_state(s, [&](auto& state) {
    state.set(lambda);
    box_sweep(s, row_diagonal(s), state, Bounds::newest);
    return VectorXd(state.lambda());
  });
}

// Silcowitz-Hansen et al. 2010, section 4, line by line; what they plot is |grad f^k|^2.
TEST(BoxNncg, TheHistoryAtTheIterateIsTheMeritOfThePaper) {
  const System s = assemble(boxes::wall(4, 4));
  const long sweeps = 60;
  std::vector<double> merit;
  long restarts = 0;
  VectorXd lambda = VectorXd::Zero(s.rows()), next = pgs(s, lambda);
  VectorXd gradient = -(next - lambda), p = -gradient;
  merit.push_back(gradient.squaredNorm());
  for (long k = 1; k < sweeps; ++k) {
    lambda = next;
    next = pgs(s, lambda);
    gradient = -(next - lambda);
    merit.push_back(gradient.squaredNorm());
    const double beta = merit[merit.size() - 1] / merit[merit.size() - 2];
    if (beta > 1) {
      p.setZero();
      ++restarts;
    } else {
      next += beta * p;
      p = beta * p - gradient;
    }
  }
  Options o;
  o.tolerance = 0;
  o.max_iterations = sweeps;
  o.history = true;
  o.history_measures = {Measure::pgs_merit, HistoryMeasure(Measure::pgs_merit, true)};
  const Result r = solve(s, "box/nncg", o);
  ASSERT_EQ(r.history.size(), static_cast<std::size_t>(sweeps) + 1);
  long marks = 0, apart = 0;
  for (std::size_t k = 0; k < merit.size(); ++k) {
    // The same sums in another order: rounding, which 60 extrapolations amplify.
    EXPECT_NEAR(r.history[k].iterate[Measure::pgs_merit], merit[k], 1e-6 * merit[k]) << k;
    apart += r.history[k].errors[Measure::pgs_merit] != r.history[k].iterate[Measure::pgs_merit];
    marks += r.history[k].restart;
  }
  marks += r.history.back().restart;
  EXPECT_GT(apart, sweeps / 2);
  EXPECT_GT(restarts, 2);
  EXPECT_NEAR(static_cast<double>(marks), static_cast<double>(restarts), 1);  // one may be the next
}

// x_0 is the start and x_1 the first sweep; from then on methods that extrapolate go on from
// elsewhere.
TEST(BoxNncg, MethodsThatExtrapolateHaveTwoIterates) {
  for (const char* solver : {"box/nncg", "box/nncg-pr", "box/nncg-armijo", "ncp/nncg", "ncp/apgd",
                             "box/pgs", "ncp/pgs", "box/jacobi"})
    for (const Index size : {4, 12}) {  // 12: more than 256 contacts, which ncp/nncg sweeps wide
      Options o;
      o.tolerance = 0;
      o.max_iterations = 30;
      o.history = true;
      o.history_measures = {Measure::velocity_error, HistoryMeasure(Measure::velocity_error, true)};
      const Result r = solve(assemble(boxes::wall(size, size)), solver, o);
      ASSERT_EQ(r.history.size(), 31U) << solver;
      const auto apart = [&](std::size_t k) {
        return r.history[k].errors[Measure::velocity_error] !=
               r.history[k].iterate[Measure::velocity_error];
      };
      long differ = 0;
      for (std::size_t k = 0; k < r.history.size(); ++k) differ += apart(k);
      EXPECT_FALSE(apart(0)) << solver;
      EXPECT_FALSE(apart(30)) << solver;  // the last one goes nowhere
      const bool extrapolates = std::string_view(solver).find("nncg") != std::string_view::npos ||
                                std::string_view(solver) == "ncp/apgd";
      EXPECT_EQ(differ > 10, extrapolates) << solver << " " << differ;
      EXPECT_EQ(differ == 0, !extrapolates) << solver << " " << differ;
      EXPECT_EQ(apart(1), std::string_view(solver) == "box/nncg-armijo") << solver;
    }
}

TEST(BoxNncg, BodySpaceAndExplicitBlocksAgree) {
  const System s = assemble(boxes::wall(4, 4));
  checks::expect_same_motion(s, solve(s, "box/nncg"), solve(with_blocks(s), "box/nncg"), 1e-6);
}

}  // namespace box_nncg_test
}  // namespace perpend
