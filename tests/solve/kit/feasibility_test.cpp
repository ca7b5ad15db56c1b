#include "solve/kit/feasibility.hpp"

#include <gtest/gtest.h>

#include "support/boxes.hpp"
#include "support/sunk.hpp"

namespace perpend {
namespace feasibility_test {

constexpr double kStep = 0.01, kDepth = 1e-3, kMu = 0.5;

double least(const System& s) {
  Options o;
  Progress::Judge judge{[&](const VectorXd& z) { return measure(s, z, Measure::velocity_error); },
                        [&](const VectorXd& z) { return measure(s, z); }};
  Progress progress(o, *solver_named("ncp/auto"), VectorXd::Zero(s.rows()), judge);
  BodyNewtonSpace space;
  EXPECT_TRUE(space.prepare(s));
  return least_error(s, space, progress.start(), progress);
}

// A cube of edge 1 between two fixed plates, which it overlaps by kDepth on both sides.
Frame squeezed() {
  boxes::World w(kStep);
  const Index floor = w.fixed(), plate = w.fixed({0, 0, 2});
  const Index cube = w.cube(1, 1, {0, 0, 0.5});
  w.face(floor, cube, {0, 0, 0}, 1, kMu, -kDepth);
  w.face(cube, plate, {0, 0, 1}, 1, kMu, -kDepth);
  return w.frame();
}

TEST(Feasibility, ASqueezedCubeCannotLeaveBothPlates) {
  // Whatever it does, one of two plates is approached: y_n sums to -2 depth/h, so that the larger
  // violation is depth/h = 0.1 m/s, of which friction may hide a factor of sqrt(1 + mu^2).
  const System s = assemble(squeezed());
  const double proved = least(s);
  EXPECT_NEAR(proved, kDepth / kStep / std::sqrt(1 + kMu * kMu), 1e-4);
  // The bound holds for what solvers find.
  const Result r = solve(s, "ncp/admm");
  EXPECT_GE(r.errors[Measure::velocity_error], proved);
}

TEST(Feasibility, ABarThatIsTooLongForItsTwoPinsIsExcludedByItsJointRows) {
  boxes::World w(kStep);
  const Index left = w.fixed({-1, 0, 0}), right = w.fixed({1, 0, 0});
  const Index bar = w.cube(1, 1, {0, 0, 0});
  Frame f = w.frame();
  // One row along x at each pin: violations of 1 mm and -1 mm that the bar, rigid, cannot mend.
  f.joints.pairs.resize(2, 2);
  f.joints.pairs << left, bar, right, bar;
  f.joints.rows = {1, 1};
  f.joints.jacobian.setZero(2, 12);
  f.joints.jacobian(0, 0) = f.joints.jacobian(1, 0) = -1;
  f.joints.jacobian(0, 6) = f.joints.jacobian(1, 6) = 1;
  f.joints.violation.resize(2);
  f.joints.violation << kDepth, -kDepth;
  f.joints.bounds.resize(2, 2);
  f.joints.bounds.col(0).setConstant(-std::numeric_limits<double>::infinity());
  f.joints.bounds.col(1).setConstant(std::numeric_limits<double>::infinity());
  ASSERT_EQ(invalid(f), "");
  const System s = assemble(f);
  EXPECT_NEAR(least(s), kDepth / kStep, 1e-6);
}

TEST(Feasibility, NothingIsProvedOfWhatHasASolution) {
  for (const Frame& f : {boxes::column(10, 1, 1), boxes::sunk(boxes::pyramid(4), kDepth),
                         boxes::sunk(boxes::heavy_top(boxes::pyramid(3), 1000), kDepth),
                         boxes::sunk(boxes::heavy_top(boxes::pyramid(3), 1e5), 1e-2, 8)}) {
    const System s = assemble(f);
    const Result r = solve(s, "ncp/auto");
    ASSERT_EQ(r.status, Status::converged) << r.message;
    EXPECT_LE(least(s), 1e-8);
  }
}

}  // namespace feasibility_test
}  // namespace perpend
