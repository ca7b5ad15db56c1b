// Who sleeps. Bullet's rule, on islands of our own: bodies whose boxes overlap or that a joint
// or a mimic links fall asleep together, when all of them want to, and wake up together. Bullet's
// islands follow the pairs that its broad phase still keeps, and those depend on more than the
// state.
#pragma once

#include <functional>

#include "sim/held_joints.hpp"
#include "sim/near_pairs.hpp"

namespace perpend::sim {

// Sets the bodies' activation states. `may_collide`: whether the user lets two bodies touch.
void fall_asleep_or_wake(
    const StepBodies&, const std::vector<NearPair>&, const std::vector<btTypedConstraint*>& joints,
    const std::function<bool(const btCollisionObject*, const btCollisionObject*)>& may_collide,
    const Drives* = nullptr);

}  // namespace perpend::sim
