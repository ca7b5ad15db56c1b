// Saving and restoring a world between two steps: everything the next step depends on, and nothing
// else. What the broad phase and the solvers keep is no part of it, because no result depends on
// it.
#include "perpend/scene/snapshot.hpp"

#include <algorithm>

#include "sim/bullet_body.hpp"
#include "sim/step.hpp"

namespace perpend::sim {
namespace {

Snapshot::Placed placed(const btTransform& t) {
  return {from_bullet(t.getOrigin()), from_bullet(t.getBasis())};
}

btTransform to_bullet(const Snapshot::Placed& p) {
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

void Step::save(Snapshot& out) const {
  for (const auto& [id, object] : ordered_bodies()) {
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
    body.fell_short = std::binary_search(fell_short_.begin(), fell_short_.end(), id);
    out.bodies.push_back(body);
  }
  for (const ContactMemory::Pair& pair : memory_.pairs) {
    Snapshot::Pair& saved = out.pairs.emplace_back();
    saved.first = pair.first;
    saved.second = pair.second;
    for (const ContactMemory::Impulse& one :
         std::span(memory_.impulses).subspan(pair.start, pair.count))
      saved.contacts.push_back({one.feature, one.impulse});
  }
  for (btTypedConstraint* joint : ordered_joints()) {
    Snapshot::Joint& saved = out.joints.emplace_back();
    saved.first = id_or_world(joint->getRigidBodyA());
    saved.second = id_or_world(joint->getRigidBodyB());
    saved.enabled = joint->isEnabled();
    saved.impulse = joint->internalGetAppliedImpulse();
    if (const auto found = joint_impulses_.find(joint); found != joint_impulses_.end())
      for (const Remembered& row : found->second) saved.rows.push_back({row.key, row.impulse});
  }
}

std::string Step::restore(const Snapshot& saved) {
  if (const std::string why = invalid(saved); !why.empty()) return why;
  const auto bodies = ordered_bodies();
  const std::vector<btTypedConstraint*> joints = ordered_joints();
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
    if (saved.joints[i].first != id_or_world(joints[i]->getRigidBodyA()) ||
        saved.joints[i].second != id_or_world(joints[i]->getRigidBodyB()))
      return "joints " + std::to_string(i) + "/first, second: the world's joint links others";

  fell_short_.clear();
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
    if (body.fell_short) fell_short_.push_back(body.id);
  }
  kinematic_.clear();
  memory_ = {};
  for (const Snapshot::Pair& pair : saved.pairs) {
    memory_.pairs.push_back(
        {pair.first, pair.second, memory_.impulses.size(), pair.contacts.size()});
    for (const Snapshot::Contact& contact : pair.contacts)
      memory_.impulses.push_back({contact.feature, contact.impulse});
  }
  joint_impulses_.clear();
  for (std::size_t i = 0; i < joints.size(); ++i) {
    joints[i]->setEnabled(saved.joints[i].enabled);
    joints[i]->internalSetAppliedImpulse(saved.joints[i].impulse);
    for (const Snapshot::Row& row : saved.joints[i].rows)
      joint_impulses_[joints[i]].push_back({row.key, row.impulse});
  }
  // What users read of contacts belongs to a step that this world has not made.
  btBroadphasePairArray& pairs =
      world_.getBroadphase()->getOverlappingPairCache()->getOverlappingPairArray();
  for (int i = 0; i < pairs.size(); ++i) PairContacts::forget(pairs[i]);
  return {};
}

}  // namespace perpend::sim
