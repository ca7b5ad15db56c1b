// Solves a frame and holds the errors reported against those computed from its columns in 113 bits.
#pragma once

#include <gtest/gtest.h>

#include "perpend/solve.hpp"
#include "support/exact_frame.hpp"

namespace perpend::quad {

// Whether there was something to compare.
inline bool reported_errors_are_true(const Frame& frame, const SolverInfo& info, long iterations) {
  if (!info.joints && frame.joints.count()) return false;
  const ExactFrame exact(frame);
  const System s = assemble(frame);
  Options options;
  options.max_iterations = iterations;
  const Result result = solve(s, info.name, options);
  EXPECT_EQ(result.impulses.size(), s.rows()) << result.message;
  if (result.impulses.size() != s.rows()) return false;
  const ExactErrors e =
      exact.errors(contact_rows(s, result.impulses), result.impulses.tail(s.joint_rows()));
  const auto off = [&](Measure m, Quad true_error) {
    return static_cast<double>(absolute(true_error - result.errors[m]));
  };
  EXPECT_LE(off(Measure::velocity_error, e.velocity_error), result.rounding);
  EXPECT_LE(off(Measure::rms_violation, e.rms_violation), result.rounding);
  EXPECT_LE(off(Measure::joint_error, e.joint_error), result.rounding);
  EXPECT_LE(off(Measure::joint_turn_error, e.joint_turn_error), result.rounding);
  const bool cone = info.formulation() == "ncp" || info.formulation() == "mncp";
  if (cone && s.groups.empty()) {
    EXPECT_LE(off(Measure::own_error, e.velocity_error), result.rounding);
    if (result.status == Status::converged) {
      EXPECT_LE(static_cast<double>(e.velocity_error), options.tolerance);
    }
  }
  return true;
}

}  // namespace perpend::quad
