// Who sleeps. Bullet's rule, on islands of our own: bodies whose boxes overlap or that a joint
// links fall asleep together, when all of them want to, and wake up together. Bullet's islands
// follow the pairs that its broad phase still keeps, and those depend on more than the state.
#include <algorithm>

#include "perpend/base.hpp"
#include "sim/step.hpp"

namespace perpend::sim {

void Step::sleep() {
  const std::size_t n = bodies_.size();
  DisjointSets sets(static_cast<Index>(n));
  const auto root = [&](std::size_t i) {
    return static_cast<std::size_t>(sets.of(static_cast<Index>(i)));
  };
  const std::vector<NearPair> pairs = near_pairs();
  for (const NearPair& pair : pairs)
    if (pair.overlap &&
        bodies_[static_cast<std::size_t>(pair.first)].object->mergesSimulationIslands() &&
        bodies_[static_cast<std::size_t>(pair.second)].object->mergesSimulationIslands())
      sets.join(pair.first, pair.second);
  for (int k = 0; k < world_.getNumConstraints(); ++k) {
    const btTypedConstraint& joint = *world_.getConstraint(k);
    const btRigidBody &a = joint.getRigidBodyA(), &b = joint.getRigidBodyB();
    if (!joint.isEnabled() || a.isStaticOrKinematicObject() || b.isStaticOrKinematicObject())
      continue;
    if (const Index i = row(a), j = row(b); i >= 0 && j >= 0) sets.join(i, j);
  }

  std::vector<char> awake(n, 0);  // of an island's root
  for (std::size_t i = 0; i < n; ++i) {
    const btCollisionObject& object = *bodies_[i].object;
    const int state = object.getActivationState();
    if (!object.isStaticOrKinematicObject() &&
        (state == ACTIVE_TAG || state == DISABLE_DEACTIVATION))
      awake[root(i)] = 1;
  }
  for (std::size_t i = 0; i < n; ++i) {
    btCollisionObject& object = *bodies_[i].object;
    if (object.isStaticOrKinematicObject()) continue;
    if (!awake[root(i)]) {
      object.setActivationState(ISLAND_SLEEPING);
    } else if (object.getActivationState() == ISLAND_SLEEPING) {
      object.setActivationState(WANTS_DEACTIVATION);
      object.setDeactivationTime(0);
    }
  }
  // What a kinematic body may touch stays awake.
  for (const NearPair& pair : pairs) {
    if (!pair.overlap) continue;
    btCollisionObject* two[] = {bodies_[static_cast<std::size_t>(pair.first)].object,
                                bodies_[static_cast<std::size_t>(pair.second)].object};
    if (!world_.getDispatcher()->needsCollision(two[0], two[1])) continue;
    for (int side : {0, 1}) {
      const btCollisionObject& pushes = *two[side];
      if (pushes.isKinematicObject() && pushes.getActivationState() != ISLAND_SLEEPING &&
          pushes.hasContactResponse())
        two[1 - side]->activate();
    }
  }
  begin_again_if_woken();
}

}  // namespace perpend::sim
