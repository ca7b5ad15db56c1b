#include "sim/state_of_world.hpp"

#include <btBulletDynamicsCommon.h>

#include <algorithm>
#include <vector>

#include "sim/box.hpp"
#include "sim/contacts.hpp"
#include "sim/joints.hpp"

namespace perpend::sim {

// Pairs are found by a sweep along x of our own: to bring the world's broad phase up to date would
// change the order in which Bullet finds its next contacts, and with it the run that is measured.
double penetration(btDiscreteDynamicsWorld& world, ContactFinder& finder) {
  struct Boxed {
    btCollisionObject* object;
    Box box;
  };
  std::vector<Boxed> all;
  for (int i = 0; i < world.getNumCollisionObjects(); ++i) {
    btCollisionObject* object = world.getCollisionObjectArray()[i];
    all.push_back({object, box_around(*object->getCollisionShape(), object->getWorldTransform())});
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const Boxed& a, const Boxed& b) { return a.box.low.x() < b.box.low.x(); });
  btDispatcher& dispatcher = *world.getDispatcher();
  const auto measured = [&](btCollisionObject* a, btCollisionObject* b) {
    return (!a->isStaticOrKinematicObject() || !b->isStaticOrKinematicObject()) &&
           world.getPairCache()->needsBroadphaseCollision(a->getBroadphaseHandle(),
                                                          b->getBroadphaseHandle()) &&
           dispatcher.needsCollision(a, b) && dispatcher.needsResponse(a, b);
  };
  double deepest = 0;
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = i + 1; j < all.size() && all[j].box.low.x() <= all[i].box.high.x(); ++j)
      if (all[i].box.meets(all[j].box) && measured(all[i].object, all[j].object))
        deepest = std::max(deepest, finder.penetration(*all[i].object, *all[j].object));
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
