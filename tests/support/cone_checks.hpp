// What is asked of accurate methods for the friction cone; each test file names its method.
#pragma once

#include <gtest/gtest.h>

#include <limits>

#include "support/held.hpp"
#include "support/shaken.hpp"
#include "support/sliding.hpp"
#include "support/solved.hpp"

namespace perpend::cones {

inline Options tight() { return checks::within(1e-10); }

inline void expect_brakes_a_sliding_block(std::string_view solver, const Options& options,
                                          double off) {
  const System s = assemble(boxes::sliding_block());
  const Result r = solve(s, solver, options);
  ASSERT_EQ(r.status, Status::converged) << r.message;
  boxes::expect_braked_and_not_lifted(velocity_plus(s, r.impulses), off);
}

// A cube of 2 kg on one joint row; `off` is granted to the motor that is too weak.
inline void expect_joint_rows_hold_push_and_give_way(std::string_view solver, double off = 1e-10) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const auto fall = [&](double lower, double upper, double rate = 0, double violation = 0) {
    const System s = assemble(boxes::held(lower, upper, rate, violation));
    return velocity_plus(s, checks::solved(s, solver, tight()).impulses)[2];
  };
  const double gh = boxes::kGravity * 0.01, weight = 2 * gh;
  EXPECT_NEAR(fall(-kInfinity, kInfinity), 0, 1e-10);
  // A limit 0.2 mm away is reached exactly: v+ = -0.0002/h.
  EXPECT_NEAR(fall(0, kInfinity, 0, 0.0002), -0.02, 1e-10);
  // One 1 cm away is not.
  EXPECT_NEAR(fall(0, kInfinity, 0, 0.01), -gh, 1e-12);
  // A motor strong enough lifts at its target speed 0.3; one of half the weight's impulse does not.
  EXPECT_NEAR(fall(-10, 10, -0.3), 0.3, 1e-10);
  EXPECT_NEAR(fall(-weight / 2, weight / 2, -0.3), -gh / 2, off);
}

// y = A x + b + C x with A = 1/2: without contact the row moves at -gh, so x = gh/(1/2 + C) and
// v+ = -C x.
inline void expect_joint_gives_by_its_compliance(std::string_view solver, double off) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  Frame f = boxes::held(-kInfinity, kInfinity);
  f.joints.cfm = VectorXd::Constant(1, 0.7);
  f.joints.bias = VectorXd::Zero(1);
  const System s = assemble(f, Model::engine);
  const Result r = checks::solved(s, solver, tight());
  EXPECT_NEAR(velocity_plus(s, r.impulses)[2], -0.7 * boxes::kGravity * 0.01 / 1.2, off);
}

// Without friction v+ is unique; two answers with residuals below e differ by a small multiple of
// e.
inline void expect_agrees_with_sweeps_without_friction(std::string_view solver) {
  const System s = assemble(boxes::shaken(boxes::wall(3, 3, 0.0), 0.1));
  checks::expect_same_motion(s, solve(s, solver, tight()), solve(s, "ncp/nncg", tight()), 1e-8);
}

// `unit` is a power of two, so that the mantissas of masses stay what they are.
inline void expect_same_answer_in_another_unit_of_mass(std::string_view solver, double unit) {
  const Frame light = boxes::column(3, 1, 10);
  Frame heavy = light;
  heavy.bodies.masses *= unit;
  heavy.bodies.inertia *= unit;
  heavy.bodies.forces *= unit;
  const Result a = solve(assemble(light), solver), b = solve(assemble(heavy), solver);
  EXPECT_EQ(a.iterations, b.iterations);
  EXPECT_LT((unit * a.impulses - b.impulses).norm(), 1e-9 * b.impulses.norm());
}

}  // namespace perpend::cones
