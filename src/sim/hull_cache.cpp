#include "sim/hull_cache.hpp"

#include <BulletCollision/CollisionShapes/btConvexTriangleMeshShape.h>
#include <BulletCollision/CollisionShapes/btMinkowskiSumShape.h>
#include <BulletCollision/CollisionShapes/btMultiSphereShape.h>
#include <BulletCollision/CollisionShapes/btPolyhedralConvexShape.h>
#include <BulletCollision/CollisionShapes/btStridingMeshInterface.h>
#include <BulletCollision/CollisionShapes/btUniformScalingShape.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "sim/contact_finder.hpp"

namespace perpend::sim {
namespace {

void sort_without_doubles(std::vector<Vector3d>& points) {
  const auto key = [](const Vector3d& x) { return std::tuple(x[0], x[1], x[2]); };
  std::sort(points.begin(), points.end(),
            [&](const Vector3d& a, const Vector3d& b) { return key(a) < key(b); });
  points.erase(std::unique(points.begin(), points.end()), points.end());
}

// What the shape's hull is made of; empty where only the support function is known.
std::vector<Vector3d> vertices(const btConvexShape& shape) {
  std::vector<Vector3d> points;
  if (shape.getShapeType() == CONVEX_TRIANGLEMESH_SHAPE_PROXYTYPE) {
    struct Corners : btInternalTriangleIndexCallback {
      std::vector<Vector3d>& points;
      explicit Corners(std::vector<Vector3d>& to) : points(to) {}
      void internalProcessTriangleIndex(btVector3* corners, int, int) override {
        for (int k = 0; k < 3; ++k) points.push_back(from_bullet(corners[k]));
      }
    } corners(points);
    const btVector3 far(BT_LARGE_FLOAT, BT_LARGE_FLOAT, BT_LARGE_FLOAT);
    static_cast<const btConvexTriangleMeshShape&>(shape)
        .getMeshInterface()
        ->InternalProcessAllTriangles(&corners, -far, far);
    sort_without_doubles(points);
  } else if (shape.getShapeType() == UNIFORM_SCALING_SHAPE_PROXYTYPE) {
    const auto& scaled = static_cast<const btUniformScalingShape&>(shape);
    points = vertices(*scaled.getChildShape());
    for (Vector3d& x : points) x *= scaled.getUniformScalingFactor();
  } else if (shape.isPolyhedral()) {
    const auto& polyhedral = static_cast<const btPolyhedralConvexShape&>(shape);
    for (int i = 0; i < polyhedral.getNumVertices(); ++i) {
      btVector3 x;
      polyhedral.getVertex(i, x);
      points.push_back(from_bullet(x));
    }
  }
  return points;
}

// Bullet's own, but of shapes made of others without their margins, and of scaled spheres.
Support support_of(const btConvexShape& shape, HullCache& hulls) {
  if (const auto* spheres = dynamic_cast<const btMultiSphereShape*>(&shape))
    return [spheres](const Vector3d& d) {
      const Vector3d scale = from_bullet(spheres->getLocalScaling());
      const Vector3d stretched = scale.cwiseProduct(d);
      const Vector3d out = scale.cwiseProduct(stretched) / stretched.norm();
      Vector3d best = Vector3d::Zero();
      for (int i = 0; i < spheres->getSphereCount(); ++i) {
        const Vector3d x = scale.cwiseProduct(from_bullet(spheres->getSpherePosition(i))) +
                           spheres->getSphereRadius(i) * out;
        if (i == 0 || d.dot(x) > d.dot(best)) best = x;
      }
      return best;
    };
  const auto of_child = [&hulls](const btConvexShape* child, const Placement& place,
                                 const Vector3d& d) {
    PlacedPolyhedron placed;
    return make_solid(*child, place, hulls, placed).support(d);
  };
  if (const auto* sum = dynamic_cast<const btMinkowskiSumShape*>(&shape))
    return [=](const Vector3d& d) {  // it is a difference
      return Vector3d(of_child(sum->getShapeA(), placement(sum->getTransformA()), d) -
                      of_child(sum->getShapeB(), placement(sum->GetTransformB()), -d));
    };
  if (const auto* scaled = dynamic_cast<const btUniformScalingShape*>(&shape))
    return [=](const Vector3d& d) {
      return Vector3d(scaled->getUniformScalingFactor() *
                      of_child(scaled->getChildShape(), Placement(), d));
    };
  return [&shape](const Vector3d& d) {
    return from_bullet(shape.localGetSupportingVertex(to_bullet(d)));
  };
}

// Where sampling starts: along the axes and diagonals. A change of the shape shows in them.
std::vector<Vector3d> first_points(const Support& support) {
  std::vector<Vector3d> points;
  for (int x = -1; x <= 1; ++x)
    for (int y = -1; y <= 1; ++y)
      for (int z = -1; z <= 1; ++z)
        if (x != 0 || y != 0 || z != 0) points.push_back(support(Vector3d(x, y, z).normalized()));
  return points;
}

constexpr double kExact = 1e-9;     // of the size: nothing is farther outside
constexpr double kOnePoint = 1e-4;  // of the size: closer points are one

class Sampling {
 public:
  explicit Sampling(const Support& support) : support_(support), points_(first_points(support)) {
    for (const Vector3d& x : points_) size_ = std::max(size_, (x - points_[0]).norm());
    sort_without_doubles(points_);
    hull_ = hull(points_);
  }

