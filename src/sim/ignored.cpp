#include "sim/ignored.hpp"

#include <BulletCollision/CollisionDispatch/btCollisionObject.h>

namespace perpend::sim {
namespace {

struct Wish {
  const char* name;
  bool (*asked)(const btCollisionObject&);
};

const std::array<Wish, 4> kWishes{{
    {"rolling friction", [](const btCollisionObject& o) { return o.getRollingFriction() != 0; }},
    {"spinning friction", [](const btCollisionObject& o) { return o.getSpinningFriction() != 0; }},
    {"anisotropic friction",
     [](const btCollisionObject& o) {
       return o.hasAnisotropicFriction(btCollisionObject::CF_ANISOTROPIC_FRICTION |
                                       btCollisionObject::CF_ANISOTROPIC_ROLLING_FRICTION);
     }},
    {"contact stiffness and damping",
     [](const btCollisionObject& o) {
       return (o.getCollisionFlags() & btCollisionObject::CF_HAS_CONTACT_STIFFNESS_DAMPING) != 0;
     }},
}};

}  // namespace

std::vector<std::string> Ignored::news(const StepBodies& bodies) {
  std::vector<std::string> out;
  for (std::size_t k = 0; k < kWishes.size(); ++k) {
    if (told_[k]) continue;
    for (const StepBody& m : bodies.list)
      if (kWishes[k].asked(*m.object)) {
        out.push_back("body " + std::to_string(m.id) + " has " + kWishes[k].name +
                      ", which is not modelled");
        told_[k] = true;
        break;
      }
  }
  return out;
}

}  // namespace perpend::sim
