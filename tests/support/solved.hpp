// What tests of solvers ask most often: converge to a tolerance, move bodies as another solver
// does.
#pragma once

#include <gtest/gtest.h>

#include <string_view>

#include "perpend/solve.hpp"

namespace perpend::checks {

inline Options within(double tolerance) {
  Options o;
  o.tolerance = tolerance;
  return o;
}

inline Options at_most(long iterations, double tolerance = Options{}.tolerance) {
  Options o = within(tolerance);
  o.max_iterations = iterations;
  return o;
}

// What a Newton loop outside a registered solver is judged by.
inline Progress::Judge velocity_judge(const System& s) {
  return {[&s](const VectorXd& z) { return measure(s, z, Measure::velocity_error); },
          [&s](const VectorXd& z) { return measure(s, z); }};
}

// The result, which must have converged.
inline Result solved(const System& s, std::string_view solver, const Options& options = {}) {
  const Result r = solve(s, solver, options);
  EXPECT_EQ(r.status, Status::converged) << solver << ": " << r.message;
  return r;
}

// Both converged, and |v+ - v+'| < off: impulses may differ where contacts share a load.
inline void expect_same_motion(const System& s, const Result& a, const Result& b, double off) {
  ASSERT_EQ(a.status, Status::converged) << a.message;
  ASSERT_EQ(b.status, Status::converged) << b.message;
  EXPECT_LT((velocity_plus(s, a.impulses) - velocity_plus(s, b.impulses)).norm(), off);
}

}  // namespace perpend::checks
