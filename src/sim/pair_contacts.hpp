// What two bodies near each other keep from step to step: their contacts, the impulses that acted,
// and the manifold in which Bullet's users read them.
//
// It lives where Bullet keeps the collision algorithm of a pair, so that it goes when the pair
// does.
#pragma once

#include <BulletCollision/BroadphaseCollision/btCollisionAlgorithm.h>
#include <BulletCollision/CollisionDispatch/btCollisionDispatcher.h>

#include <memory>
#include <span>

#include "sim/touches.hpp"

namespace perpend::sim {

struct HalfSpace;
struct MovingConvex;
struct Solid;

class PairContacts : public btCollisionAlgorithm {
 public:
  // The pair's own, made on first use.
  static PairContacts& of(btBroadphasePair&, btDispatcher&, const btCollisionObject& first,
                          const btCollisionObject& second);

  PairContacts(btDispatcher&, const btCollisionObject& first, const btCollisionObject& second);
  ~PairContacts() override;

  // Finds the contacts of this step: our own code alone, unless a shape is not `ours_alone`.
  void look(double reach, const Sweep&, ContactModel) const;
  // The same of two that are placed already.
  void look(const MovingConvex& first, const MovingConvex& second, double reach, const Sweep&,
            ContactModel) const;
  void look(const HalfSpace&, const Solid&, bool plane_first, double reach) const;
  // Whether the last look was at these versions of the two bodies; if not, the next one will be.
  bool looked_at(std::uint64_t first, std::uint64_t second) const {
    if (first_version_ == first && second_version_ == second) return true;
    first_version_ = first;
    second_version_ = second;
    return false;
  }
  std::size_t found() const { return count_; }  // how many
  // Appends those that were found, asking the callbacks that may change friction.
  void take(std::vector<Touch>&) const;
  // The impulse on the second body at that feature in the last step, as a vector; zero, and false,
  // when there was no such contact.
  bool last_impulse(std::uint64_t feature, Vector3d&) const;
  // Impulses of this step's contacts, as vectors on the second body; fills the manifold.
  void keep(std::span<const Touch>, std::span<const Vector3d> impulses);
  void forget();                          // impulses and manifold
  static void forget(btBroadphasePair&);  // the same where there is something
  // Whether the user's near callback lets this pair collide.
  bool allowed(btBroadphasePair&, btNearCallback, btCollisionDispatcher&, const btDispatcherInfo&);

  void processCollision(const btCollisionObjectWrapper*, const btCollisionObjectWrapper*,
                        const btDispatcherInfo&, btManifoldResult*) override;
  btScalar calculateTimeOfImpact(btCollisionObject*, btCollisionObject*, const btDispatcherInfo&,
                                 btManifoldResult*) override;
  void getAllContactManifolds(btManifoldArray&) override;

 private:
  // Most pairs near each other do not touch. What is asked of those stands here, in one place of
  // memory; the rest is apart, for Bullet's pool gives little room.
  struct Kept;
  std::unique_ptr<Kept> kept_;
  const btCollisionObject* first_;  // as in the manifold
  mutable std::uint64_t first_version_ = 0,
                        second_version_ = 0;  // looked at; 0: none of BodySolids
  mutable std::size_t count_ = 0;             // of contacts found
  bool pushed_ = false;  // there are impulses of the last step, or points in the manifold
};

}  // namespace perpend::sim
