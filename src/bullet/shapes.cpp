// Bullet's shapes for the shapes of a scene.
#include <BulletCollision/CollisionShapes/btHeightfieldTerrainShape.h>
#include <btBulletCollisionCommon.h>

#include <algorithm>
#include <cmath>

#include "perpend/bullet.hpp"

namespace perpend::bullet {

template <class T>
T* Shapes::keep(std::unique_ptr<T> shape) {
  T* kept = shape.get();
  shapes_.push_back(std::move(shape));
  return kept;
}

btCollisionShape* Shapes::make(const Shape& shape) {
  switch (shape.type) {
    case Shape::Type::box:
      return keep(std::make_unique<btBoxShape>(to_bullet(shape.half_extents)));
    case Shape::Type::sphere:
      return keep(std::make_unique<btSphereShape>(shape.radius));
    case Shape::Type::cylinder:
      return keep(std::make_unique<btCylinderShapeZ>(
          btVector3(shape.radius, shape.radius, shape.height / 2)));
    case Shape::Type::cone: {
      btConeShapeZ* cone = keep(std::make_unique<btConeShapeZ>(shape.radius, shape.height));
      cone->setMargin(0);
      return cone;
    }
    case Shape::Type::capsule:
      return keep(std::make_unique<btCapsuleShapeZ>(shape.radius, shape.height));
    case Shape::Type::hull: {
      btConvexHullShape* hull = keep(std::make_unique<btConvexHullShape>());
      for (const Vector3d& point : shape.points) hull->addPoint(to_bullet(point), false);
      hull->setMargin(0);
      hull->recalcLocalAabb();
      hull->initializePolyhedralFeatures();
      return hull;
    }
    case Shape::Type::compound: {
      btCompoundShape* compound = keep(std::make_unique<btCompoundShape>());
      for (const Part& part : shape.parts)
        compound->addChildShape(to_bullet(part.pose), make(part.shape));
      return compound;
    }
    case Shape::Type::height_field: {
      heights_.push_back(std::make_unique<std::vector<double>>(shape.heights));
      const std::vector<double>& heights = *heights_.back();
      double largest = 1e-3;
      for (double z : heights) largest = std::max(largest, std::abs(z));
      // Bullet puts the origin in the middle of the range it is given.
      auto* field = keep(std::make_unique<btHeightfieldTerrainShape>(
          static_cast<int>(shape.columns), static_cast<int>(shape.rows), heights.data(), -largest,
          largest, 2, false));
      field->setLocalScaling(btVector3(shape.spacing, shape.spacing, 1));
      field->setMargin(0);
      return field;
    }
    case Shape::Type::mesh: {
      meshes_.push_back(std::make_unique<btTriangleMesh>());
      btTriangleMesh& mesh = *meshes_.back();
      for (const auto& [a, b, c] : shape.triangles)
        mesh.addTriangle(to_bullet(shape.points[static_cast<std::size_t>(a)]),
                         to_bullet(shape.points[static_cast<std::size_t>(b)]),
                         to_bullet(shape.points[static_cast<std::size_t>(c)]));
      auto* tree = keep(std::make_unique<btBvhTriangleMeshShape>(&mesh, true));
      tree->setMargin(0);
      return tree;
    }
    case Shape::Type::plane:
      return keep(std::make_unique<btStaticPlaneShape>(btVector3(0, 0, 1), 0));
  }
  return nullptr;
}

btCollisionShape* Shapes::make(const Shape& shape, const Pose& frame) {
  if (frame.position.isZero(0) &&
      frame.orientation.coeffs() == Eigen::Quaterniond::Identity().coeffs())
    return make(shape);
  btCompoundShape* shifted = keep(std::make_unique<btCompoundShape>());
  shifted->addChildShape(to_bullet(frame).inverse(), make(shape));
  return shifted;
}

}  // namespace perpend::bullet
