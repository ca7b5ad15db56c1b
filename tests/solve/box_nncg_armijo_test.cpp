#include <gtest/gtest.h>

#include "perpend/solve.hpp"
#include "support/boxes.hpp"
#include "support/solved.hpp"

namespace perpend {
namespace box_nncg_armijo_test {

Result solved(const System& s, std::string_view solver) {
  return checks::solved(s, solver, checks::at_most(200000));
}

TEST(BoxNncgArmijo, EveryTrialIsAnIterationAndASweep) {
  const Result r = solved(assemble(boxes::column(3, 1, 1)), "box/nncg-armijo");
  EXPECT_EQ(r.iterations, r.work[static_cast<std::size_t>(Work::sweep)]);
}

TEST(BoxNncgArmijo, GainsNothingOverNncg) {
  // Silcowitz-Hansen et al. 2010, Fig. 3: "The NNCG method with line search does not improve
  // convergence rate".
  for (const Frame& f : {boxes::column(6, 1, 1), boxes::column(4, 1, 10), boxes::wall(4, 4)}) {
    const System s = assemble(f);
    EXPECT_GE(solved(s, "box/nncg-armijo").iterations, solved(s, "box/nncg").iterations);
  }
}

TEST(BoxNncgArmijo, EndsAtTheVelocityOfPgsInBothForms) {
  const System s = assemble(boxes::wall(3, 3));
  const VectorXd rest = velocity_plus(s, solved(s, "box/pgs").impulses);
  // At rest v+ = 0 is unique.
  EXPECT_LT((velocity_plus(s, solved(s, "box/nncg-armijo").impulses) - rest).norm(), 1e-6);
  EXPECT_LT((velocity_plus(s, solved(with_blocks(s), "box/nncg-armijo").impulses) - rest).norm(),
            1e-6);
}

TEST(BoxNncgArmijo, StopsAtItsLimitInTheMiddleOfASearch) {
  const System s = assemble(boxes::wall(4, 4));
  for (const long limit : {1L, 2L, 3L, 7L}) {
    Options o;
    o.max_iterations = limit;
    const Result r = solve(s, "box/nncg-armijo", o);
    EXPECT_EQ(r.status, Status::iteration_limit);
    EXPECT_EQ(r.iterations, limit);
  }
}

}  // namespace box_nncg_armijo_test
}  // namespace perpend
