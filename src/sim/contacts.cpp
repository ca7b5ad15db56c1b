// From a pair of Bullet's collision objects to pairs of convex pieces.
#include "sim/contacts.hpp"

#include <BulletCollision/CollisionDispatch/btCollisionObject.h>
#include <BulletCollision/CollisionShapes/btCompoundShape.h>
#include <BulletCollision/CollisionShapes/btConvexShape.h>
#include <BulletCollision/CollisionShapes/btStaticPlaneShape.h>

#include "sim/bullet_types.hpp"
#include "sim/contact_finder.hpp"
#include "sim/contact_pair.hpp"

namespace perpend::sim {

void MovingConvex::place(const Piece& piece, bool moving, HullCache& hulls) {
  const auto& shape = *static_cast<const btConvexShape*>(piece.shape);
  solid.now = make_solid(shape, piece.now, hulls, now);
  if (moving)
    solid.next = make_solid(shape, piece.next, hulls, next);
  else if (solid.now.kind != Solid::Kind::polyhedron)
    solid.next = solid.now;
}

void MovingConvex::place_triangle(const std::array<Vector3d, 3>& corners, const Placement& motion,
                                  bool moving) {
  now.place_triangle(corners);
  solid.now.kind = solid.next.kind = Solid::Kind::polyhedron;
  solid.now.polyhedron = &now;
  solid.now.centre = corners[0];
  if (!moving) return;
  next.place_triangle({motion(corners[0]), motion(corners[1]), motion(corners[2])});
  solid.next.polyhedron = &next;
  solid.next.centre = motion(corners[0]);
  solid.next.place = motion;
}

namespace {

bool polyhedra(const MovingConvex& a, const MovingConvex& b) {
  return a.solid.now.kind == Solid::Kind::polyhedron && b.solid.now.kind == Solid::Kind::polyhedron;
}

}  // namespace

void contacts_of_convex(const MovingConvex& a, const MovingConvex& b, const TriangleRim* rim,
                        const Sink& sink) {
  if (polyhedra(a, b))
    contacts_of_polyhedra(a.solid, b.solid, rim, sink);
  else if (rim || !contacts_of_sphere(a.solid, b.solid, sink))
    contacts_of_solids(a.solid, b.solid, rim, sink);
}

Placement swept(const Placement& p, const Vector3d& centre, const Vector3d& shift,
                const Vector3d& angle) {
  const double a = angle.norm();
  if (a == 0) return {p.rotation, p.position + shift};
  const Matrix3d turn = Eigen::AngleAxisd(a, angle / a).toRotationMatrix();
  return {turn * p.rotation, centre + turn * (p.position - centre) + shift};
}

namespace {

// Does the sweep change the relative pose by more than rounding?
bool moves(const Sweep& s) {
  constexpr double kStill = 1e-8;  // m, far below kClip
  const Vector3d apart = s.centre2 - s.centre1;
  const Vector3d slip = s.linear2 - s.linear1 - s.angular1.cross(apart);
  const Vector3d turn = s.angular2 - s.angular1;
  return slip.norm() + turn.norm() * (1 + apart.norm()) > kStill;
}

class Walk {
 public:
  Walk(HullCache& hulls, const Sink& sink) : hulls_(hulls), sink_(sink) {}

  void pair(const Piece& a, const Piece& b) {
    if (a.shape->isCompound()) return children(a, b, false);
    if (b.shape->isCompound()) return children(b, a, true);
    if (a.shape->getShapeType() == STATIC_PLANE_PROXYTYPE) return plane(a, b, false);
    if (b.shape->getShapeType() == STATIC_PLANE_PROXYTYPE) return plane(b, a, true);
    if (a.shape->isConcave()) return mesh(a, b, false);
    if (b.shape->isConcave()) return mesh(b, a, true);
    if (!a.shape->isConvex() || !b.shape->isConvex()) return;
    const Sink sink = sink_.between(a, b, false);
    MovingConvex p, q;
    p.place(a, sink.moving, hulls_);
    q.place(b, sink.moving, hulls_);
    contacts_of_convex(p, q, nullptr, sink);
  }

