// The order of bodies and joints in a step: by their ids.
#include <algorithm>
#include <tuple>

#include "sim/step.hpp"

namespace perpend::sim {

std::int64_t Step::id(const btCollisionObject& object) const {
  const btBroadphaseProxy* proxy = object.getBroadphaseHandle();
  return body_ids_.of(&object, proxy ? proxy->getUid() : 0);
}

// What is remembered by ids is not known any more when they change.
bool Step::give_id(const btCollisionObject* object, std::int64_t id) {
  if (body_ids_.given(object) == id) return true;
  if (!body_ids_.give(object, id)) return false;
  memory_ = {};
  fell_short_.clear();
  return true;
}

std::vector<std::pair<std::int64_t, btCollisionObject*>> Step::ordered_bodies() const {
  const btCollisionObjectArray& objects = world_.getCollisionObjectArray();
  std::vector<std::pair<std::int64_t, btCollisionObject*>> order;
  order.reserve(static_cast<std::size_t>(objects.size()));
  for (int i = 0; i < objects.size(); ++i) order.emplace_back(id(*objects[i]), objects[i]);
  std::sort(order.begin(), order.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  return order;
}

void Step::order_bodies() {
  const auto order = ordered_bodies();
  bodies_.resize(order.size());
  rows_.resize(order.size());
  for (std::size_t row = 0; row < order.size(); ++row) {
    std::tie(bodies_[row].id, bodies_[row].object) = order[row];
    rows_[static_cast<std::size_t>(bodies_[row].object->getWorldArrayIndex())] =
        static_cast<Index>(row);
  }
}

Index Step::row(const btCollisionObject& object) const {
  const int index = object.getWorldArrayIndex();
  if (index < 0 || static_cast<std::size_t>(index) >= rows_.size()) return -1;
  const Index row = rows_[static_cast<std::size_t>(index)];
  return bodies_[static_cast<std::size_t>(row)].object == &object ? row : -1;
}

// Joints with an id, by id; then by the ids of their two bodies; then as they were added. The world
// itself, and bodies that are not in it, are -1.
std::vector<btTypedConstraint*> Step::ordered_joints() const {
  using Key = std::tuple<bool, std::int64_t, std::int64_t, std::int64_t, std::int64_t>;
  std::vector<std::pair<Key, btTypedConstraint*>> list;
  for (int k = 0; k < world_.getNumConstraints(); ++k) {
    btTypedConstraint* joint = world_.getConstraint(k);
    const std::optional<std::int64_t> given = joint_ids_.given(joint);
    const auto number = joint_numbers_.find(joint);
    list.emplace_back(Key{!given, given.value_or(0), id_or_world(joint->getRigidBodyA()),
                          id_or_world(joint->getRigidBodyB()),
                          number == joint_numbers_.end() ? k : number->second},
                      joint);
  }
  std::sort(list.begin(), list.end(),
            [](const auto& x, const auto& y) { return x.first < y.first; });
  std::vector<btTypedConstraint*> joints;
  joints.reserve(list.size());
  for (const auto& one : list) joints.push_back(one.second);
  return joints;
}

std::int64_t Step::id_or_world(const btRigidBody& body) const {
  return body.getBroadphaseHandle() ? id(body) : -1;
}

void Step::number(const btTypedConstraint* joint) { joint_numbers_[joint] = joints_added_++; }

}  // namespace perpend::sim
