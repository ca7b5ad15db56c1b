// What is asked of methods for normal forces alone; each test file names its method.
#pragma once

#include <gtest/gtest.h>

#include "measure/scenes.hpp"
#include "perpend/solve.hpp"

namespace perpend::normal_checks {

// Started at 5 N s on a contact that nothing presses.
inline void expect_lets_go_of_a_contact_that_opens(std::string_view solver) {
  Options o;
  o.warm_start = scenes::impulses({5, 0, 0});
  const Result r = solve(assemble(scenes::separating()), solver, o);
  EXPECT_EQ(r.status, Status::converged);
  EXPECT_EQ(r.impulses, scenes::impulses({0, 0, 0}));
}

inline void expect_proves_that_a_closing_press_cannot_be_held(std::string_view solver) {
  const Result r = solve(assemble(scenes::closing_press()), solver);
  EXPECT_EQ(r.status, Status::infeasible) << r.message;
  EXPECT_TRUE(r.impulses.allFinite());
}

}  // namespace perpend::normal_checks
