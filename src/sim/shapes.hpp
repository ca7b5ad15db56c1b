// Bullet's shapes for the shapes of a scene.
#pragma once

#include <BulletCollision/CollisionShapes/btCollisionShape.h>
#include <BulletCollision/CollisionShapes/btTriangleMesh.h>

#include <memory>

#include "perpend/scene.hpp"

namespace perpend::sim {

// Makes shapes and keeps them, and the arrays they point into, alive.
class Shapes {
 public:
  // In the frame of the shape. The collision margin of hulls, meshes and cones is zero.
  btCollisionShape* make(const Shape&);
  // The same in a frame whose origin and axes are `frame`'s (centre of mass, principal axes).
  btCollisionShape* make(const Shape&, const Pose& frame);

 private:
  template <class T>
  T* keep(std::unique_ptr<T>);

  std::vector<std::unique_ptr<btCollisionShape>> shapes_;
  std::vector<std::unique_ptr<btTriangleMesh>> meshes_;
  std::vector<std::unique_ptr<std::vector<double>>> heights_;
};

}  // namespace perpend::sim
