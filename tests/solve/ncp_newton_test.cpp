#include <gtest/gtest.h>

#include "perpend/solve.hpp"
#include "support/boxes.hpp"
#include "support/shaken.hpp"
#include "support/solved.hpp"

namespace perpend {
namespace ncp_newton_test {

using boxes::kGravity;

Options with(const char* function) {
  Options o;
  o.set["function"] = function;
  return o;
}

TEST(NcpNewton, EveryFunctionStopsABlockByFrictionAlone) {
  // A cube of 2 kg slides at 1 m/s on a floor with mu = 0.3: after a step of 0.01 s it has lost
  // mu g h, whatever four contacts share of it.
  boxes::World w(0.01);
  const Index floor = w.fixed(), cube = w.cube(2, 1, {0, 0, 0.5});
  w.face(floor, cube, {0, 0, 0}, 1, 0.3);
  w.frame().bodies.velocities(cube, 0) = 1;
  const System s = assemble(w.frame());
  for (const char* function : {"auto", "alart-curnier", "natural-map", "fischer-burmeister"}) {
    SCOPED_TRACE(function);
    const Result r = solve(s, "ncp/newton", with(function));
    ASSERT_EQ(r.status, Status::converged) << r.message;
    EXPECT_EQ(r.path, "newton");
    const Rows6 v = velocity_plus(w.frame(), s, r.impulses);
    // Residuals of 1e-8 at four contacts 0.5 m from the centre: 3e-8 (see the conformance test).
    EXPECT_NEAR(v(cube, 0), 1 - 0.3 * kGravity * 0.01, 1e-7);
    EXPECT_NEAR(v(cube, 2), 0, 1e-7);
  }
}

TEST(NcpNewton, ConvergesFasterThanLinearly) {
  // The regularization falls with every full step; the last step gains more than a factor of 100.
  Options o;
  o.history = true;
  o.tolerance = 1e-10;
  const Result r = solve(assemble(boxes::shaken(boxes::column(3, 1, 2), 0.3)), "ncp/newton", o);
  ASSERT_EQ(r.status, Status::converged) << r.message;
  ASSERT_GE(r.history.size(), 3u);
  const double last = r.history[r.history.size() - 1].errors[Measure::own_error],
               before = r.history[r.history.size() - 2].errors[Measure::own_error];
  EXPECT_LT(last, 0.01 * before);
  EXPECT_LE(r.iterations, 60);
}

TEST(NcpNewton, AgreesWithSweepsOnTheVelocity) {
  // Few contacts slide here and the velocity is unique; 1e-10 at every row leaves 1e-8 for walls of
  // four layers.
  const System s = assemble(boxes::shaken(boxes::wall(3, 3, 0.6), 0.02));
  const Options o = checks::at_most(200000, 1e-10);
  checks::expect_same_motion(s, solve(s, "ncp/newton", o), solve(s, "ncp/nncg", o), 1e-8);
}

TEST(NcpNewton, MassRatiosDoNotSlowItDown) {
  long most = 0;
  for (const double ratio : {1.0, 1e2, 1e4}) {
    const Result r = solve(assemble(boxes::column(5, 1, ratio)), "ncp/newton");
    ASSERT_EQ(r.status, Status::converged) << ratio << ": " << r.message;
    most = std::max(most, r.iterations);
  }
  EXPECT_LE(most, 20);
}

TEST(NcpNewton, SeesTheSameProblemInExplicitBlocks) {
  const System s = assemble(boxes::shaken(boxes::column(3, 1, 2), 0.3));
  const Result a = solve(s, "ncp/newton"), b = solve(with_blocks(s), "ncp/newton");
  ASSERT_EQ(a.status, Status::converged);
  ASSERT_EQ(b.status, Status::converged);
  EXPECT_LT((velocity_plus(s, a.impulses) - velocity_plus(s, b.impulses)).norm(), 1e-6);
}

TEST(NcpNewton, SaysStalledWhereNoImpulseCanHelp) {
  // Two rows ask the same velocity to be -1 and +1 m/s.
  SparseMatrix A(5, 5);
  A.insert(0, 0) = A.insert(1, 1) = A.insert(2, 2) = 1;
  for (int i : {3, 4})
    for (int j : {3, 4}) A.insert(i, j) = 1;
  VectorXd b(5);
  b << 1, 0, 0, 1, -1;
  const double inf = std::numeric_limits<double>::infinity();
  const System s = assemble(A, b, VectorXd::Constant(1, 0.5), VectorXd::Constant(2, -inf),
                            VectorXd::Constant(2, inf));
  const Result r = solve(s, "ncp/newton");
  EXPECT_EQ(r.status, Status::stalled) << r.message;
  EXPECT_TRUE(r.impulses.allFinite());
  EXPECT_LE(r.errors[Measure::own_error], 1 + 1e-12);  // 1 at the start
}

}  // namespace ncp_newton_test
}  // namespace perpend
