// What is asked of every accurate method for LCPs; each test file names the methods it asks.
#pragma once

#include <gtest/gtest.h>

#include "measure/scenes.hpp"
#include "support/boxes.hpp"
#include "support/lcps.hpp"
#include "support/shaken.hpp"
#include "support/solved.hpp"

namespace perpend::lcps {

// The matrices here have |A^-1| below 100 and are solved to 1e-12: z is right to 1e-10.
inline void expect_solves_the_classics(std::string_view solver, Options options = {}) {
  options.tolerance = 1e-12;
  for (const Lcp& lcp : solvable()) {
    SCOPED_TRACE(lcp.name);
    const Result r = solve(lcp, solver, options);
    EXPECT_EQ(r.status, Status::converged) << r.message;
    EXPECT_GE(r.z.minCoeff(), 0);
    if (lcp.z.size()) {
      EXPECT_NEAR((r.z - lcp.z).norm(), 0, 1e-10);
    }
  }
}

// No solver may claim to have solved what has no solution; one row that shows it is a certificate.
inline void expect_says_what_it_cannot_solve(std::string_view solver, Status on_impossible) {
  const Result none = solve(impossible(), solver);
  EXPECT_EQ(none.status, on_impossible) << none.message;
  EXPECT_TRUE(none.z.allFinite());
  const Result row = solve(hopeless(), solver);
  EXPECT_EQ(row.status, Status::infeasible);
  EXPECT_NE(row.message.find("row 1"), std::string::npos) << row.message;
  const Result zero = solve({"zero", MatrixXd::Zero(2, 2), vector({0, 1}), {}}, solver);
  EXPECT_EQ(zero.status, Status::converged);
  EXPECT_TRUE(zero.z.isZero(0));
}

// Impulses of the single contacts and joints that the headers of the scenes derive, to the
// tolerance: effective masses are below 3 kg there.
inline void expect_solves_contacts_and_joints(std::string_view solver) {
  Options options;
  options.facets = 4;
  options.tolerance = 1e-11;
  const double off = 1e-10;
  const Result stick = perpend::solve(assemble(scenes::sticking()), solver, options);
  EXPECT_NEAR((stick.impulses - vector({2, -0.5, 0})).norm(), 0, off);
  const Result slide = perpend::solve(assemble(scenes::sliding()), solver, options);
  EXPECT_NEAR((slide.impulses - vector({2, -1, 0})).norm(), 0, off);
  const Result motor = perpend::solve(assemble(scenes::slider(-1, -1, 1)), solver, options);
  EXPECT_NEAR((motor.impulses - vector({1})).norm(), 0, off);

  // Two copies of one joint row, beside a contact.
  const Result held = perpend::solve(assemble(scenes::held_block({0, 0})), solver, options);
  EXPECT_EQ(held.status, Status::converged) << held.message;
  EXPECT_NEAR((held.impulses - vector({2, 0, -0.5, -3, -3})).norm(), 0, off);
}

// Along face 1 the point ends at (-1/4, 0), along face 2 at (0, -1/8).
inline void expect_follows_either_face_of_a_group(std::string_view solver) {
  System s = assemble(scenes::corner());
  EXPECT_EQ(perpend::solve(s, solver).impulses, vector({1, 0, 0, 0, 0, 0}));
  s.groups[0].u = 1;
  EXPECT_EQ(perpend::solve(s, solver).impulses, vector({0, 0, 0, 2, 0, 0}));
}

// Both solve the same pyramid to 1e-12 m/s; a column of three amplifies that by less than 100.
inline void expect_moves_bodies_as_lemke_does(std::string_view solver, double speed) {
  const System s = assemble(boxes::shaken(boxes::column(3, 1, 1), speed));
  for (const Index facets : {4, 8}) {
    Options options = checks::within(1e-12);
    options.facets = facets;
    checks::expect_same_motion(s, perpend::solve(s, solver, options),
                               perpend::solve(s, "lcp/lemke", options), 1e-10);
  }
}

// Three cubes thrown about without friction: a convex problem, whose velocity is unique though the
// impulses are not. Each row is within the tolerance, and a body's velocity within 32 of those (see
// the conformance test).
inline void expect_agrees_with_lemke(std::string_view solver) {
  const System s = assemble(boxes::shaken(boxes::column(3, 1, 1, 0), 0.5));
  Options options;
  options.tolerance = 1e-11;
  const Result r = perpend::solve(s, solver, options);
  ASSERT_EQ(r.status, Status::converged) << r.message;
  const Result lemke = perpend::solve(s, "lcp/lemke", options);
  EXPECT_NEAR((velocity_plus(s, r.impulses) - velocity_plus(s, lemke.impulses)).norm(), 0, 1e-9);
  EXPECT_EQ(perpend::solve(s, solver, options).z, r.z);  // the same bits twice
}

// A column of ten cubes: four contacts each where three would do, so A is singular; and 1000 kg on
// top of 1 kg.
inline void expect_holds_columns(std::string_view solver) {
  Options options;
  options.tolerance = 1e-10;
  const Result tall = perpend::solve(assemble(boxes::column(10, 1, 1)), solver, options);
  EXPECT_EQ(tall.status, Status::converged) << tall.message;
  const Result heavy = perpend::solve(assemble(boxes::column(3, 1, 1000)), solver, options);
  EXPECT_EQ(heavy.status, Status::converged) << heavy.message;
}

inline void expect_refuses_what_does_not_fit(std::string_view solver) {
  Options options;
  options.memory_limit = 100;
  const Result r = solve(murty(10), solver, options);
  EXPECT_EQ(r.status, Status::too_large) << r.message;
}

}  // namespace perpend::lcps
