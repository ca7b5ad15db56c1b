// Puts a scene into any Bullet world: shapes, bodies, joints, scripted motions.
#pragma once

#include <btBulletDynamicsCommon.h>

#include <functional>
#include <memory>
#include <vector>

#include "perpend/scene.hpp"

static_assert(sizeof(btScalar) == 8,
              "perpend needs Bullet in double precision: link perpend::bullet, or define "
              "BT_USE_DOUBLE_PRECISION and link Debian's -float64 libraries");

namespace perpend::bullet {

// Between Bullet's vectors and Eigen's.
inline Vector3d from_bullet(const btVector3& v) { return {v.x(), v.y(), v.z()}; }
inline btVector3 to_bullet(const Vector3d& v) { return {v.x(), v.y(), v.z()}; }
inline Matrix3d from_bullet(const btMatrix3x3& m) {
  Matrix3d out;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) out(i, j) = m[i][j];
  return out;
}
inline btTransform to_bullet(const Pose& pose) {
  const Eigen::Quaterniond q = pose.orientation.normalized();
  return btTransform(btQuaternion(q.x(), q.y(), q.z(), q.w()), to_bullet(pose.position));
}

// The version of Bullet that this was built with, such as "3.24".
std::string version();

// Makes shapes and owns them and the arrays they use.
class Shapes {
 public:
  // In the frame of the shape. The collision margin of hulls, meshes and cones is zero.
  btCollisionShape* make(const Shape&);
  // The same relative to `frame` (centre of mass and principal axes).
  btCollisionShape* make(const Shape&, const Pose& frame);

 private:
  template <class T>
  T* keep(std::unique_ptr<T>);

  std::vector<std::unique_ptr<btCollisionShape>> shapes_;
  std::vector<std::unique_ptr<btTriangleMesh>> meshes_;
  std::vector<std::unique_ptr<std::vector<double>>> heights_;
};

// The bodies and joints of a scene in a world, with the clock of its scripted motions. No body
// sleeps. The world must outlive this object.
class SceneInWorld {
 public:
  SceneInWorld(const Scene&, double h, btDiscreteDynamicsWorld&);
  ~SceneInWorld();  // removes them from the world
  SceneInWorld(const SceneInWorld&) = delete;
  SceneInWorld& operator=(const SceneInWorld&) = delete;

  void step();            // one step of h
  void add(const Body&);  // after the others
  long steps() const { return steps_; }
  void set_steps(long);   // sets the clock of scripted motions to this step
  void set_time(double);  // the same in seconds, for programs that step the world themselves
  void on_time(std::function<void(double)> told) { told_ = std::move(told); }  // of each set_time
  // In the order of the scene.
  btRigidBody& body(std::size_t i) { return *bodies_[i]; }
  btTypedConstraint& joint(std::size_t i) { return *joints_[i]; }
  State state() const;         // of every body, about its centre of mass
  std::uint64_t hash() const;  // of all poses and velocities, by ids, bit for bit

 private:
  struct ScriptedBody;
  struct Filter;
  void add_joint(const Joint&);
  std::vector<std::size_t> by_id() const;

  btDiscreteDynamicsWorld& world_;
  double h_, time_ = 0;
  long steps_ = 0;
  Shapes shapes_;
  std::vector<std::unique_ptr<ScriptedBody>> driven_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
  std::vector<std::optional<std::int64_t>> ids_;  // of the bodies
  std::vector<std::unique_ptr<btTypedConstraint>> joints_;
  std::unique_ptr<Filter> filter_;  // where the scene has groups, masks or pairs apart
  std::function<void(double)> told_;
};

}  // namespace perpend::bullet
