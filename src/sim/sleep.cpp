#include "sim/sleep.hpp"

#include <btBulletDynamicsCommon.h>

#include "perpend/base.hpp"
#include "sim/drives.hpp"

namespace perpend::sim {

void fall_asleep_or_wake(
    const StepBodies& bodies, const std::vector<NearPair>& pairs,
    const std::vector<btTypedConstraint*>& joints,
    const std::function<bool(const btCollisionObject*, const btCollisionObject*)>& may_collide,
    const Drives* drives) {
  DisjointSets sets(bodies.count());
  for (const NearPair& pair : pairs)
    if (pair.overlap && bodies[pair.first].object->mergesSimulationIslands() &&
        bodies[pair.second].object->mergesSimulationIslands())
      sets.join(pair.first, pair.second);
  for (const btTypedConstraint* joint : joints) {
    const btRigidBody &a = joint->getRigidBodyA(), &b = joint->getRigidBodyB();
    if (!joint->isEnabled() || a.isStaticOrKinematicObject() || b.isStaticOrKinematicObject())
      continue;
    if (const Index i = bodies.row(a), j = bodies.row(b); i >= 0 && j >= 0) sets.join(i, j);
  }
  for (const btTypedConstraint* joint : joints) {
    const btTypedConstraint* followed = drives ? followed_by(*joint, *drives) : nullptr;
    if (!followed) continue;
    Index last = -1;
    for (const btTypedConstraint* one : {joint, followed})
      for (const btRigidBody* body : {&one->getRigidBodyA(), &one->getRigidBodyB()}) {
        const Index i = body->isStaticOrKinematicObject() ? -1 : bodies.row(*body);
        if (i >= 0 && last >= 0) sets.join(last, i);
        if (i >= 0) last = i;
      }
  }

  std::vector<char> awake(bodies.list.size(), 0);  // of an island's root
  const auto island_awake = [&](Index i) -> char& {
    return awake[static_cast<std::size_t>(sets.of(i))];
  };
  for (Index i = 0; i < bodies.count(); ++i) {
    const btCollisionObject& object = *bodies[i].object;
    const int state = object.getActivationState();
    if (!object.isStaticOrKinematicObject() &&
        (state == ACTIVE_TAG || state == DISABLE_DEACTIVATION))
      island_awake(i) = 1;
  }
  for (Index i = 0; i < bodies.count(); ++i) {
    btCollisionObject& object = *bodies[i].object;
    if (object.isStaticOrKinematicObject()) continue;
    if (!island_awake(i)) {
      object.setActivationState(ISLAND_SLEEPING);
    } else if (object.getActivationState() == ISLAND_SLEEPING) {
      object.setActivationState(WANTS_DEACTIVATION);
      object.setDeactivationTime(0);
    }
  }
  // What a kinematic body may touch stays awake.
  for (const NearPair& pair : pairs) {
    if (!pair.overlap) continue;
    btCollisionObject* two[] = {bodies[pair.first].object, bodies[pair.second].object};
    if (!may_collide(two[0], two[1])) continue;
    for (int side : {0, 1}) {
      const btCollisionObject& pushes = *two[side];
      if (pushes.isKinematicObject() && pushes.getActivationState() != ISLAND_SLEEPING &&
          pushes.hasContactResponse())
        two[1 - side]->activate();
    }
  }
}

}  // namespace perpend::sim
