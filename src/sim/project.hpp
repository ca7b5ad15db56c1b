// Positions onto joints and gaps: what a linearized step leaves, velocities untouched.
//
// One pass is a mass-weighted Newton step: min 1/2 dx' M dx with J dx + gap >= 0 and J dx + Phi = 0
// at the present poses. That is a frame without velocity, force and friction, and with step 1: dx
// is its v+. A pass whose turns leave less than counts is the last. The passes of a step share
// their iterations, island by island, and an island that cannot be projected is not asked again:
// where no positions keep gaps and joints, each pass would take all that it may.
#pragma once

#include "sim/solve_islands.hpp"
#include "sim/step_frame.hpp"

namespace perpend::sim {

// Violations below this are left as they are: far below what geometry is worth. m or rad
inline constexpr double kAccurate = 1e-10;

// Bodies of islands whose positions the step may have left off. A step that turns bodies by |w| h
// leaves second-order errors; where nothing turns, none.
std::vector<bool> may_violate(const StepBodies&, const Frame&, const Solution&);

// Bodies of islands that fell short by sweeps; with a limited effort, of large ones. What they
// overlap comes from that, and `soften` pushes it out in the next steps; to project them here as
// well made tumbling piles no better.
std::vector<bool> left_alone(const Frame&, const Solution&, std::string_view solver,
                             const Account*);

// How far each pair may still overlap after the step: what it began with and may not open in one
// step, because it would part faster than `max_push`. 0 of pairs that began apart: what a step
// itself leaves is put right.
std::vector<double> still_overlapping(const Touches&, double max_push, double h);

// The frame of a pass. `points`: of each pair, at the present poses; `still`: see above.
Frame positions_frame(Bodies, const std::vector<TouchPair>&,
                      const std::vector<std::vector<ContactPoint>>& points, const HeldJoints&,
                      const std::vector<double>& still);

// How far the frame's gaps and joints are violated, m or rad.
double violation(const Frame&);
double violation(const Frame&, const Island&);  // of its rows

// How the bodies of one island shift.
struct Shift {
  Status end = Status::not_called;  // there was nothing to do
  long iterations = 0;
  double sweeps = 0;  // over the island
  Rows6 bodies;       // of each m, rad; no rows: they stay where they are
};
Shift project_island(const Frame&, const Options&, const SolverInfo&, Solver&);

// `most`: iterations that each island may take; with the limits of these options.
std::vector<Shift> project_islands(const Frame&, const std::vector<Island>&,
                                   const std::vector<long>& most, const Options&, const Solving&);

// Moves bodies until nothing is violated, `options.correct` times at most. Returns how often an
// island was shifted. `joints`: all, in the order of the step. The inertia of the setup's bodies
// becomes that of the new poses. `finders`: one of each worker, made where they are missing.
Index correct_positions(StepSetup&, const Solution&, const std::vector<btTypedConstraint*>& joints,
                        const StepOptions&, std::vector<ContactFinder>& finders, const Solving&);

}  // namespace perpend::sim
