#include "sim/bodies.hpp"

#include <algorithm>

#include "sim/bullet_body.hpp"

namespace perpend::sim {
namespace {

double radius_about_centre(const btCollisionObject& object) {
  if (object.getCollisionShape()->getShapeType() == SPHERE_SHAPE_PROXYTYPE)
    return static_cast<const btSphereShape*>(object.getCollisionShape())->getRadius();
  btVector3 centre;  // of the ball around the box along the axes
  btScalar radius;
  object.getCollisionShape()->getBoundingSphere(centre, radius);
  return centre.length() + radius;
}

bool movable(const btRigidBody* body) {
  return body && !body->isStaticOrKinematicObject() && body->getInvMass() > 0;
}

// Bullet moves it, or we do.
bool goes(const btRigidBody& body) {
  return !body.isStaticObject() && body.getActivationState() != ISLAND_SLEEPING;
}

StepBody step_body(std::int64_t id, btCollisionObject& object, double h, bool surface) {
  StepBody m;
  m.object = &object;
  m.rigid = btRigidBody::upcast(&object);
  m.id = id;
  if (!m.rigid) return m;
  m.moves = movable(m.rigid) && m.rigid->isActive();
  m.surface = surface && m.rigid->isStaticObject();
  if (m.rigid->isStaticObject() && !m.surface) return m;
  m.velocity = from_bullet(m.rigid->getLinearVelocity());
  m.spin = from_bullet(m.rigid->getAngularVelocity());
  if (!goes(*m.rigid)) return m;
  m.way = h * m.velocity;
  m.angle = h * m.spin;
  if (m.moves) {
    m.radius = radius_about_centre(object);
    m.inertia = world_inertia(*m.rigid);
    m.gyroscopic = gyroscopic_torque(*m.rigid, m.inertia, h);
    m.velocity += h * m.rigid->getInvMass() * from_bullet(m.rigid->getTotalForce());
    const Vector3d torque = from_bullet(m.rigid->getTotalTorque()) + m.gyroscopic;
    if (!torque.isZero(0)) m.spin += h * m.inertia.llt().solve(torque);
  } else if (m.rigid->isKinematicObject() && !m.spin.isZero(0)) {
    m.radius = radius_about_centre(object);
  }
  m.extend(h * m.velocity.norm(), h * m.spin.norm());
  return m;
}

}  // namespace

void StepBody::extend(double path, double turn) {
  reach = std::max(reach, path + (turn * radius + kSkin));
}

Index StepBodies::row(const btCollisionObject& object) const {
  const int index = object.getWorldArrayIndex();
  if (index < 0 || static_cast<std::size_t>(index) >= rows.size()) return -1;
  const Index found = rows[static_cast<std::size_t>(index)];
  return (*this)[found].object == &object ? found : -1;
}

StepBodies gather_bodies(const std::vector<std::pair<std::int64_t, btCollisionObject*>>& ordered,
                         double h, const MovingSurfaces& surfaces) {
  StepBodies bodies;
  bodies.list.reserve(ordered.size());
  bodies.rows.resize(ordered.size());
  for (const auto& [id, object] : ordered) {
    bodies.rows[static_cast<std::size_t>(object->getWorldArrayIndex())] = bodies.count();
    bodies.list.push_back(step_body(id, *object, h, surfaces.count(object) > 0));
  }
  return bodies;
}

bool others_awake(const StepBodies& bodies) {
  return std::any_of(bodies.list.begin(), bodies.list.end(), [](const StepBody& m) {
    return movable(m.rigid) && m.rigid->isActive() != m.moves;
  });
}

Bodies body_columns(const StepBodies& bodies) {
  const Index n = bodies.count();
  Bodies out;
  out.ids.resize(bodies.list.size());
  out.masses.resize(n);
  out.inertia.resize(n, 9);
  out.positions.resize(n, 3);
  out.quaternions.resize(n, 4);
  out.velocities = Rows6::Zero(n, 6);  // of bodies that are asleep, or no rigid ones
  out.forces = Rows6::Zero(n, 6);
  for (Index i = 0; i < n; ++i) {
    const StepBody& m = bodies[i];
    out.ids[static_cast<std::size_t>(i)] = m.id;
    fill_body(out, i, *m.object, m.moves, m.inertia, m.gyroscopic);
    if (m.surface) out.velocities.row(i) << m.velocity.transpose(), m.spin.transpose();
  }
  return out;
}

}  // namespace perpend::sim
