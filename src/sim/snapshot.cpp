#include "sim/snapshot.hpp"

#include <algorithm>

#include "sim/bullet_body.hpp"
#include "sim/pair_contacts.hpp"

namespace perpend::sim {
namespace {

Snapshot::Placement placed(const btTransform& t) {
  return {from_bullet(t.getOrigin()), from_bullet(t.getBasis())};
}

btTransform to_bullet(const Snapshot::Placement& p) {
  const Matrix3d& r = p.axes;
  return btTransform(
      btMatrix3x3(r(0, 0), r(0, 1), r(0, 2), r(1, 0), r(1, 1), r(1, 2), r(2, 0), r(2, 1), r(2, 2)),
      sim::to_bullet(p.position));
}

Snapshot::Vector6 six(const btVector3& linear, const btVector3& angular) {
  Snapshot::Vector6 out;
  out << from_bullet(linear), from_bullet(angular);
  return out;
}

void place(btRigidBody& body, const Snapshot::Body& saved) {
  const btVector3 v = sim::to_bullet(saved.velocity.head<3>()),
                  w = sim::to_bullet(saved.velocity.tail<3>());
  body.setCenterOfMassTransform(to_bullet(saved.pose));
  body.setInterpolationWorldTransform(to_bullet(saved.previous));
  body.setLinearVelocity(v);
  body.setAngularVelocity(w);
  body.setInterpolationLinearVelocity(v);
  body.setInterpolationAngularVelocity(w);
  body.clearForces();
  body.applyCentralForce(
      without_factor(sim::to_bullet(saved.force.head<3>()), body.getLinearFactor()));
  body.applyTorque(without_factor(sim::to_bullet(saved.force.tail<3>()), body.getAngularFactor()));
}

}  // namespace

Snapshot save(btDiscreteDynamicsWorld& world, const Order& order, const Memory& memory,
              const Drives& drives) {
  Snapshot out;
  for (const auto& [id, object] : order.bodies(world)) {
    Snapshot::Body body;
    body.id = id;
    body.pose = placed(object->getWorldTransform());
    body.previous = placed(object->getInterpolationWorldTransform());
    if (const btRigidBody* rigid = btRigidBody::upcast(object)) {
      body.velocity = six(rigid->getLinearVelocity(), rigid->getAngularVelocity());
      body.force = six(rigid->getTotalForce(), rigid->getTotalTorque());
    }
    body.activation = object->getActivationState();
    body.resting = object->getDeactivationTime();
    body.fell_short = std::binary_search(memory.fell_short.begin(), memory.fell_short.end(), id);
    body.held = std::binary_search(memory.held.begin(), memory.held.end(), id);
    out.bodies.push_back(body);
  }
  for (const ContactMemory::Pair& pair : memory.contacts.pairs) {
    Snapshot::Pair& saved = out.pairs.emplace_back();
    saved.first = pair.first;
    saved.second = pair.second;
    for (const ContactMemory::Impulse& one : memory.contacts.of(pair))
      saved.contacts.push_back({one.feature, one.impulse});
  }
  for (btTypedConstraint* joint : order.joints(world)) {
    Snapshot::Joint& saved = out.joints.emplace_back();
    saved.first = order.id_or_world(joint->getRigidBodyA());
    saved.second = order.id_or_world(joint->getRigidBodyB());
    saved.enabled = joint->isEnabled();
    saved.impulse = joint->internalGetAppliedImpulse();
    if (const auto found = memory.joints.find(joint); found != memory.joints.end())
      for (const Memory::RowImpulse& row : found->second)
        saved.rows.push_back({row.key, row.impulse});
    if (const auto found = drives.find(joint); found != drives.end())
      for (const std::size_t axis : free_axes_of(*joint))
        saved.drives.push_back({static_cast<int>(axis), found->second.axes[axis],
                                found->second.coordinates[axis], found->second.forces[axis]});
  }
  return out;
}

std::string restore(const Snapshot& saved, btDiscreteDynamicsWorld& world, const Order& order,
                    Memory& memory, Drives& drives) {
  if (std::string why = invalid(saved); !why.empty()) return why;
  const auto bodies = order.bodies(world);
  const std::vector<btTypedConstraint*> joints = order.joints(world);
  const auto counts = [](const char* what, std::size_t there, std::size_t here) {
    return std::string(what) + ": there are " + std::to_string(there) + ", the world has " +
           std::to_string(here);
  };
  if (saved.bodies.size() != bodies.size())
    return counts("bodies", saved.bodies.size(), bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (saved.bodies[i].id != bodies[i].first)
      return "bodies " + std::to_string(i) + "/id: " + std::to_string(saved.bodies[i].id) +
             ", where the world has " + std::to_string(bodies[i].first);
  if (saved.joints.size() != joints.size())
    return counts("joints", saved.joints.size(), joints.size());
  for (std::size_t i = 0; i < joints.size(); ++i)
    if (saved.joints[i].first != order.id_or_world(joints[i]->getRigidBodyA()) ||
        saved.joints[i].second != order.id_or_world(joints[i]->getRigidBodyB()))
      return "joints " + std::to_string(i) + "/first, second: the world's joint links others";

  memory = {};
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Snapshot::Body& body = saved.bodies[i];
    btCollisionObject& object = *bodies[i].second;
    if (btRigidBody* rigid = btRigidBody::upcast(&object)) {
      place(*rigid, body);
    } else {
      object.setWorldTransform(to_bullet(body.pose));
      object.setInterpolationWorldTransform(to_bullet(body.previous));
    }
    object.forceActivationState(body.activation);
    object.setDeactivationTime(body.resting);
    if (body.fell_short) memory.fell_short.push_back(body.id);
    if (body.held) memory.held.push_back(body.id);
  }
  std::vector<ContactMemory::Impulse> impulses;
  for (const Snapshot::Pair& pair : saved.pairs) {
    impulses.clear();
    for (const Snapshot::Contact& contact : pair.contacts)
      impulses.push_back({contact.feature, contact.impulse});
    memory.contacts.append(pair.first, pair.second, impulses);
  }
  for (std::size_t i = 0; i < joints.size(); ++i) {
    joints[i]->setEnabled(saved.joints[i].enabled);
    joints[i]->internalSetAppliedImpulse(saved.joints[i].impulse);
    for (const Snapshot::Row& row : saved.joints[i].rows)
      memory.joints[joints[i]].push_back({row.key, row.impulse});
    for (const Snapshot::Drive& drive : saved.joints[i].drives) {
      JointDrives& own = drives[joints[i]];
      const auto axis = static_cast<std::size_t>(drive.axis);
      own.axes[axis] = drive.drive;
      own.coordinates[axis] = drive.coordinate;
      own.forces[axis] = drive.force;
    }
  }
  // What users read of contacts belongs to a step that this world has not made.
  btBroadphasePairArray& pairs =
      world.getBroadphase()->getOverlappingPairCache()->getOverlappingPairArray();
  for (int i = 0; i < pairs.size(); ++i) PairContacts::forget(pairs[i]);
  return {};
}

}  // namespace perpend::sim
