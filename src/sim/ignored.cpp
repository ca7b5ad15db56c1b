#include "sim/ignored.hpp"

#include <BulletCollision/CollisionDispatch/btCollisionObject.h>
#include <BulletCollision/CollisionShapes/btCompoundShape.h>
#include <BulletCollision/CollisionShapes/btSdfCollisionShape.h>
#include <BulletCollision/Gimpact/btGImpactShape.h>

namespace perpend::sim {
namespace {

struct Wish {
  const char* name;
  bool (*asked)(const btCollisionObject&);
};

// Is this true of the shape, or of a part of it?
bool any_part(const btCollisionShape& shape, bool (*is)(const btCollisionShape&)) {
  if (!shape.isCompound()) return is(shape);
  const auto& compound = static_cast<const btCompoundShape&>(shape);
  for (int i = 0; i < compound.getNumChildShapes(); ++i)
    if (any_part(*compound.getChildShape(i), is)) return true;
  return false;
}

// Bullet hands out no triangles of it, and it is no convex shape.
bool without_surface(const btCollisionShape& shape) {
  switch (shape.getShapeType()) {
    case GIMPACT_SHAPE_PROXYTYPE:
      return static_cast<const btGImpactShapeInterface&>(shape).getGImpactShapeType() ==
             CONST_GIMPACT_COMPOUND_SHAPE;
    case SDF_SHAPE_PROXYTYPE:  // also of users' own concave shapes
      return dynamic_cast<const btSdfCollisionShape*>(&shape) != nullptr;
    default:
      return !shape.isConvex() && !shape.isConcave();
  }
}

const std::array<Wish, 6> kWishes{{
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
    {"a moving triangle mesh",
     [](const btCollisionObject& o) {
       return !o.isStaticOrKinematicObject() &&
              any_part(*o.getCollisionShape(), [](const auto& s) { return s.isConcave(); });
     }},
    {"a distance field, a GImpact compound or an unknown type as its shape",
     [](const btCollisionObject& o) { return any_part(*o.getCollisionShape(), without_surface); }},
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
