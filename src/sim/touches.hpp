// The contacts of a step: pairs of bodies that may touch, and where. They are those with gaps up to
// the sum of what two bodies can travel, a function of the present state.
#pragma once

#include <functional>

#include "sim/contacts.hpp"
#include "sim/near_pairs.hpp"

struct btDispatcherInfo;

namespace perpend::sim {

class BodySolids;
class PairContacts;

struct Touch {  // one contact of this step
  ContactPoint point;
  double mu, restitution;
  Tangents tangents;
};

struct TouchPair {
  PairContacts* contacts;  // what the two keep; null: the broad phase has dropped the pair
  Index first, second;     // rows, ascending
  Index start = 0, count = 0;
};

struct Touches {
  std::vector<TouchPair> pairs;  // ascending
  std::vector<Touch> list;       // pair by pair
};

// Those that the user lets collide; what the others keep is forgotten. Callbacks are asked in the
// order of the pairs. Pairs in which nobody moves are left alone.
std::vector<TouchPair> colliding_pairs(const std::vector<NearPair>&, const StepBodies&,
                                       btDispatcher&, const btDispatcherInfo&);

// `solids`: memory for it; a pair of which both bodies are placed as before keeps what was found.
Touches find_touches(std::vector<TouchPair>, const StepBodies&, ContactModel, BodySolids& solids,
                     Executor&);

// Calls item(pair, worker) for each: pairs of which only our own code is needed by any thread, the
// others by this one.
void for_pairs(const std::vector<TouchPair>&, const StepBodies&, Executor&,
               const std::function<void(Index pair, int worker)>&);

// What the pairs keep is looked up in a later list: the broad phase may have dropped some.
void follow(std::vector<TouchPair>&, const std::vector<TouchPair>& later);

// The pairs that overlap by more than 1e-6 m, the deepest first, in a sentence; empty: none does.
std::string overlaps(const Touches&, const StepBodies&);

// Of each touch its impulse as a vector on the second body. `impulses`: (n, t, o) of each first.
std::vector<Vector3d> as_vectors(const Touches&, const Impulses& impulses);

}  // namespace perpend::sim