 private:
  void children(const Piece& compound, const Piece& other, bool swapped) {
    const auto* shape = static_cast<const btCompoundShape*>(compound.shape);
    const bool endless = other.shape->getShapeType() == STATIC_PLANE_PROXYTYPE;
    const Box around = endless ? Box() : box_around(*other.shape, other.now);
    for (int i = 0; i < shape->getNumChildShapes(); ++i) {
      const Placement local = placement(shape->getChildTransform(i));
      const Piece child{shape->getChildShape(i), compound.now * local, compound.next * local,
                        mixed(compound.path, static_cast<std::uint64_t>(i))};
      if (!endless && !around.meets(box_around(*child.shape, child.now), sink_.reach)) continue;
      if (swapped)
        pair(other, child);
      else
        pair(child, other);
    }
  }

  void plane(const Piece& plane, const Piece& other, bool swapped) {
    if (!other.shape->isConvex()) return;
    const HalfSpace below =
        half_space(*static_cast<const btStaticPlaneShape*>(plane.shape), plane.now);
    PlacedPolyhedron placed;
    const Solid solid =
        make_solid(*static_cast<const btConvexShape*>(other.shape), other.now, hulls_, placed);
    contacts_on_plane(below.normal, below.level, solid, sink_.between(plane, other, swapped));
  }

  void mesh(const Piece& mesh, const Piece& other, bool swapped) {
    if (other.shape->isConvex())
      contacts_on_mesh(mesh, other, hulls_, sink_.between(mesh, other, swapped));
  }

  HullCache& hulls_;
  Sink sink_;
};

}  // namespace

void ContactFinder::find_contacts(const btCollisionObject& first, const btCollisionObject& second,
                                  double reach, const Sweep& sweep, std::vector<ContactPoint>& out,
                                  ContactModel model) {
  const bool moving = moves(sweep);
  Piece a{first.getCollisionShape(), placement(first.getWorldTransform()), {}, 1};
  Piece b{second.getCollisionShape(), placement(second.getWorldTransform()), {}, 2};
  a.next = moving ? swept(a.now, sweep.centre1, sweep.linear1, sweep.angular1) : a.now;
  b.next = moving ? swept(b.now, sweep.centre2, sweep.linear2, sweep.angular2) : b.now;
  const double turn = (sweep.angular2 - sweep.angular1).norm();
  Walk(hulls_, {out, reach, turn, moving, model != ContactModel::one_direction}).pair(a, b);
  if (model == ContactModel::conjunctive)
    for (ContactPoint& contact : out) contact.group = 0;
}

void find_contacts(const MovingConvex& first, const MovingConvex& second, double reach,
                   const Sweep& sweep, std::vector<ContactPoint>& out, ContactModel model) {
  const double turn = (sweep.angular2 - sweep.angular1).norm();
  Sink sink{out, reach, turn, moves(sweep), model != ContactModel::one_direction};
  sink.seed = mixed(1, 2);
  if (sink.moving || polyhedra(first, second)) {
    contacts_of_convex(first, second, nullptr, sink);
  } else {  // of solids that move with each other the end of the sweep is now
    if (contacts_of_sphere(first.solid, second.solid, sink)) return;
    const MovingSolid a{first.solid.now, first.solid.now}, b{second.solid.now, second.solid.now};
    contacts_of_solids(a, b, nullptr, sink);
  }
  if (model == ContactModel::conjunctive)
    for (ContactPoint& contact : out) contact.group = 0;
}

bool ours_alone(const btCollisionShape& shape) {
  switch (shape.getShapeType()) {
    case BOX_SHAPE_PROXYTYPE:
    case SPHERE_SHAPE_PROXYTYPE:
    case CYLINDER_SHAPE_PROXYTYPE:
    case CONE_SHAPE_PROXYTYPE:
    case CAPSULE_SHAPE_PROXYTYPE:
    case CONVEX_HULL_SHAPE_PROXYTYPE:
    case STATIC_PLANE_PROXYTYPE:
      return true;
    case COMPOUND_SHAPE_PROXYTYPE: {
      const auto& compound = static_cast<const btCompoundShape&>(shape);
      for (int i = 0; i < compound.getNumChildShapes(); ++i)
        if (!ours_alone(*compound.getChildShape(i))) return false;
      return true;
    }
    default:
      return false;
  }
}

void find_contacts(const btCollisionObject& first, const btCollisionObject& second, double reach,
                   const Sweep& sweep, std::vector<ContactPoint>& out, ContactModel model) {
  ContactFinder().find_contacts(first, second, reach, sweep, out, model);
}

}  // namespace perpend::sim
