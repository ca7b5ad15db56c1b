#include "bullet/many_bodies.hpp"

#include <BulletCollision/BroadphaseCollision/btDbvtBroadphase.h>

#include <algorithm>
#include <new>
#include <unordered_set>
#include <utility>

namespace perpend::bullet {
namespace {

constexpr std::size_t kMany = 4096, kTree = 256;

btDbvtNode* joined(btDbvtNode* a, btDbvtNode* b) {
  auto* node = new (btAlignedAlloc(sizeof(btDbvtNode), 16)) btDbvtNode();  // as btDbvt frees it
  node->parent = nullptr;
  node->childs[0] = a;
  node->childs[1] = b;
  a->parent = b->parent = node;
  Merge(a->volume, b->volume, node->volume);
  return node;
}

struct Pairs final : btDbvt::ICollide {
  explicit Pairs(btOverlappingPairCache& cache) : cache_(cache) {}
  void Process(const btDbvtNode* first, const btDbvtNode* second) override {
    auto *a = static_cast<btDbvtProxy*>(first->data), *b = static_cast<btDbvtProxy*>(second->data);
    if (a == b) return;
    if (a->m_uniqueId > b->m_uniqueId) std::swap(a, b);
    cache_.addOverlappingPair(a, b);
  }

 private:
  btOverlappingPairCache& cache_;
};

struct PairsOf final : btOverlapCallback {
  std::unordered_set<const void*> bodies;
  bool processOverlap(btBroadphasePair& pair) override {  // true: remove it
    return bodies.count(pair.m_pProxy0->m_clientObject) +
               bodies.count(pair.m_pProxy1->m_clientObject) >
           0;
  }
};

}  // namespace

ManyBodies::ManyBodies(btDiscreteDynamicsWorld& world, std::size_t count)
    : broadphase_(count < kMany ? nullptr
                                : dynamic_cast<btDbvtBroadphase*>(world.getBroadphase())) {
  if (broadphase_) set_aside();
}

void ManyBodies::added() {
  if (broadphase_ && ++fresh_ == kTree) set_aside();
}

void ManyBodies::set_aside() {
  fresh_ = 0;
  btDbvt& tree = broadphase_->m_sets[0];
  if (tree.m_root) trees_.push_back(std::exchange(tree.m_root, nullptr));
}

ManyBodies::~ManyBodies() {
  if (!broadphase_) return;
  set_aside();
  if (trees_.empty()) return;
  btDbvtNode* all = trees_.front();
  for (std::size_t i = 1; i < trees_.size(); ++i) all = joined(all, trees_[i]);
  btDbvt& tree = broadphase_->m_sets[0];
  tree.m_root = all;
  tree.optimizeTopDown(2);
  Pairs pairs(*broadphase_->getOverlappingPairCache());
  tree.collideTT(tree.m_root, tree.m_root, pairs);
}

void remove_bodies(btDiscreteDynamicsWorld& world,
                   const std::vector<std::unique_ptr<btRigidBody>>& bodies) {
  if (bodies.size() < kMany) {
    for (const auto& body : bodies) world.removeRigidBody(body.get());
    return;
  }
  PairsOf ours;
  for (const auto& body : bodies) ours.bodies.insert(static_cast<btCollisionObject*>(body.get()));
  world.getPairCache()->processAllOverlappingPairs(&ours, world.getDispatcher());
  // Bullet looks for a body from the front of its list, and fills its place from the back.
  world.removeRigidBody(bodies.front().get());
  for (std::size_t i = bodies.size() - 1; i > 0; --i) world.removeRigidBody(bodies[i].get());
}

}  // namespace perpend::bullet
