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
  impulses.reserve(touches_.size());
  for (std::size_t i = 0; i < touches_.size(); ++i) {
    const PairContacts::Touch& touch = touches_[i];
    const auto z = impulses_.segment<3>(3 * static_cast<Index>(i));
    impulses.emplace_back(z[0] * touch.point.normal + z[1] * touch.tangents.t +
                          z[2] * touch.tangents.o);
  }
  remember_contacts(impulses);
  for (const Pair& pair : pairs_)
    if (pair.contacts)
      pair.contacts->keep(std::span(touches_).subspan(static_cast<std::size_t>(pair.start),
                                                      static_cast<std::size_t>(pair.count)),
                          std::span(impulses).subspan(static_cast<std::size_t>(pair.start),
                                                      static_cast<std::size_t>(pair.count)));
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

std::span<const Step::ContactMemory::Impulse> Step::ContactMemory::of(std::int64_t first,
                                                                      std::int64_t second) const {
  const auto found = std::lower_bound(
      pairs.begin(), pairs.end(), std::pair(first, second),
      [](const Pair& a, const auto& wanted) { return std::pair(a.first, a.second) < wanted; });
  if (found == pairs.end() || found->first != first || found->second != second) return {};
  return std::span(impulses).subspan(found->start, found->count);
}

// Of this step's pairs, and of pairs asleep, which keep what they had.
void Step::remember_contacts(std::span<const Vector3d> impulses) {
  ContactMemory now;
  const auto add = [&](std::int64_t first, std::int64_t second, std::size_t count) {
    if (count > 0) now.pairs.push_back({first, second, now.impulses.size(), count});
  };
  const auto asleep = [&](std::int64_t id) {
    const auto found = std::lower_bound(bodies_.begin(), bodies_.end(), id,
                                        [](const Moving& m, std::int64_t i) { return m.id < i; });
    return found != bodies_.end() && found->id == id && !found->moves;
  };
  auto old = memory_.pairs.begin();
  const auto keep_asleep = [&](std::pair<std::int64_t, std::int64_t> before) {
    for (; old != memory_.pairs.end() && std::pair(old->first, old->second) < before; ++old) {
      if (!asleep(old->first) || !asleep(old->second)) continue;
      add(old->first, old->second, old->count);
      const auto from = memory_.impulses.begin() + static_cast<std::ptrdiff_t>(old->start);
      now.impulses.insert(now.impulses.end(), from, from + static_cast<std::ptrdiff_t>(old->count));
    }
  };
  for (const Pair& pair : pairs_) {
    const std::int64_t first = bodies_[static_cast<std::size_t>(pair.first)].id,
                       second = bodies_[static_cast<std::size_t>(pair.second)].id;
    keep_asleep({first, second});
    add(first, second, static_cast<std::size_t>(pair.count));
    for (auto i = static_cast<std::size_t>(pair.start);
         i < static_cast<std::size_t>(pair.start + pair.count); ++i)
      now.impulses.push_back({touches_[i].point.feature, impulses[i]});
  }
  constexpr auto kLast = std::numeric_limits<std::int64_t>::max();
  keep_asleep({kLast, kLast});
  memory_ = std::move(now);
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

void Step::forget(const btTypedConstraint* joint) {
  joint_impulses_.erase(joint);
  joint_numbers_.erase(joint);
  joint_ids_.forget(joint);
}

void Step::forget(const btCollisionObject* object) {
  std::erase_if(kinematic_, [&](const Kinematic& k) { return k.body == object; });
  if (object->getBroadphaseHandle()) {
    const std::int64_t gone = id(*object);
    std::erase_if(memory_.pairs, [&](const ContactMemory::Pair& pair) {
      return pair.first == gone || pair.second == gone;
    });
    std::erase(fell_short_, gone);
  }
  const bool any = body_ids_.any();
  body_ids_.forget(object);
  if (any && !body_ids_.any()) {  // the others' ids are now another sort
    memory_ = {};
    fell_short_.clear();
  }
}

}  // namespace perpend::sim
