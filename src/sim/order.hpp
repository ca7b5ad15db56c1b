// The order of bodies and joints in a step: by their ids, given by the user or by the order of
// adding.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "sim/ids.hpp"

class btCollisionObject;
class btDiscreteDynamicsWorld;
class btRigidBody;
class btTypedConstraint;

namespace perpend::sim {

class Order {
 public:
  // False when the id is out of range, or another has it.
  bool give(const btCollisionObject* body, std::int64_t id) { return bodies_.give(body, id); }
  bool give(const btTypedConstraint* joint, std::int64_t id) { return joints_.give(joint, id); }
  bool has(const btCollisionObject* body, std::int64_t id) const;  // it was given this one

  void added(const btTypedConstraint*);
  void forget(const btTypedConstraint*);
  // True when the ids of all others are another sort from now on: none is a given one any more.
  bool forget(const btCollisionObject*);

  std::int64_t id(const btCollisionObject&) const;
  std::int64_t id_or_world(const btRigidBody&) const;  // -1: the world, or not in it

  std::vector<std::pair<std::int64_t, btCollisionObject*>> bodies(btDiscreteDynamicsWorld&) const;
  // Joints with an id, by id; then by the ids of their two bodies; then as they were added.
  std::vector<btTypedConstraint*> joints(btDiscreteDynamicsWorld&) const;

 private:
  Ids bodies_, joints_;                                       // given by the user
  std::map<const btTypedConstraint*, std::int64_t> numbers_;  // of joints; only looked up
  std::int64_t joints_added_ = 0;
};

}  // namespace perpend::sim
