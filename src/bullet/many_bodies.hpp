// Putting many bodies into a world of Bullet, and taking them out, in less than quadratic time.
#pragma once

#include <btBulletDynamicsCommon.h>

#include <memory>
#include <vector>

namespace perpend::bullet {

// Bullet hangs one leaf after the other into its tree of boxes, which becomes a list where bodies
// stand in a row. While one of these lives, every so many bodies get a tree of their own, and at
// its end all trees become one. Few bodies are left to Bullet.
class ManyBodies {
 public:
  ManyBodies(btDiscreteDynamicsWorld&, std::size_t count);
  ~ManyBodies();
  ManyBodies(const ManyBodies&) = delete;
  ManyBodies& operator=(const ManyBodies&) = delete;
  void added();  // one body

 private:
  void set_aside();

  btDbvtBroadphase* broadphase_;  // null: few bodies, or another broad phase
  std::vector<btDbvtNode*> trees_;
  std::size_t fresh_ = 0;
};

// Bullet looks for the pairs of a body among all, and for the body in a list.
void remove_bodies(btDiscreteDynamicsWorld&, const std::vector<std::unique_ptr<btRigidBody>>&);

}  // namespace perpend::bullet
