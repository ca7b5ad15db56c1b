#include "sim/order.hpp"

#include <btBulletDynamicsCommon.h>

#include <algorithm>
#include <tuple>

namespace perpend::sim {

bool Order::has(const btCollisionObject* body, std::int64_t id) const {
  return bodies_.given(body) == id;
}

void Order::added(const btTypedConstraint* joint) { numbers_[joint] = joints_added_++; }

void Order::forget(const btTypedConstraint* joint) {
  numbers_.erase(joint);
  joints_.forget(joint);
}

bool Order::forget(const btCollisionObject* body) {
  const bool any = bodies_.any();
  bodies_.forget(body);
  return any && !bodies_.any();
}

std::int64_t Order::id(const btCollisionObject& object) const {
  const btBroadphaseProxy* proxy = object.getBroadphaseHandle();
  return bodies_.of(&object, proxy ? proxy->getUid() : 0);
}

std::int64_t Order::id_or_world(const btRigidBody& body) const {
  return body.getBroadphaseHandle() ? id(body) : -1;
}

std::vector<std::pair<std::int64_t, btCollisionObject*>> Order::bodies(
    btDiscreteDynamicsWorld& world) const {
  const btCollisionObjectArray& objects = world.getCollisionObjectArray();
  std::vector<std::pair<std::int64_t, btCollisionObject*>> order;
  order.reserve(static_cast<std::size_t>(objects.size()));
  for (int i = 0; i < objects.size(); ++i) order.emplace_back(id(*objects[i]), objects[i]);
  std::sort(order.begin(), order.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  return order;
}

std::vector<btTypedConstraint*> Order::joints(btDiscreteDynamicsWorld& world) const {
  using Key = std::tuple<bool, std::int64_t, std::int64_t, std::int64_t, std::int64_t>;
  std::vector<std::pair<Key, btTypedConstraint*>> list;
  for (int k = 0; k < world.getNumConstraints(); ++k) {
    btTypedConstraint* joint = world.getConstraint(k);
    const std::optional<std::int64_t> given = joints_.given(joint);
    const auto number = numbers_.find(joint);
    list.emplace_back(
        Key{!given, given.value_or(0), id_or_world(joint->getRigidBodyA()),
            id_or_world(joint->getRigidBodyB()), number == numbers_.end() ? k : number->second},
        joint);
  }
  std::sort(list.begin(), list.end(),
            [](const auto& x, const auto& y) { return x.first < y.first; });
  std::vector<btTypedConstraint*> joints;
  joints.reserve(list.size());
  for (const auto& one : list) joints.push_back(one.second);
  return joints;
}

}  // namespace perpend::sim
