// From a pair of Bullet's collision objects to pairs of convex pieces.
#include "sim/contacts.hpp"

#include <BulletCollision/CollisionDispatch/btCollisionObject.h>
#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <BulletCollision/CollisionShapes/btCompoundShape.h>
#include <BulletCollision/CollisionShapes/btConvexHullShape.h>
#include <BulletCollision/CollisionShapes/btStaticPlaneShape.h>

#include "sim/bullet_types.hpp"
#include "sim/contact_pair.hpp"

namespace perpend::sim {

bool place_polyhedron(const Piece& piece, bool moving, HullCache& hulls, MovingPolyhedron& out) {
  out.place_now = piece.now;
  out.place_next = piece.next;
  if (piece.shape->getShapeType() == BOX_SHAPE_PROXYTYPE) {
    const Vector3d half =
        from_bullet(static_cast<const btBoxShape*>(piece.shape)->getHalfExtentsWithMargin());
    out.now.place_box(half, piece.now);
    if (moving) out.next.place_box(half, piece.next);
    return true;
  }
  if (!piece.shape->isPolyhedral()) return false;
  const Polyhedron& p = hulls.of(*static_cast<const btPolyhedralConvexShape*>(piece.shape));
  if (p.faces.empty()) return false;
  out.now.place(p, piece.now);
  if (moving) out.next.place(p, piece.next);
  return true;
}

namespace {

Placement placement(const btTransform& t) {
  return {from_bullet(t.getBasis()), from_bullet(t.getOrigin())};
}

btTransform to_bullet(const Placement& p) {
  const Matrix3d& r = p.rotation;
  return btTransform(
      btMatrix3x3(r(0, 0), r(0, 1), r(0, 2), r(1, 0), r(1, 1), r(1, 2), r(2, 0), r(2, 1), r(2, 2)),
      sim::to_bullet(p.position));
}

// Turned about `centre` by the vector `angle`, and shifted.
Placement swept(const Placement& p, const Vector3d& centre, const Vector3d& shift,
                const Vector3d& angle) {
  const double a = angle.norm();
  if (a == 0) return {p.rotation, p.position + shift};
  const Matrix3d turn = Eigen::AngleAxisd(a, angle / a).toRotationMatrix();
  return {turn * p.rotation, centre + turn * (p.position - centre) + shift};
}

// Does the sweep change the relative pose by more than rounding?
bool moves(const Sweep& s) {
  constexpr double kStill = 1e-8;  // m, far below kClip
  const Vector3d apart = s.centre2 - s.centre1;
  const Vector3d slip = s.linear2 - s.linear1 - s.angular1.cross(apart);
  const Vector3d turn = s.angular2 - s.angular1;
  return slip.norm() + turn.norm() * (1 + apart.norm()) > kStill;
}

struct Box3 {
  btVector3 low, high;
  bool meets(const Box3& o, double reach) const {
    for (int i = 0; i < 3; ++i)
      if (low[i] > o.high[i] + reach || o.low[i] > high[i] + reach) return false;
    return true;
  }
};
Box3 bounds(const Piece& p) {
  Box3 b;
  p.shape->getAabb(to_bullet(p.now), b.low, b.high);
  return b;
}

class Walk {
 public:
  Walk(HullCache& hulls, const Sink& sink) : hulls_(hulls), sink_(sink) {}

  void pair(const Piece& a, const Piece& b) {
    if (a.shape->isCompound()) return children(a, b, false);
    if (b.shape->isCompound()) return children(b, a, true);
    if (a.shape->getShapeType() == STATIC_PLANE_PROXYTYPE) return plane(a, b, false);
    if (b.shape->getShapeType() == STATIC_PLANE_PROXYTYPE) return plane(b, a, true);
    if (!a.shape->isConvex() || !b.shape->isConvex()) return;
    const Sink sink = sink_.between(a, b, false);
    MovingPolyhedron p, q;
    if (place_polyhedron(a, sink.moving, hulls_, p) && place_polyhedron(b, sink.moving, hulls_, q))
      contacts_of_polyhedra(p, q, sink);
    else
      contacts_of_round(a, b, hulls_, sink);
  }

 private:
  void children(const Piece& compound, const Piece& other, bool swapped) {
    const auto* shape = static_cast<const btCompoundShape*>(compound.shape);
    const bool far_reaching = !other.shape->isConvex() && !other.shape->isCompound();
    const Box3 around = far_reaching ? Box3() : bounds(other);
    for (int i = 0; i < shape->getNumChildShapes(); ++i) {
      const Placement local = placement(shape->getChildTransform(i));
      const Piece child{shape->getChildShape(i), compound.now * local, compound.next * local,
                        mixed(compound.path, static_cast<std::uint64_t>(i))};
      if (!far_reaching && !around.meets(bounds(child), sink_.reach)) continue;
      if (swapped)
        pair(other, child);
      else
        pair(child, other);
    }
  }

  void plane(const Piece& plane, const Piece& other, bool swapped) {
    if (!other.shape->isConvex()) return;
    const auto* shape = static_cast<const btStaticPlaneShape*>(plane.shape);
    const Vector3d n = plane.now.rotation * from_bullet(shape->getPlaneNormal()).normalized();
    contacts_on_plane(n, shape->getPlaneConstant() + n.dot(plane.now.position), other, hulls_,
                      sink_.between(plane, other, swapped));
  }

  HullCache& hulls_;
  Sink sink_;
};

}  // namespace

struct ContactFinder::Memory {
  HullCache hulls;
};

ContactFinder::ContactFinder() : memory_(std::make_unique<Memory>()) {}
ContactFinder::~ContactFinder() = default;
ContactFinder::ContactFinder(ContactFinder&&) noexcept = default;
ContactFinder& ContactFinder::operator=(ContactFinder&&) noexcept = default;

void ContactFinder::find_contacts(const btCollisionObject& first, const btCollisionObject& second,
                                  double reach, const Sweep& sweep,
                                  std::vector<ContactPoint>& out) {
  const bool moving = moves(sweep);
  Piece a{first.getCollisionShape(), placement(first.getWorldTransform()), {}, 1};
  Piece b{second.getCollisionShape(), placement(second.getWorldTransform()), {}, 2};
  a.next = moving ? swept(a.now, sweep.centre1, sweep.linear1, sweep.angular1) : a.now;
  b.next = moving ? swept(b.now, sweep.centre2, sweep.linear2, sweep.angular2) : b.now;
  Walk(memory_->hulls, {out, reach, moving}).pair(a, b);
}

void find_contacts(const btCollisionObject& first, const btCollisionObject& second, double reach,
                   const Sweep& sweep, std::vector<ContactPoint>& out) {
  ContactFinder().find_contacts(first, second, reach, sweep, out);
}

}  // namespace perpend::sim
