// Joints closed where the step ends, by impulses that act where it starts (SHAKE: Ryckaert,
// Ciccotti, Berendsen 1977).
//
// The step's rows are linear, Phi/h + J v+ = 0 with J at the start. Where bodies turn, Phi at the
// end is off by the curvature of the motion, O(h^2). To shift positions afterwards and leave v+ as
// it is costs energy: v+ is tangent to the constraint at the start, the next step takes the part of
// it that is tangent at the end, and a pendulum loses a factor cos(w h) of its speed in every step.
// Here the curvature goes into the row instead: with c = Phi(end)/h added up from pass to pass,
//   Phi/h + J v+ + c = 0   until   Phi(x + h v+) = 0,
// the island is solved again. Then v+ is the chord of the motion, (x+ - x)/h, and what a joint does
// is symplectic: its energy swings by O(h) and stays. In the frame c is part of the row's rate.
//
// Where an island has no contacts and no bounds, its impulses are linear in c: one factor of the
// step's rows serves all passes, Broyden's updates make it the derivative of Phi at the end, and c
// is what the last impulses leave of the rows.
//
// There c is foreseen as well. v is the chord of the step before, and where joints were closed at
// both ends of it, 0 = Phi(x - h v) = -h J v + h^2/2 v' Phi'' v: what the curvature took in that
// step is J v, and it takes about as much in this one.
//
// Only islands in which nothing touches: where contacts stick, c asks a chain that lies on a table
// to slip by some 1e-9 m/s, and such problems take the solvers hundreds of iterations (`hose`: 25
// times as many). Those are left to the projection, and lose energy to friction anyway.
#pragma once

#include "sim/solve_islands.hpp"
#include "sim/step_frame.hpp"

namespace perpend::sim {

// c of the step before, added to the rates of the island's rows. Nothing where it has other rows
// than those of joints without bounds, or where J v is no curvature: after a blow.
void foresee(StepSetup&, const Island&);

// What it took.
struct Closing {
  bool tried = false;                 // a joint was open
  Index islands = 0;                  // whose joints were closed
  std::vector<IslandAnswer> answers;  // of all passes
};

// Bodies have moved with v+. Where an island is solved again they move otherwise, and its part of
// the frame and of the solution is the one that closes its joints. `start`: from what the solves
// of the solution itself started. At most `passes` times. `held`: of each island, with the factor
// of those that solution.linear has.
Closing close_joints(StepSetup&, Solution&, Start start, int passes, const Solving&,
                     std::vector<HeldRows>& held);

}  // namespace perpend::sim
