#include "solve/kit/part_solve.hpp"

#include <gtest/gtest.h>

#include "support/cone_checks.hpp"
#include "support/measured_progress.hpp"

namespace perpend {
namespace part_solve_test {

// Two cubes on the floor, four contacts each.
System two_cubes() {
  boxes::World w;
  const Index floor = w.fixed();
  for (double x : {0.0, 3.0}) w.face(floor, w.cube(1, 1, {x, 0, 0.5}), {x, 0, 0}, 1, 0.5);
  return assemble(w.frame());
}

TEST(PartSolves, AnIterationOfHalfTheProblemIsHalfAnIteration) {
  const System s = two_cubes();
  checks::MeasuredProgress measured(s, 1e-9);
  PartSolves solve_part(s, measured.progress);
  const Parts parts = parts_of(s);
  ASSERT_EQ(parts.count(), 2u);
  Impulses lambda = Impulses::Zero(s.rows());
  const Result r = solve_part(parts[1], lambda, [&](const ConeProblem& p, Progress& inner) {
    EXPECT_EQ(p.size(), 12);
    for (int k = 0; k < 7; ++k) {
      inner.count(Work::sweep);
      inner.next(0.01 * (k + 1) * VectorXd::Ones(12));
    }
    inner.finish(Status::stalled, "enough");
  });
  EXPECT_EQ(r.status, Status::stalled);
  EXPECT_EQ(r.iterations, 7);
  // The other part was not touched.
  EXPECT_EQ(lambda.head(12), VectorXd::Zero(12));
  const Result whole = measured.progress.take_result();
  EXPECT_EQ(whole.iterations, 3);
  EXPECT_EQ(whole.work[static_cast<std::size_t>(Work::sweep)], 3);
}

TEST(PartSolves, TheLimitOfTheWholeEndsThePart) {
  const System s = two_cubes();
  checks::MeasuredProgress measured(s, 1e-9, 2);
  PartSolves solve_part(s, measured.progress);
  Impulses lambda = Impulses::Zero(s.rows());
  const Result r = solve_part(parts_of(s)[0], lambda, [](const ConeProblem&, Progress& inner) {
    while (inner.next(VectorXd::Ones(12))) {
    }
  });
  EXPECT_EQ(r.status, Status::stopped);
  EXPECT_EQ(r.iterations, 4);
  EXPECT_TRUE(measured.progress.finished());
}

TEST(PartSolves, APartThatIsSolvedAlreadyIsLeftAlone) {
  const System s = two_cubes();
  const Result solved = solve(s, "ncp/auto", cones::tight());
  ASSERT_EQ(solved.status, Status::converged);
  checks::MeasuredProgress measured(s, 1e-9);
  PartSolves solve_part(s, measured.progress);
  Impulses lambda = solved.impulses;
  const Result r = solve_part(parts_of(s)[0], lambda, [](const ConeProblem&, Progress&) {
    FAIL() << "nothing is to be done";
  });
  EXPECT_EQ(r.status, Status::converged);
  EXPECT_EQ(lambda, solved.impulses);
}

}  // namespace part_solve_test
}  // namespace perpend
