#include "solve/kit/interior_point.hpp"

#include <gtest/gtest.h>

#include "perpend/solve.hpp"
#include "support/boxes.hpp"
#include "support/shaken.hpp"

namespace perpend {
namespace interior_point_test {

struct Outcome {
  InteriorEnd end;
  double error;
  long steps;
};

Outcome run(const Frame& frame, const InteriorLimits& limits, double tolerance = 1e-12) {
  const System s = assemble(frame);
  const ConeProblem problem(s);
  BodyNewtonSpace space;
  EXPECT_TRUE(space.prepare(s));
  InteriorPoint<BodyNewtonSpace> method;
  Options o;
  o.tolerance = tolerance;
  Progress::Judge judge;
  judge.error = [&](const VectorXd& x) { return problem.own_error(x); };
  Progress progress(o, *solver_named("ncp/interior-point"), VectorXd::Zero(s.rows()), judge);
  const InteriorEnd end = method.run(problem, s, space, VectorXd::Zero(s.rows()), limits, progress);
  EXPECT_EQ(method.best_error(), problem.own_error(method.best()));
  progress.finish(Status::stalled, "");
  return {end, method.best_error(), progress.take_result().iterations};
}

TEST(InteriorPoint, EndsWhereTheErrorIsEnough) {
  const Frame f = boxes::shaken(boxes::wall(4, 4), 0.5);
  InteriorLimits limits;
  limits.enough = 1e-3;
  const Outcome r = run(f, limits);
  EXPECT_EQ(r.end, InteriorEnd::enough);
  EXPECT_LE(r.error, 1e-3);
  EXPECT_LE(r.steps, 20);
}

TEST(InteriorPoint, KeepsToItsLimitAndHasABestPointThen) {
  const Frame f = boxes::shaken(boxes::wall(4, 4), 0.5);
  InteriorLimits limits;
  limits.steps = 3;
  const Outcome three = run(f, limits);
  EXPECT_EQ(three.end, InteriorEnd::limit);
  EXPECT_EQ(three.steps, 3);
  limits.steps = 6;
  EXPECT_LT(run(f, limits).error, three.error);
}

TEST(InteriorPoint, ADeeperAndMoreCarefulStartAlsoArrives) {
  InteriorLimits limits;
  limits.enough = 1e-3;
  limits.lift = 10;
  limits.careful = true;
  EXPECT_EQ(run(boxes::shaken(boxes::wall(4, 4), 0.5), limits).end, InteriorEnd::enough);
}

}  // namespace interior_point_test
}  // namespace perpend
