// How deep two objects overlap.
#include <BulletCollision/CollisionDispatch/btCollisionObject.h>

#include "sim/contacts.hpp"
namespace perpend::sim {
double ContactFinder::penetration(const btCollisionObject& first, const btCollisionObject& second) {
  std::vector<ContactPoint> c;
  find_contacts(first, second, 0,
                Sweep{Vector3d::Zero(), Vector3d::Zero(), Vector3d::Zero(), Vector3d::Zero(),
                      Vector3d::Zero(), Vector3d::Zero()},
                c);
  double d = 0;
  for (auto& p : c) d = std::max(d, -p.gap);
  return d;
}
double penetration(const btCollisionObject& first, const btCollisionObject& second) {
  return ContactFinder().penetration(first, second);
}
}  // namespace perpend::sim
