// Bullet bodies that are in no world, as the stages of a step want them.
#pragma once

#include <btBulletDynamicsCommon.h>

#include <memory>
#include <vector>

#include "sim/bodies.hpp"

namespace perpend::sim {

class HandMade {
 public:
  static constexpr double kHalf = 0.5;  // m, of a cube's edge

  // A cube of edge 1 m. Mass 0: fixed.
  btRigidBody& cube(double mass, double x, double y, double z) {
    btVector3 moments(0, 0, 0);
    if (mass > 0) box_.calculateLocalInertia(mass, moments);
    btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, &box_, moments);
    info.m_startWorldTransform.setOrigin(btVector3(x, y, z));
    bodies_.push_back(std::make_unique<btRigidBody>(info));
    btRigidBody& body = *bodies_.back();
    body.setFlags(0);  // no gyroscopic term
    if (mass > 0) body.setActivationState(ACTIVE_TAG);
    body.setWorldArrayIndex(static_cast<int>(bodies_.size()) - 1);
    return body;
  }
  // As a step of h finds them; the first has the id 10, the others follow.
  StepBodies gathered(double h, const MovingSurfaces& surfaces = {}) {
    std::vector<std::pair<std::int64_t, btCollisionObject*>> ordered;
    for (const auto& body : bodies_)
      ordered.emplace_back(10 + static_cast<std::int64_t>(ordered.size()), body.get());
    return gather_bodies(ordered, h, surfaces);
  }

 private:
  btBoxShape box_{btVector3(kHalf, kHalf, kHalf)};
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
};

}  // namespace perpend::sim
