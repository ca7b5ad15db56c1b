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

TEST(BoxPgs, IterationsAreSweeps) {
  const Result r = solve(assemble(boxes::column(3, 1, 1)), "box/pgs");
  EXPECT_GT(r.iterations, 0);
  EXPECT_EQ(r.iterations, r.work[static_cast<std::size_t>(Work::sweep)]);
}

}  // namespace box_pgs_test
}  // namespace perpend
