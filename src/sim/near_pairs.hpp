// Who may touch whom within the step (Nguyen and Trinkle 2010, section 3.2).
//
// Bullet's broad phase proposes pairs; which ones count is decided by the boxes of this step alone,
// grown by how far a body may go in it. Bullet keeps pairs longer than they overlap, and for how
// long depends on what happened before.
#pragma once

#include "sim/bodies.hpp"
#include "sim/box.hpp"

class btBroadphaseInterface;
class btDispatcher;
struct btBroadphasePair;

namespace perpend::sim {

struct NearPair {
  btBroadphasePair* pair;  // as the broad phase keeps it
  Index first, second;     // rows, ascending
  bool overlap;            // of the boxes of this step
};

// Boxes grown by what a body may go. `all`: also of bodies that stay where they are; else theirs
// are those that the broad phase has.
std::vector<Box> grown_boxes(const StepBodies&, bool all);

// Ascending. `bodies`: how many there are.
std::vector<NearPair> in_order(std::vector<NearPair>, Index bodies);

// The boxes into the broad phase, which is to find its pairs afterwards.
void put_boxes(const std::vector<Box>&, const StepBodies&, btBroadphaseInterface&, btDispatcher&);

// What it has found, in order: the pairs that overlap or keep something.
std::vector<NearPair> near_pairs(btBroadphaseInterface&, const StepBodies&,
                                 const std::vector<Box>&);

}  // namespace perpend::sim
