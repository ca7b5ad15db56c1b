// How deep two objects overlap: the ruler by which contacts and time steps are judged.
//
// For two convex pieces, the shortest way out: the least overlap over all directions n,
//   depth = min_n  max_a n . x - min_b n . x.
// For polyhedra the minimum is at a face's normal or at a cross product of two edges, and all of
// them are tried. Spheres and capsules overlap by their radii less the distance of their cores.
// Cylinders and cones are searched from their flat directions and the line between the middles by a
// pattern search on the sphere: every direction bounds the depth from above, so the ruler never
// reads too little. A triangle of a mesh is left towards its front only; a piece that lies behind a
// mesh without cutting any triangle is not seen, but below a height field it is.
#include <BulletCollision/CollisionDispatch/btCollisionObject.h>
#include <BulletCollision/CollisionShapes/btCompoundShape.h>
#include <BulletCollision/CollisionShapes/btConcaveShape.h>
#include <BulletCollision/CollisionShapes/btConvexShape.h>
#include <BulletCollision/CollisionShapes/btStaticPlaneShape.h>

#include <algorithm>
#include <limits>

#include "sim/bullet_types.hpp"
#include "sim/contact_finder.hpp"
#include "sim/least_direction.hpp"
#include "sim/triangles.hpp"

namespace perpend::sim {
namespace {

constexpr double kNothing = 1e-10;  // m

// Directions of edges, parallel ones once.
std::vector<Vector3d> edge_directions(const PlacedPolyhedron& p) {
  std::vector<Vector3d> found;
  for (const Polyhedron::Edge& e : p.edges()) {
    const Vector3d u = (p.vertex(e.to) - p.vertex(e.from)).normalized();
    if (std::none_of(found.begin(), found.end(),
                     [&](const Vector3d& o) { return o.cross(u).squaredNorm() < 1e-28; }))
      found.push_back(u);
  }
  return found;
}

class Overlap {
 public:
  // `front`: of a triangle, the only side to which b may leave a.
  Overlap(const Solid& a, const Solid& b, const Vector3d* front) : a_(a), b_(b), front_(front) {}

  double depth() {
    if (flat_directions()) return 0;
    const bool polyhedra = a_.polyhedron && b_.polyhedron;
    if (polyhedra) {
      for (const Vector3d& u : edge_directions(*a_.polyhedron))
        for (const Vector3d& w : edge_directions(*b_.polyhedron)) {
          const Vector3d n = u.cross(w);
          const double length = n.norm();
          if (length > 1e-9 && (offer(n / length) || offer(-n / length))) return 0;
        }
      return least_;
    }
    const auto whole = [](const Solid& s) { return s.polyhedron || s.kind == Solid::Kind::round; };
    const ClosestPoints cores = closest_points(a_, b_, true);
    if (cores.apart) {
      const Vector3d line = cores.second - cores.first;
      if (line.norm() > 1e-9 && offer(line.normalized())) return 0;
      if (whole(a_) && whole(b_)) return std::clamp(radii() - line.norm(), 0.0, least_);
    }
    if (least_ < kNothing) return least_;  // that or less
    if (closest_points(a_, b_, false).apart) return 0;
    const Vector3d line = b_.centre - a_.centre;
    if (line.norm() > 1e-9 && offer(line.normalized())) return 0;
    search();
    return std::max(least_, 0.0);
  }

 private:
  double overlap(const Vector3d& n) const { return a_.highest(n) - b_.lowest(n); }

  // True when n separates the two.
  bool offer(const Vector3d& n) {
    const double o = overlap(n);
    if (o <= 0) return true;  // whichever way: they do not overlap
    if (front_ && n.dot(*front_) < -1e-9) return false;
    least_ = std::min(least_, o);
    tried_.push_back(n);
    return false;
  }

  bool flat_directions() {
    for (const Solid* s : {&a_, &b_}) {
      const double sign = s == &a_ ? 1 : -1;
      if (s->polyhedron)
        for (int f = 0; f < s->polyhedron->face_count(); ++f)
          if (offer(sign * s->polyhedron->normal(f))) return true;
      if (s->has_disc() && (offer(s->axis) || offer(-s->axis))) return true;
    }
    return false;
  }

  // From the best of the directions tried so far.
  void search() {
    const std::size_t starts = std::min<std::size_t>(tried_.size(), 4);
    std::partial_sort(
        tried_.begin(), tried_.begin() + static_cast<std::ptrdiff_t>(starts), tried_.end(),
        [&](const Vector3d& m, const Vector3d& n) { return overlap(m) < overlap(n); });
    const auto value = [&](const Vector3d& n) { return overlap(n); };
    const auto allowed = [&](const Vector3d& n) { return !(front_ && n.dot(*front_) < -1e-9); };
    for (std::size_t i = 0; i < starts; ++i) {
      least_ = std::min(least_, least_direction(tried_[i], size(), value, allowed).value);
    }
  }
  // Metres that the overlap changes with a radian.
  double size() const { return std::max((a_.centre - b_.centre).norm(), radii()); }
  double radii() const { return a_.core_radius() + b_.core_radius(); }

