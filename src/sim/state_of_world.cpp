#include "sim/state_of_world.hpp"

#include <btBulletDynamicsCommon.h>

#include <algorithm>

#include "sim/contacts.hpp"
#include "sim/joints.hpp"

namespace perpend::sim {

double penetration(btDiscreteDynamicsWorld& world, ContactFinder& finder) {
  world.updateAabbs();
  world.computeOverlappingPairs();
  btBroadphasePairArray& array =
      world.getBroadphase()->getOverlappingPairCache()->getOverlappingPairArray();
  btDispatcher& dispatcher = *world.getDispatcher();
  double deepest = 0;
  for (int i = 0; i < array.size(); ++i) {
    const auto* first = static_cast<btCollisionObject*>(array[i].m_pProxy0->m_clientObject);
    const auto* second = static_cast<btCollisionObject*>(array[i].m_pProxy1->m_clientObject);
    if (first->isStaticOrKinematicObject() && second->isStaticOrKinematicObject()) continue;
    if (!dispatcher.needsCollision(first, second) || !dispatcher.needsResponse(first, second))
      continue;
    deepest = std::max(deepest, finder.penetration(*first, *second));
  }
  return deepest;
}

double joint_violation(btDiscreteDynamicsWorld& world) {
  double worst = 0;
  for (int k = 0; k < world.getNumConstraints(); ++k)
    if (world.getConstraint(k)->isEnabled())
      worst = std::max(worst, separation(*world.getConstraint(k)));
  return worst;
}

}  // namespace perpend::sim
