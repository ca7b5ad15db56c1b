#include "sim/pair_contacts.hpp"

#include <btBulletDynamicsCommon.h>

#include <algorithm>
#include <array>
#include <typeinfo>

#include "sim/bullet_types.hpp"
#include "sim/contact_pair.hpp"

namespace perpend::sim {

struct PairContacts::Kept {
  btDispatcher* dispatcher;
  const btCollisionObject *first, *second;
  btPersistentManifold* manifold;
  bool asking = false, asked = false;       // by a near callback
  mutable ContactFinder finder;             // keeps the hulls of this pair
  mutable std::vector<ContactPoint> found;  // by the last look
  struct Impulse {
    std::uint64_t feature;
    Vector3d impulse;
  };
  std::vector<Impulse> impulses;                                 // of the last step
  std::array<std::uint64_t, MANIFOLD_CACHE_SIZE> in_manifold{};  // features of its points
};

namespace {

// A user who asked for collision detection before the first step has Bullet's algorithm there.
bool is_ours(const btCollisionAlgorithm* algorithm) {
  return algorithm && typeid(*algorithm) == typeid(PairContacts);
}

}  // namespace

PairContacts& PairContacts::of(btBroadphasePair& pair, btDispatcher& dispatcher,
                               const btCollisionObject& first, const btCollisionObject& second) {
  if (pair.m_algorithm && !is_ours(pair.m_algorithm)) {
    pair.m_algorithm->~btCollisionAlgorithm();
    dispatcher.freeCollisionAlgorithm(pair.m_algorithm);
    pair.m_algorithm = nullptr;
  }
  if (!pair.m_algorithm) {
    void* room = dispatcher.allocateCollisionAlgorithm(sizeof(PairContacts));
    pair.m_algorithm = new (room) PairContacts(dispatcher, first, second);
  }
  auto& contacts = static_cast<PairContacts&>(*pair.m_algorithm);
  if (contacts.first_ != &first) {  // ids were given since
    contacts.forget();
    contacts.first_ = &first;
    contacts.kept_->first = &first;
    contacts.kept_->second = &second;
    contacts.kept_->manifold->setBodies(&first, &second);
  }
  return contacts;
}

void PairContacts::forget(btBroadphasePair& pair) {
  if (is_ours(pair.m_algorithm)) static_cast<PairContacts&>(*pair.m_algorithm).forget();
}

PairContacts::PairContacts(btDispatcher& dispatcher, const btCollisionObject& first,
                           const btCollisionObject& second)
    : kept_(std::make_unique<Kept>()), first_(&first) {
  m_dispatcher = &dispatcher;
  kept_->dispatcher = &dispatcher;
  kept_->first = &first;
  kept_->second = &second;
  kept_->manifold = dispatcher.getNewManifold(&first, &second);
}

PairContacts::~PairContacts() { kept_->dispatcher->releaseManifold(kept_->manifold); }

void PairContacts::look(double reach, const Sweep& sweep, ContactModel model) const {
  const Kept& k = *kept_;
  k.found.clear();
  k.finder.find_contacts(*k.first, *k.second, reach, sweep, k.found, model);
  count_ = k.found.size();
}

void PairContacts::look(const MovingConvex& first, const MovingConvex& second, double reach,
                        const Sweep& sweep, ContactModel model) const {
  kept_->found.clear();
  find_contacts(first, second, reach, sweep, kept_->found, model);
  count_ = kept_->found.size();
}

void PairContacts::look(const HalfSpace& below, const Solid& solid, bool plane_first,
                        double reach) const {
  kept_->found.clear();
  find_contacts_on_plane(below, solid, plane_first, reach, kept_->found);
  count_ = kept_->found.size();
}

void PairContacts::take(std::vector<Touch>& out) const {
  if (count_ == 0) return;
  const Kept& k = *kept_;
  const double mu = gCalculateCombinedFrictionCallback(k.first, k.second);
  const double restitution = gCalculateCombinedRestitutionCallback(k.first, k.second);
  const bool custom =
      gContactAddedCallback && ((k.first->getCollisionFlags() | k.second->getCollisionFlags()) &
                                btCollisionObject::CF_CUSTOM_MATERIAL_CALLBACK);
  for (const ContactPoint& point : k.found) {
    Touch touch{point, mu, restitution, tangents(point.normal)};
    if (custom) {
      btManifoldPoint given(k.first->getWorldTransform().invXform(to_bullet(point.first)),
                            k.second->getWorldTransform().invXform(to_bullet(point.second)),
                            to_bullet(-point.normal), point.gap);
      given.m_positionWorldOnA = to_bullet(point.first);
      given.m_positionWorldOnB = to_bullet(point.second);
      given.m_combinedFriction = mu;
      given.m_combinedRestitution = restitution;
      const btCollisionObjectWrapper first(nullptr, k.first->getCollisionShape(), k.first,
                                           k.first->getWorldTransform(), -1, -1);
      const btCollisionObjectWrapper second(nullptr, k.second->getCollisionShape(), k.second,
                                            k.second->getWorldTransform(), -1, -1);
      gContactAddedCallback(given, &first, -1, -1, &second, -1, -1);
      touch.mu = given.m_combinedFriction;
      touch.restitution = given.m_combinedRestitution;
    }
    out.push_back(touch);
  }
}

bool PairContacts::last_impulse(std::uint64_t feature, Vector3d& impulse) const {
  for (const Kept::Impulse& old : kept_->impulses)
    if (old.feature == feature) {
      impulse = old.impulse;
      return true;
    }
  impulse.setZero();
  return false;
}

void PairContacts::keep(std::span<const Touch> touches, std::span<const Vector3d> impulses) {
  if (impulses.empty() && !pushed_) return;  // most pairs near each other
  Kept& k = *kept_;
  k.impulses.clear();
  for (std::size_t i = 0; i < impulses.size(); ++i)
    k.impulses.push_back({touches[i].point.feature, impulses[i]});

  // Points that pushed or touch; a manifold has room for four of them: those with the largest
  // impulses, and each of the others adds its impulse to the nearest of these.
  std::array<std::size_t, 32> few;
  std::vector<std::size_t> many(impulses.size() > few.size() ? impulses.size() : 0);
  std::size_t shown = 0;
  const std::span<std::size_t> room = many.empty() ? std::span(few) : std::span(many);
  for (std::size_t i = 0; i < impulses.size(); ++i)
    if (impulses[i].dot(touches[i].point.normal) > 0 || touches[i].point.gap <= 0)
      room[shown++] = i;
  const std::span<std::size_t> order = room.first(shown);
  pushed_ = !impulses.empty() || !order.empty();
  if (order.empty()) {
    if (k.manifold->getNumContacts() > 0) k.manifold->clearManifold();
    return;
  }
  if (order.size() > MANIFOLD_CACHE_SIZE)
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      const double x = impulses[a].squaredNorm(), y = impulses[b].squaredNorm();
      return x > y || (x == y && a < b);
    });
  const std::size_t count = std::min<std::size_t>(order.size(), MANIFOLD_CACHE_SIZE);
  std::sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count));
  std::array<Vector3d, MANIFOLD_CACHE_SIZE> total;
  for (std::size_t p = 0; p < count; ++p) total[p] = impulses[order[p]];
  for (std::size_t q = count; q < order.size(); ++q) {
    std::size_t nearest = 0;
    const auto distance = [&](std::size_t p) {
      return (touches[order[p]].point.first - touches[order[q]].point.first).squaredNorm();
    };
    for (std::size_t p = 1; p < count; ++p)
      if (distance(p) < distance(nearest)) nearest = p;
    total[nearest] += impulses[order[q]];
  }

  // What persists keeps its user data; what no longer touches gives its back through Bullet's
  // callback.
  const int before = k.manifold->getNumContacts();
  std::array<void*, MANIFOLD_CACHE_SIZE> data{};
  std::array<int, MANIFOLD_CACHE_SIZE> age{};
  std::array<std::uint64_t, MANIFOLD_CACHE_SIZE> features{};
  for (std::size_t p = 0; p < count; ++p) {
    features[p] = touches[order[p]].point.feature;
    for (int old = 0; old < before; ++old)
      if (k.in_manifold[static_cast<std::size_t>(old)] == features[p]) {
        btManifoldPoint& point = k.manifold->getContactPoint(old);
        data[p] = point.m_userPersistentData;
        point.m_userPersistentData = nullptr;
        age[p] = point.m_lifeTime + 1;
      }
  }
  for (int old = 0; old < before; ++old)
    k.manifold->clearUserCache(k.manifold->getContactPoint(old));
  k.manifold->setNumContacts(static_cast<int>(count));
  for (std::size_t p = 0; p < count; ++p) {
    const Touch& touch = touches[order[p]];
    btManifoldPoint& point = k.manifold->getContactPoint(static_cast<int>(p));
    point = btManifoldPoint(k.first->getWorldTransform().invXform(to_bullet(touch.point.first)),
                            k.second->getWorldTransform().invXform(to_bullet(touch.point.second)),
                            to_bullet(-touch.point.normal), touch.point.gap);
    point.m_positionWorldOnA = to_bullet(touch.point.first);
    point.m_positionWorldOnB = to_bullet(touch.point.second);
    point.m_combinedFriction = touch.mu;
    point.m_combinedRestitution = touch.restitution;
    const Tangents& directions = touch.tangents;
    // Bullet's impulses act on body A along normal and lateral directions; ours on body B.
    point.m_appliedImpulse = total[p].dot(touch.point.normal);
    point.m_lateralFrictionDir1 = to_bullet(-directions.t);
    point.m_lateralFrictionDir2 = to_bullet(-directions.o);
    point.m_appliedImpulseLateral1 = total[p].dot(directions.t);
    point.m_appliedImpulseLateral2 = total[p].dot(directions.o);
    point.m_userPersistentData = data[p];
    point.m_lifeTime = age[p];
  }
  k.in_manifold = features;
  if (before == 0 && gContactStartedCallback) gContactStartedCallback(k.manifold);
  if (gContactProcessedCallback)
    for (std::size_t p = 0; p < count; ++p)
      gContactProcessedCallback(k.manifold->getContactPoint(static_cast<int>(p)),
                                const_cast<btCollisionObject*>(k.first),
                                const_cast<btCollisionObject*>(k.second));
}

