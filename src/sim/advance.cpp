// After v+: positions x + h v+ and the exponential map of h w+, impulses to where Bullet's users
// read them.
#include <algorithm>
#include <cmath>

#include "sim/bullet_body.hpp"
#include "sim/step.hpp"

namespace perpend::sim {
void Step::advance() {
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const Moving& m = bodies_[i];
    if (!m.moves) continue;
    const Vector3d v = velocities_plus_.row(static_cast<Index>(i)).head<3>().transpose();
    const Vector3d w = velocities_plus_.row(static_cast<Index>(i)).tail<3>().transpose();
    m.rigid->setLinearVelocity(to_bullet(v));
    m.rigid->setAngularVelocity(to_bullet(w));
    move(*m.rigid, h_ * v, h_ * w);
  }
  for (Kinematic& k : kinematic_) k.elapsed += h_;
  place_kinematic();
  write_back();
}

void Step::write_back() {
  std::vector<Vector3d> impulses;
  for (const Pair& pair : pairs_) {
    if (!pair.contacts) continue;
    impulses.clear();
    for (Index i = pair.start; i < pair.start + pair.count; ++i) {
      const PairContacts::Touch& touch = touches_[static_cast<std::size_t>(i)];
      const Vector3d& normal = touch.point.normal;
      const Tangents& directions = touch.tangents;
      const auto z = impulses_.segment<3>(3 * i);
      impulses.emplace_back(z[0] * normal + z[1] * directions.t + z[2] * directions.o);
    }
    pair.contacts->keep(std::span(touches_).subspan(static_cast<std::size_t>(pair.start),
                                                    static_cast<std::size_t>(pair.count)),
                        impulses);
  }
  const Index m = frame_.contacts.count();
  for (const HeldJoint& held : joints_) {
    if (!held.joint) continue;
    std::vector<Remembered>& kept = joint_impulses_[held.joint];
    kept.clear();
    const auto rows =
        std::span(joint_rows_)
            .subspan(static_cast<std::size_t>(held.start), static_cast<std::size_t>(held.count));
    const auto impulses_of = impulses_.segment(3 * m + held.start, held.count);
    for (std::size_t r = 0; r < rows.size(); ++r)
      kept.push_back({rows[r].key, impulses_of[static_cast<Index>(r)]});
    write_joint_impulses(*held.joint, rows, impulses_of, h_);
  }
}

// Bullet moves kinematic bodies to the end of the step before it; the step starts where they were.
void Step::kinematic_before() {
  kinematic_.clear();
  const btCollisionObjectArray& objects = world_.getCollisionObjectArray();
  for (int i = 0; i < objects.size(); ++i) {
    btRigidBody* body = btRigidBody::upcast(objects[i]);
    if (body && body->isKinematicObject() && body->getActivationState() != ISLAND_SLEEPING)
      kinematic_.push_back({body, body->getInterpolationWorldTransform(), {}, 0, 0, false});
  }
}

void Step::kinematic_after(double time) {
  for (Kinematic& k : kinematic_) {
    k.to = k.body->getWorldTransform();
    k.duration = time;
  }
}

void Step::place_kinematic() {
  for (Kinematic& k : kinematic_) {
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

void Step::call_on_step() { on_step({frame_, impulses_, velocities_plus_}, report); }

void Step::forget(const btTypedConstraint* joint) { joint_impulses_.erase(joint); }

void Step::forget(const btRigidBody* body) {
  std::erase_if(kinematic_, [&](const Kinematic& k) { return k.body == body; });
}

}  // namespace perpend::sim