  const Solid &a_, &b_;
  const Vector3d* front_;
  double least_ = std::numeric_limits<double>::infinity();
  std::vector<Vector3d> tried_;
};

struct Part {
  const btCollisionShape* shape;
  Placement place;
};

class Ruler {
 public:
  explicit Ruler(HullCache& hulls) : hulls_(hulls) {}

  double deepest(const Part& a, const Part& b) {
    if (a.shape->isCompound()) return children(a, b);
    if (b.shape->isCompound()) return children(b, a);
    if (!a.shape->isConvex() && !b.shape->isConvex()) return 0;
    if (!a.shape->isConvex()) return deepest(b, a);
    PlacedPolyhedron placed;
    const Solid convex =
        make_solid(*static_cast<const btConvexShape*>(a.shape), a.place, hulls_, placed);
    if (b.shape->getShapeType() == STATIC_PLANE_PROXYTYPE) {
      const auto* plane = static_cast<const btStaticPlaneShape*>(b.shape);
      const Vector3d n = b.place.rotation * from_bullet(plane->getPlaneNormal()).normalized();
      const double level = plane->getPlaneConstant() + n.dot(b.place.position);
      return std::max(0.0, level - convex.lowest(n));
    }
    if (b.shape->isConcave()) return in_mesh(b, a, convex);
    PlacedPolyhedron other;
    return Overlap(convex,
                   make_solid(*static_cast<const btConvexShape*>(b.shape), b.place, hulls_, other),
                   nullptr)
        .depth();
  }

 private:
  double children(const Part& compound, const Part& other) {
    const auto* shape = static_cast<const btCompoundShape*>(compound.shape);
    const bool endless = other.shape->getShapeType() == STATIC_PLANE_PROXYTYPE;
    const Box around = endless ? Box() : box_around(*other.shape, other.place);
    double most = 0;
    for (int i = 0; i < shape->getNumChildShapes(); ++i) {
      const Part child{shape->getChildShape(i),
                       compound.place * placement(shape->getChildTransform(i))};
      if (endless || around.meets(box_around(*child.shape, child.place), 0))
        most = std::max(most, deepest(child, other));
    }
    return most;
  }

  double in_mesh(const Part& mesh, const Part& piece, const Solid& convex) {
    double most = 0;
    for (const Triangle& t :
         triangles_near(*mesh.shape, mesh.place, *piece.shape, piece.place, 0)) {
      PlacedPolyhedron placed;
      Solid triangle;
      placed.place_triangle(t.corners);
      triangle.kind = Solid::Kind::polyhedron;
      triangle.polyhedron = &placed;
      triangle.centre = (t.corners[0] + t.corners[1] + t.corners[2]) / 3;
      most = std::max(most, Overlap(triangle, convex, &t.normal).depth());
    }
    if (most == 0 && mesh.shape->getShapeType() == TERRAIN_SHAPE_PROXYTYPE)
      most = below_field(mesh, convex);
    return most;
  }

  // Of a piece wholly below the surface: how far its middle is below.
  double below_field(const Part& mesh, const Solid& convex) {
    const Vector3d up = mesh.place.rotation * up_of_field(*mesh.shape);
    double most = 0;
    for (const Triangle& t : triangles_on_line(*mesh.shape, mesh.place, convex.centre, up)) {
      PlacedPolyhedron placed;
      placed.place_triangle(t.corners);
      const double height = t.normal.dot(t.corners[0] - convex.centre) / t.normal.dot(up);
      const Vector3d hit = convex.centre + height * up;
      bool inside = true;
      for (std::size_t k = 0; k < 3; ++k)
        inside &=
            (t.corners[(k + 1) % 3] - t.corners[k]).cross(hit - t.corners[k]).dot(t.normal) >= 0;
      if (inside) most = std::max(most, height);
    }
    return most;
  }

  HullCache& hulls_;
};

}  // namespace

double ContactFinder::penetration(const btCollisionObject& first, const btCollisionObject& second) {
  return Ruler(hulls_).deepest({first.getCollisionShape(), placement(first.getWorldTransform())},
                               {second.getCollisionShape(), placement(second.getWorldTransform())});
}

double penetration(const btCollisionObject& first, const btCollisionObject& second) {
  return ContactFinder().penetration(first, second);
}

}  // namespace perpend::sim
