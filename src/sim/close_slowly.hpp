// Joints and overlaps closed without making energy.
//
// A row that closes a joint, a limit or an overlap asks for a velocity c = Phi/h, and impulses that
// give it do work. Near a stretched chain such velocities exist only with huge ones sideways; where
// joints contradict each other there are none, and a solver ends with the impulses it happens to
// have. So the answer of an island is used only if its kinetic energy, less the work of drives and
// driven bodies, grows little, or stays below A = m max_push^2 / 4 (m: mass of the island). Else,
// in this order:
// - the rows hold what they have: the island is solved with c = 0 in rows that close. There v = 0
//   obeys all rows, so an answer exists, and it adds no energy. If the solver finds none either,
//   all rows are slightly compliant;
// - from those impulses l on they close softly, J v+ + c + C (l+ - l) = 0 with c of at most
//   `max_push`: a damped Gauss-Newton step of the openings, which ends where they are least. Of it
//   as much is taken as keeps the energy below A or below what it was.
// An island that was held so is held in the next steps, too, until what is open is small.
#pragma once

#include <functional>

#include "sim/solve_islands.hpp"

namespace perpend::sim {

// Whether these impulses close with too much energy. `change`: M^-1 J^T lambda.
bool makes_energy(const Island&, const System&, const Impulses&, const VectorXd& change,
                  const Solving&);
// Whether its answers often miss the tolerance: with a limited effort, unless it has joints alone.
bool usually_short(const Island&, const Solving&);
// The most that a joint row of the island asks for, if it is to close in one step. m/s or rad/s;
// with a limited effort, which leaves angles open, only m/s.
double opening(const Island&, double h, const Solving&);
// Of an island that closed slowly in the last step: whether it has to in this one.
bool still_open(const Island&, const System&, const Solving&);

// The answer of the island that makes no energy. `problem`: the island's own; `first`: the answer
// that makes energy or is far from the tolerance, or none.
IslandAnswer close_slowly(const Island&, const std::function<IslandProblem()>& problem, int worker,
                          const Solving&, Executor* within, const IslandAnswer* first);

}  // namespace perpend::sim
