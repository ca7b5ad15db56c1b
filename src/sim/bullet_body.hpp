// What a Bullet body is to a frame.
#pragma once

#include <btBulletDynamicsCommon.h>

#include "sim/bullet_types.hpp"
#include "sim/integrate.hpp"

namespace perpend::sim {

inline Matrix3d world_inertia(const btRigidBody& body) {
  const btVector3& inverse = body.getInvInertiaDiagLocal();
  Vector3d local;
  // A body that Bullet does not let turn gets lock rows; what its inertia is does not matter then.
  for (int k = 0; k < 3; ++k) local[k] = inverse[k] > 0 ? 1 / inverse[k] : 1;
  const Matrix3d axes = from_bullet(body.getCenterOfMassTransform().getBasis());
  const Matrix3d inertia = axes * local.asDiagonal() * axes.transpose();
  return (inertia + inertia.transpose()) / 2;
}

// N m; zero where the user has switched the term off.
inline Vector3d gyroscopic_torque(const btRigidBody& body, const Matrix3d& inertia, double h) {
  constexpr int kOn = BT_ENABLE_GYROSCOPIC_FORCE_EXPLICIT |
                      BT_ENABLE_GYROSCOPIC_FORCE_IMPLICIT_WORLD |
                      BT_ENABLE_GYROSCOPIC_FORCE_IMPLICIT_BODY;
  if (!(body.getFlags() & kOn)) return Vector3d::Zero();
  const btVector3& spin = body.getAngularVelocity();
  if (spin.isZero()) return Vector3d::Zero();
  return gyroscopic_impulse(inertia, from_bullet(spin), h) / h;
}

// Row i of the frame's bodies. A body that does not `move` (fixed, kinematic, asleep) has no mass,
// and a velocity only if it is kinematic.
inline void fill_body(Bodies& out, Index i, const btCollisionObject& object, bool moves,
                      const Matrix3d& inertia, const Vector3d& gyroscopic) {
  const btTransform& pose = object.getWorldTransform();
  out.positions.row(i) = from_bullet(pose.getOrigin()).transpose();
  const btQuaternion q = pose.getRotation();
  out.quaternions.row(i) << q.w(), q.x(), q.y(), q.z();
  out.masses[i] = 0;
  out.inertia.row(i).setZero();
  const btRigidBody* body = btRigidBody::upcast(&object);
  if (!body || (!moves && !body->isKinematicObject())) return;
  out.velocities.row(i).head<3>() = from_bullet(body->getLinearVelocity()).transpose();
  out.velocities.row(i).tail<3>() = from_bullet(body->getAngularVelocity()).transpose();
  if (!moves) return;
  out.masses[i] = 1 / body->getInvMass();
  for (int r = 0; r < 3; ++r) out.inertia.row(i).segment<3>(3 * r) = inertia.row(r);
  out.forces.row(i).head<3>() = from_bullet(body->getTotalForce()).transpose();
  out.forces.row(i).tail<3>() = (from_bullet(body->getTotalTorque()) + gyroscopic).transpose();
}

// What a user must apply so that Bullet, which multiplies it by the body's factor, has `total`.
inline btVector3 without_factor(btVector3 total, const btVector3& factor) {
  for (int k = 0; k < 3; ++k) total[k] = factor[k] != 0 ? total[k] / factor[k] : 0;
  return total;
}

// Shifts a body and turns it about its centre of mass.
inline void move(btRigidBody& body, const Vector3d& shift, const Vector3d& turn) {
  btTransform pose = body.getCenterOfMassTransform();
  pose.setOrigin(pose.getOrigin() + to_bullet(shift));
  if (!turn.isZero(0)) {
    const btQuaternion q = pose.getRotation();
    Eigen::Quaterniond turned = exponential(turn) * Eigen::Quaterniond(q.w(), q.x(), q.y(), q.z());
    turned.normalize();
    pose.setRotation(btQuaternion(turned.x(), turned.y(), turned.z(), turned.w()));
  }
  body.proceedToTransform(pose);
}

}  // namespace perpend::sim
