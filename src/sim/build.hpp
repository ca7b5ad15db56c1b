// A scene in a Bullet world: ours or the stock one.
#pragma once

#include "perpend/bullet.hpp"
#include "perpend/sim/scene_drives.hpp"

namespace perpend::sim {

class Built {
 public:
  enum class Engine { perpend, bullet };
  Built(const Scene&, double h, Engine);

  btDiscreteDynamicsWorld& world() { return *world_; }
  DynamicsWorld* ours() { return ours_; }                       // null: stock Bullet
  void step() { scene_->step(); }                               // one step of h
  RunningJoints& joints() { return *drives_; }                  // of our world
  btRigidBody& body(std::size_t i) { return scene_->body(i); }  // in the order of the scene
  // Of our world. Restoring returns the reason why the snapshot does not fit.
  Snapshot save() const;
  std::string restore(const Snapshot&);
  long steps() const { return scene_->steps(); }
  State state() const { return scene_->state(); }
  std::uint64_t hash() const { return scene_->hash(); }
  // What our world tells of "body ID" with the names that the scene gives them.
  std::string named(const Scene&, const std::string& told);

 private:
  double h_;
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_;
  btDbvtBroadphase broadphase_;
  btSequentialImpulseConstraintSolver solver_;
  std::unique_ptr<btDiscreteDynamicsWorld> world_;
  DynamicsWorld* ours_ = nullptr;
  std::unique_ptr<bullet::SceneInWorld> scene_;
  std::unique_ptr<SceneDrives> drives_;  // of our world
};

}  // namespace perpend::sim
