// A scene in a Bullet world: ours or the stock one.
#pragma once

#include "perpend/sim/world.hpp"
#include "sim/shapes.hpp"

namespace perpend::sim {

class Built {
 public:
  enum class Engine { perpend, bullet };
  Built(const Scene&, double h, Engine);
  ~Built();

  btDiscreteDynamicsWorld& world() { return *world_; }
  DynamicsWorld* ours() { return ours_; }  // null: stock Bullet
  void step();                             // one step of h
  // Of our world. Restoring returns the reason why the snapshot does not fit.
  Snapshot save() const;
  std::string restore(const Snapshot&);
  long steps() const { return steps_; }
  State state() const;         // of every body, about its centre of mass
  std::uint64_t hash() const;  // of all poses and velocities, by ids, bit for bit

 private:
  struct Driven;
  void add_body(const Body&);
  std::vector<std::size_t> by_id() const;
  void add_joint(const Joint&);

  double h_, time_ = 0;
  long steps_ = 0;
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_;
  btDbvtBroadphase broadphase_;
  btSequentialImpulseConstraintSolver solver_;
  std::unique_ptr<btDiscreteDynamicsWorld> world_;
  DynamicsWorld* ours_ = nullptr;
  Shapes shapes_;
  std::vector<std::unique_ptr<Driven>> driven_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
  std::vector<std::optional<std::int64_t>> ids_;  // of the bodies
  std::vector<std::unique_ptr<btTypedConstraint>> joints_;
};

}  // namespace perpend::sim
