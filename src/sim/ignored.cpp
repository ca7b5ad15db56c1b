#include "sim/ignored.hpp"

#include <BulletCollision/CollisionShapes/btSdfCollisionShape.h>
#include <BulletCollision/Gimpact/btGImpactShape.h>
#include <btBulletDynamicsCommon.h>

namespace perpend::sim {
namespace {

bool partial(const btVector3& factor) {
  const auto whole = [](double f) { return f == 0 || f == 1; };
  return !whole(factor.x()) || !whole(factor.y()) || !whole(factor.z());
}

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

// What of the three a setting is one of; the others are null.
struct Wish {
  const char* what;
  bool (*of_body)(const btCollisionObject&) = nullptr;
  bool (*of_joint)(const btTypedConstraint&) = nullptr;
  bool (*of_world)(const btContactSolverInfo&) = nullptr;
};

template <bool (*test)(const btCollisionObject&)>
Wish wish(const char* what) {
  return {what, test};
}
template <bool (*test)(const btRigidBody&)>
Wish wish(const char* what) {
  return {what, [](const btCollisionObject& object) {
            const btRigidBody* body = btRigidBody::upcast(&object);
            return body && test(*body);
          }};
}
template <class Joint, btTypedConstraintType type, bool (*test)(const Joint&)>
Wish wish_of_joint(const char* what) {
  return {what, nullptr, [](const btTypedConstraint& joint) {
            return joint.getConstraintType() == type && test(static_cast<const Joint&>(joint));
          }};
}
template <bool (*test)(const btHingeConstraint&)>
Wish wish(const char* what) {
  return wish_of_joint<btHingeConstraint, HINGE_CONSTRAINT_TYPE, test>(what);
}
template <bool (*test)(const btPoint2PointConstraint&)>
Wish wish(const char* what) {
  return wish_of_joint<btPoint2PointConstraint, POINT2POINT_CONSTRAINT_TYPE, test>(what);
}
template <bool (*test)(const btContactSolverInfo&)>
Wish wish(const char* what) {
  return {what, nullptr, nullptr, test};
}

#define PERPEND_OBEYED(CLASS, NAMES)
#define PERPEND_IGNORED(CLASS, NAMES, WHY)
#define PERPEND_UNREAD(CLASS, NAMES)
#define PERPEND_INTERNAL(CLASS, NAMES)
#define PERPEND_NOTED(CLASS, NAMES, TYPE, WHAT, TEST) \
  wish<+[](const TYPE& o) { return TEST; }>(WHAT),
const Wish kWishes[] = {
#include "sim/settings.inc"
    {"a moving triangle mesh",
     [](const btCollisionObject& o) {
       return !o.isStaticOrKinematicObject() &&
              any_part(*o.getCollisionShape(), [](const auto& s) { return s.isConcave(); });
     }},
    {"a distance field, a GImpact compound or an unknown type as its shape",
     [](const btCollisionObject& o) { return any_part(*o.getCollisionShape(), without_surface); }},
};

}  // namespace

std::vector<std::string> Ignored::news(const StepBodies& bodies,
                                       const std::vector<btTypedConstraint*>& joints,
                                       const btContactSolverInfo& info) {
  told_.resize(std::size(kWishes));
  const auto name = [&](const btRigidBody& body) {
    const Index row = bodies.row(body);
    return row < 0 ? std::string("the world") : "body " + std::to_string(bodies[row].id);
  };
  const auto first = [&](const Wish& wish) -> std::string {
    if (wish.of_world && wish.of_world(info)) return "the world";
    if (wish.of_body)
      for (const StepBody& m : bodies.list)
        if (wish.of_body(*m.object)) return "body " + std::to_string(m.id);
    if (wish.of_joint)
      for (const btTypedConstraint* joint : joints)
        if (wish.of_joint(*joint))
          return "the joint of " + name(joint->getRigidBodyA()) + " and " +
                 name(joint->getRigidBodyB());
    return {};
  };
  std::vector<std::string> out;
  for (std::size_t k = 0; k < told_.size(); ++k) {
    if (told_[k]) continue;
    const std::string who = first(kWishes[k]);
    if (who.empty()) continue;
    out.push_back(who + " has " + kWishes[k].what + ", which is not modelled");
    told_[k] = true;
  }
  return out;
}

}  // namespace perpend::sim
