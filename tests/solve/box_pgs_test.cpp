#include <gtest/gtest.h>

#include "perpend/solve.hpp"
#include "support/sliding.hpp"

namespace perpend {
namespace box_pgs_test {

using boxes::cube_on_slope;
using boxes::kGravity;

TEST(BoxPgs, BlockOnSlopeSticksBelowTheFrictionAngle) {
  const double mu = 0.5, angle = std::atan(mu) - 1e-3;
  const Frame f = cube_on_slope(angle, mu);
  const System s = assemble(f);
  const Result r = solve(s, "box/pgs");
  ASSERT_EQ(r.status, Status::converged) << r.message;
  // own_error 1e-8 m/s at the corners: the cube moves no faster than a few times that.
  EXPECT_LT(velocity_plus(f, s, r.impulses).row(1).norm(), 1e-7);
}

TEST(BoxPgs, BlockOnSlopeSlidesAboveTheFrictionAngle) {
  // v+ = h g (sin a - mu cos a), downhill.
  const double mu = 0.5, angle = std::atan(mu) + 0.05;
  const Frame f = cube_on_slope(angle, mu);
  const System s = assemble(f);
  const Result r = solve(s, "box/pgs");
  ASSERT_EQ(r.status, Status::converged) << r.message;
  const double speed = f.step * kGravity * (std::sin(angle) - mu * std::cos(angle));
  EXPECT_NEAR(velocity_plus(f, s, r.impulses)(1, 0), speed, 1e-7);
}

TEST(BoxPgs, DiagonalSlideFeelsMoreFrictionThanCoulombAllows) {
  // Pushed along (1, 1): each axis has its own bound mu lambda_n, together sqrt(2) mu lambda_n.
  const Result r = solve(assemble(boxes::point_mass_at(1, 1)), "box/pgs");
  const double normal = kGravity * 0.01;
  EXPECT_NEAR(r.impulses[0], normal, 1e-8);
  EXPECT_NEAR(r.impulses[1], -0.5 * normal, 1e-8);
  EXPECT_NEAR(r.impulses[2], -0.5 * normal, 1e-8);
  EXPECT_LE(r.errors[Measure::own_error], 1e-8);
  EXPECT_GT(r.errors[Measure::velocity_error], 1e-2);  // the model's error, and the point
}

TEST(BoxPgs, LaggedBoundsEndAtTheSameSolution) {
  const System s = assemble(boxes::wall(3, 3));
  Options lagged;
  lagged.set["bounds"] = "lagged";
  const Result a = solve(s, "box/pgs"), b = solve(s, "box/pgs", lagged);
  ASSERT_EQ(a.status, Status::converged);
  ASSERT_EQ(b.status, Status::converged);
  // At rest v+ = 0 is unique; each reaches it to its own_error.
  EXPECT_LT((velocity_plus(s, a.impulses) - velocity_plus(s, b.impulses)).norm(), 1e-6);
}

// Silcowitz-Hansen et al. 2010, eq. 18 as printed: lambda' = -(D + L)^-1 (U lambda + b) as a whole,
// then the projection. A cube of 1 kg turns about y: its left corner rises, its right one falls.
TEST(BoxPgs, TheSolutionIsNoFixedPointOfEquation18AsPrinted) {
  boxes::World w;
  const Index floor = w.fixed();
  const Index cube = w.cube(1, 1, {0, 0, 0.5});
  w.contact(floor, cube, {-0.5, 0, 0}, Vector3d::UnitZ(), 0);
  w.contact(floor, cube, {0.5, 0, 0}, Vector3d::UnitZ(), 0);
  Frame f = w.frame();
  f.bodies.velocities(cube, 4) = 2;
  const System s = assemble(f);
  const NormalProblem p(s, Level::velocity);
  const Eigen::Matrix2d A = p.A;
  // 1/m +- r^2/I with I = 1/6: 5/2 and -1/2; b = (1, -1) - g h.
  EXPECT_NEAR(A(0, 0), 2.5, 1e-12);
  EXPECT_NEAR(A(0, 1), -0.5, 1e-12);
  for (const char* bounds : {"newest", "lagged"}) {
    Options o;
    o.set["bounds"] = bounds;
    o.tolerance = 1e-12;
    const Result r = solve(s, "box/pgs", o);
    ASSERT_EQ(r.status, Status::converged) << r.message;
    EXPECT_EQ(r.impulses[0], 0);
    EXPECT_NEAR(r.impulses[3], -p.b[1] / 2.5, 1e-11);
    EXPECT_LT(r.errors[Measure::pgs_merit], 1e-22);  // the sweep leaves it where it is
    const double first = -(A(0, 1) * r.impulses[3] + p.b[0]) / A(0, 0);
    const double second = -(A(1, 0) * first + p.b[1]) / A(1, 1);  // not of max(0, first)
    EXPECT_LT(first, -0.2);
    EXPECT_GT(std::abs(std::max(0.0, second) - r.impulses[3]), 0.05);
  }
}

TEST(BoxPgs, IterationsAreSweeps) {
  const Result r = solve(assemble(boxes::column(3, 1, 1)), "box/pgs");
  EXPECT_GT(r.iterations, 0);
  EXPECT_EQ(r.iterations, r.work[static_cast<std::size_t>(Work::sweep)]);
}

}  // namespace box_pgs_test
}  // namespace perpend
