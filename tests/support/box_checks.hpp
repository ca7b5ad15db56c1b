// What is asked of accurate methods for the box of friction bounds; each test file names its
// method.
#pragma once

#include <gtest/gtest.h>

#include <cmath>

#include "measure/scenes.hpp"
#include "support/solved.hpp"

namespace perpend::box_checks {

// Two kilograms pressed down and pushed: lambda_n = 2 N s, friction at its bound of 1 N s.
inline void expect_friction_bound_follows_the_normal_impulse(std::string_view solver) {
  const Result r = checks::solved(assemble(scenes::sliding()), solver, checks::within(1e-13));
  EXPECT_NEAR(r.impulses[0], 2, 1e-12);
  EXPECT_NEAR(r.impulses[1], -1, 1e-12);
  EXPECT_NEAR(r.impulses[2], 0, 1e-12);
}

inline void expect_friction_fixed_by_the_engine_is_its_bound(std::string_view solver) {
  System s = assemble(scenes::sliding());
  s.friction_bounds = Rows<2>::Constant(1, 2, 0.25);
  const Result r = checks::solved(s, solver, checks::within(1e-13));
  EXPECT_NEAR(r.impulses[0], 2, 1e-12);
  EXPECT_NEAR(r.impulses[1], -0.25, 1e-12);
}

// A slider of 2 kg at 1 m/s: free to be stopped, held back by a motor of 1/2 N s, by a limit that
// only pushes, and by one that only pulls.
inline void expect_joint_rows_keep_their_bounds(std::string_view solver) {
  const auto impulse = [&](double speed, double lower, double upper) {
    const System s = assemble(scenes::slider(speed, lower, upper));
    return checks::solved(s, solver, checks::within(1e-11)).impulses[0];
  };
  const double inf = scenes::kInf;
  EXPECT_NEAR(impulse(1, -inf, inf), -2, 1e-10);
  EXPECT_NEAR(impulse(1, -0.5, 0.5), -0.5, 1e-10);
  EXPECT_NEAR(impulse(-1, 0, inf), 2, 1e-10);
  EXPECT_NEAR(impulse(1, -inf, 0), -2, 1e-10);
}

// 0 <= lambda_n, |friction| <= mu lambda_n along each axis.
inline void expect_within_bounds(const System& s, const Impulses& lambda) {
  for (Index i = 0; i < s.contacts(); ++i) {
    EXPECT_GE(lambda[3 * i], 0);
    EXPECT_LE(std::abs(lambda[3 * i + 1]), s.mu[i] * lambda[3 * i]);
    EXPECT_LE(std::abs(lambda[3 * i + 2]), s.mu[i] * lambda[3 * i]);
  }
}

}  // namespace perpend::box_checks