  Polyhedron run() {
    for (int round = 0; round < 100 && points_.size() < kSamples && refine(); ++round)
      hull_ = hull(points_);
    for (int round = 0; round < 12 && flatten(); ++round) hull_ = hull(points_);
    return hull_;
  }

 private:
  struct Side {
    Vector3d normal, on, farthest;
    double area;     // m^2
    double outside;  // m
    double missing() const { return outside * std::sqrt(area); }
  };

  // The faces, or four directions around a line, and how far the surface is outside of each.
  std::vector<Side> sides() const {
    std::vector<Side> found;
    const auto add = [&](const Vector3d& n, const Vector3d& on, double area) {
      const Vector3d x = support_(n);
      found.push_back({n, on, x, area, n.dot(x - on)});
    };
    const auto vertex = [&](int i) -> const Vector3d& {
      return hull_.vertices[static_cast<std::size_t>(i)];
    };
    if (hull_.vertices.size() == 2) {
      const Tangents around = tangents((vertex(1) - vertex(0)).normalized());
      for (const Vector3d& n : {around.t, around.o})
        for (int sign : {1, -1}) add(sign * n, vertex(0), 1);
    }
    if (hull_.faces.size() == 2)
      for (int k = 0; k < hull_.faces[0].count; ++k) {
        const Vector3d& from = vertex(hull_.loop[static_cast<std::size_t>(k)]);
        const Vector3d along =
            vertex(hull_.loop[static_cast<std::size_t>((k + 1) % hull_.faces[0].count)]) - from;
        add(along.cross(hull_.normals[0]).normalized(), from, along.squaredNorm());
      }
    for (std::size_t f = 0; f < hull_.faces.size(); ++f) {
      const int* loop = &hull_.loop[static_cast<std::size_t>(hull_.faces[f].begin)];
      Vector3d twice = Vector3d::Zero();
      for (int k = 1; k + 1 < hull_.faces[f].count; ++k)
        twice += (vertex(loop[k]) - vertex(loop[0])).cross(vertex(loop[k + 1]) - vertex(loop[0]));
      add(hull_.normals[f], vertex(loop[0]), twice.norm() / 2);
    }
    return found;
  }

  // Takes all that is nearly as far outside as the farthest; at large faces it counts for more, so
  // that flat sides are found before round ones.
  bool refine() {
    std::vector<Side> all = sides();
    std::erase_if(all, [&](const Side& s) { return s.outside <= kExact * size_; });
    std::stable_sort(all.begin(), all.end(),
                     [](const Side& a, const Side& b) { return a.missing() > b.missing(); });
    for (const Side& s : all)
      if (s.missing() >= 0.8 * all[0].missing() && points_.size() < kSamples) take(s.farthest);
    return !all.empty();
  }

  // Large faces may be flat sides of the surface, whose normals they have nearly. All corners of
  // such a side are next to each other in direction.
  bool flatten() {
    const std::vector<Vector3d> before = points_;
    const std::vector<Side> all = sides();
    double area = 0;
    for (const Side& s : all) area += s.area;
    for (const Side& s : all) {
      if (s.area < kLarge * area) continue;
      if (s.outside > kExact * size_) take(s.farthest);
      const Tangents around = tangents(s.normal);
      for (const Vector3d& by : {around.t, around.o})
        for (int sign : {1, -1}) {
          const Vector3d x = support_((s.normal + sign * kAside * by).normalized());
          if (s.normal.dot(x - s.on) > -kExact * size_ && !next_to(x)) points_.push_back(x);
        }
    }
    return points_ != before;
  }

  Vector3d* next_to(const Vector3d& x) {
    const auto found = std::find_if(points_.begin(), points_.end(), [&](const Vector3d& o) {
      return (x - o).norm() <= kOnePoint * size_;
    });
    return found == points_.end() ? nullptr : &*found;
  }
  void take(const Vector3d& x) {
    if (Vector3d* old = next_to(x))
      *old = x;
    else
      points_.push_back(x);
  }

  static constexpr double kLarge = 0.01;  // of the whole surface
  static constexpr double kAside = 1e-7;  // rad

  const Support& support_;
  std::vector<Vector3d> points_;
  double size_ = 0;  // m
  Polyhedron hull_;
};

}  // namespace

Polyhedron sampled(const Support& support) { return Sampling(support).run(); }

const Polyhedron& HullCache::of(const btConvexShape& shape) {
  std::vector<Vector3d> points = vertices(shape);
  const bool known = !points.empty();
  const Support any = known ? Support() : support_of(shape, *this);
  const Support support = [&](const Vector3d& d) {
    const Vector3d x = any(d);
    return x.allFinite() ? x : Vector3d(Vector3d::Zero());
  };
  std::vector<Vector3d> key = known ? points : first_points(support);
  std::unique_ptr<Entry>& entry = entries_[&shape];
  if (!entry || entry->key != key) {
    Polyhedron made = known ? hull(points) : sampled(support);
    entry = std::make_unique<Entry>(Entry{std::move(key), std::move(made)});
  }
  return entry->polyhedron;
}

}  // namespace perpend::sim
