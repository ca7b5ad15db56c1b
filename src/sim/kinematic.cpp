#include "sim/kinematic.hpp"

#include <btBulletDynamicsCommon.h>

namespace perpend::sim {

void KinematicBodies::leaves(btCollisionObject& object) {
  btRigidBody* body = btRigidBody::upcast(&object);
  if (body && body->isKinematicObject() && body->getActivationState() != ISLAND_SLEEPING)
    list_.push_back({body, body->getInterpolationWorldTransform(), {}, 0, 0, false});
}

void KinematicBodies::arrive_in(double time) {
  for (Body& k : list_) {
    k.to = k.body->getWorldTransform();
    k.duration = time;
  }
}

void KinematicBodies::place() {
  for (Body& k : list_) {
    if (k.arrived) continue;
    if (k.elapsed >= k.duration * (1 - 1e-9)) {
      k.body->setWorldTransform(k.to);
      k.arrived = true;
      continue;
    }
    btTransform pose = k.from;
    if (k.elapsed > 0)
      btTransformUtil::integrateTransform(k.from, k.body->getLinearVelocity(),
                                          k.body->getAngularVelocity(), k.elapsed, pose);
    k.body->setWorldTransform(pose);
  }
}

void KinematicBodies::advance(double h) {
  for (Body& k : list_) k.elapsed += h;
  place();
}

void KinematicBodies::forget(const btCollisionObject* object) {
  std::erase_if(list_, [&](const Body& k) { return k.body == object; });
}

}  // namespace perpend::sim
