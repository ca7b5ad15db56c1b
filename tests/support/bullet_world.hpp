// A Bullet world that owns what is put into it, ours or the stock one.
#pragma once

#include <btBulletDynamicsCommon.h>

#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "perpend/sim/world.hpp"

namespace perpend::worlds {

inline constexpr double kStep = 1.0 / 60;  // s
inline constexpr double kGravity = 9.81;   // m/s^2

inline btTransform at(double x, double y, double z,
                      const btQuaternion& q = btQuaternion::getIdentity()) {
  return btTransform(q, btVector3(x, y, z));
}

template <class World>
class Bullet {
 public:
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher{&configuration};
  btDbvtBroadphase broadphase;
  btSequentialImpulseConstraintSolver solver;
  World world;

  explicit Bullet(btConstraintSolver* other = nullptr)
      : world(&dispatcher, &broadphase, other ? other : &solver, &configuration) {
    world.setGravity(btVector3(0, 0, -kGravity));
  }
  ~Bullet() {
    while (!joints_.empty()) remove(*joints_.back());
    while (!bodies_.empty()) remove(*bodies_.back());
  }

  template <class S, class... Arguments>
  S& shape(Arguments&&... arguments) {
    auto made = std::make_unique<S>(std::forward<Arguments>(arguments)...);
    S& kept = *made;
    shapes_.push_back(std::move(made));
    return kept;
  }
  // Mass 0: fixed.
  btRigidBody& body(double mass, btCollisionShape& form, const btTransform& pose, double mu = 0.5,
                    int group = 0, int mask = 0) {
    btVector3 moments(0, 0, 0);
    if (mass > 0) form.calculateLocalInertia(mass, moments);
    btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, &form, moments);
    info.m_startWorldTransform = pose;
    info.m_friction = std::sqrt(mu);  // Bullet multiplies the two bodies' numbers
    auto made = std::make_unique<btRigidBody>(info);
    btRigidBody& kept = *made;
    if (group)
      world.addRigidBody(&kept, group, mask);
    else
      world.addRigidBody(&kept);
    bodies_.push_back(std::move(made));
    return kept;
  }
  btRigidBody& cube(double mass, double x, double y, double z, double mu = 0.5) {
    return body(mass, shape<btBoxShape>(btVector3(0.5, 0.5, 0.5)), at(x, y, z), mu);
  }
  btRigidBody& plane(double mu = 0.5) {
    return body(0, shape<btStaticPlaneShape>(btVector3(0, 0, 1), 0), at(0, 0, 0), mu);
  }
  template <class J, class... Arguments>
  J& joint(bool no_contact, Arguments&&... arguments) {
    auto made = std::make_unique<J>(std::forward<Arguments>(arguments)...);
    J& kept = *made;
    world.addConstraint(&kept, no_contact);
    joints_.push_back(std::move(made));
    return kept;
  }

  void remove(btTypedConstraint& gone) {
    world.removeConstraint(&gone);
    std::erase_if(joints_, [&](const auto& one) { return one.get() == &gone; });
  }
  void remove(btRigidBody& gone) {
    world.removeRigidBody(&gone);
    std::erase_if(bodies_, [&](const auto& one) { return one.get() == &gone; });
  }

  void step(int times = 1, double h = kStep) {
    for (int i = 0; i < times; ++i) world.stepSimulation(h, 0);
  }

  // Points of the pair's manifolds with the bodies in either order.
  std::vector<btManifoldPoint> points(const btCollisionObject& a, const btCollisionObject& b) {
    std::vector<btManifoldPoint> list;
    for (int i = 0; i < dispatcher.getNumManifolds(); ++i) {
      btPersistentManifold& manifold = *dispatcher.getManifoldByIndexInternal(i);
      const bool same = manifold.getBody0() == &a && manifold.getBody1() == &b;
      const bool swapped = manifold.getBody0() == &b && manifold.getBody1() == &a;
      if (!same && !swapped) continue;
      for (int p = 0; p < manifold.getNumContacts(); ++p)
        list.push_back(manifold.getContactPoint(p));
    }
    return list;
  }
  // The whole impulse on `a` from `b` as a Bullet user adds it up: impulses act on body 0 along
  // the normal on B and the two lateral directions. N s
  btVector3 impulse(const btCollisionObject& a, const btCollisionObject& b) {
    btVector3 sum(0, 0, 0);
    for (int i = 0; i < dispatcher.getNumManifolds(); ++i) {
      btPersistentManifold& manifold = *dispatcher.getManifoldByIndexInternal(i);
      const bool first = manifold.getBody0() == &a && manifold.getBody1() == &b;
      const bool second = manifold.getBody0() == &b && manifold.getBody1() == &a;
      if (!first && !second) continue;
      for (int p = 0; p < manifold.getNumContacts(); ++p) {
        const btManifoldPoint& point = manifold.getContactPoint(p);
        const btVector3 on_first = point.m_appliedImpulse * point.m_normalWorldOnB +
                                   point.m_appliedImpulseLateral1 * point.m_lateralFrictionDir1 +
                                   point.m_appliedImpulseLateral2 * point.m_lateralFrictionDir2;
        sum += first ? on_first : -on_first;
      }
    }
    return sum;
  }

 private:
  std::vector<std::unique_ptr<btCollisionShape>> shapes_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
  std::vector<std::unique_ptr<btTypedConstraint>> joints_;
};

using Ours = Bullet<DynamicsWorld>;
using Stock = Bullet<btDiscreteDynamicsWorld>;

}  // namespace perpend::worlds