void PairContacts::forget() {
  if (!pushed_) return;
  pushed_ = false;
  kept_->impulses.clear();
  if (kept_->manifold->getNumContacts() > 0) kept_->manifold->clearManifold();
}

bool PairContacts::allowed(btBroadphasePair& pair, btNearCallback near,
                           btCollisionDispatcher& dispatcher, const btDispatcherInfo& info) {
  kept_->asking = true;
  kept_->asked = false;
  near(pair, dispatcher, info);
  kept_->asking = false;
  return kept_->asked;
}

// A user who asks for collision detection between steps gets the contacts within Bullet's own
// breaking distance, without impulses.
void PairContacts::processCollision(const btCollisionObjectWrapper*,
                                    const btCollisionObjectWrapper*, const btDispatcherInfo&,
                                    btManifoldResult*) {
  kept_->asked = true;
  if (kept_->asking) return;
  const std::vector<Kept::Impulse> impulses = kept_->impulses;
  const Vector3d zero = Vector3d::Zero();
  std::vector<Touch> touches;
  first_version_ = second_version_ = 0;
  look(gContactBreakingThreshold, {zero, zero, zero, zero, zero, zero},
       ContactModel::one_direction);
  take(touches);
  std::vector<Vector3d> last;
  for (const Touch& touch : touches) last_impulse(touch.point.feature, last.emplace_back());
  keep(touches, last);
  kept_->impulses = impulses;
  pushed_ |= !impulses.empty();
}

btScalar PairContacts::calculateTimeOfImpact(btCollisionObject*, btCollisionObject*,
                                             const btDispatcherInfo&, btManifoldResult*) {
  return 1;
}

void PairContacts::getAllContactManifolds(btManifoldArray& manifolds) {
  manifolds.push_back(kept_->manifold);
}

}  // namespace perpend::sim
