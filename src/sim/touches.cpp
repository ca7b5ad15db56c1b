#include "sim/touches.hpp"

#include <btBulletDynamicsCommon.h>

#include <algorithm>

#include "perpend/base.hpp"
#include "sim/body_solids.hpp"
#include "sim/pair_contacts.hpp"

namespace perpend::sim {
namespace {

// Whether the balls around two moving bodies come within their reach. Boxes along the axes meet
// about twice as often; of bodies that stay, the ball is not known.
bool balls_meet(const StepBody& a, const StepBody& b) {
  if (!a.moves || !b.moves) return true;
  constexpr double kRounding = 1e-9;  // of the distance
  const double apart = a.radius + b.radius + a.reach + b.reach;
  const btVector3 between =
      b.object->getWorldTransform().getOrigin() - a.object->getWorldTransform().getOrigin();
  return between.length2() * (1 - kRounding) <= apart * apart;
}

}  // namespace

std::vector<TouchPair> colliding_pairs(const std::vector<NearPair>& near_pairs,
                                       const StepBodies& bodies, btDispatcher& dispatcher,
                                       const btDispatcherInfo& info) {
  std::vector<TouchPair> pairs;
  pairs.reserve(near_pairs.size());
  auto* callbacks = dynamic_cast<btCollisionDispatcher*>(&dispatcher);
  const btNearCallback near = callbacks ? callbacks->getNearCallback() : nullptr;
  const bool custom = near && near != &btCollisionDispatcher::defaultNearCallback;
  for (const NearPair& near_pair : near_pairs) {
    if (!bodies.moves(near_pair.first) && !bodies.moves(near_pair.second))
      continue;  // asleep: what they keep stays
    btBroadphasePair& pair = *near_pair.pair;
    btCollisionObject* first = bodies[near_pair.first].object;
    btCollisionObject* second = bodies[near_pair.second].object;
    // A near callback and a sensor ask by boxes, as in Bullet.
    const bool far = !custom && !balls_meet(bodies[near_pair.first], bodies[near_pair.second]) &&
                     dispatcher.needsResponse(first, second);
    if (!near_pair.overlap || far) {
      PairContacts::forget(pair);
      continue;
    }
    PairContacts& contacts = PairContacts::of(pair, dispatcher, *first, *second);
    if (custom ? !contacts.allowed(pair, near, *callbacks, info)
               : !dispatcher.needsCollision(first, second)) {
      contacts.forget();
      continue;
    }
    if (!dispatcher.needsResponse(first, second)) {  // a sensor
      contacts.processCollision(nullptr, nullptr, info, nullptr);
      continue;
    }
    pairs.push_back({&contacts, near_pair.first, near_pair.second});
  }
  return pairs;
}

Touches find_touches(std::vector<TouchPair> pairs, const StepBodies& bodies, ContactModel model,
                     BodySolids& solids, Executor& executor) {
  solids.place(pairs, bodies);
  for_pairs(pairs, bodies, executor, [&](Index i, int) {
    const TouchPair& pair = pairs[static_cast<std::size_t>(i)];
    const StepBody &a = bodies[pair.first], &b = bodies[pair.second];
    const BodySolids::Placed &first = solids[pair.first], &second = solids[pair.second];
    if (pair.contacts->looked_at(first.version, second.version)) return;
    if (first.convex && second.convex)
      pair.contacts->look(first.piece, second.piece, a.reach + b.reach, sweep_of(a, b), model);
    else if (first.plane && second.convex)
      pair.contacts->look(first.below, second.piece.solid.now, true, a.reach + b.reach);
    else if (second.plane && first.convex)
      pair.contacts->look(second.below, first.piece.solid.now, false, a.reach + b.reach);
    else
      pair.contacts->look(a.reach + b.reach, sweep_of(a, b), model);
  });
  Touches found{std::move(pairs), {}};
  std::size_t count = 0;
  for (const TouchPair& pair : found.pairs) count += pair.contacts->found();
  found.list.reserve(count);
  for (TouchPair& pair : found.pairs) {
    pair.start = static_cast<Index>(found.list.size());
    pair.contacts->take(found.list);
    pair.count = static_cast<Index>(found.list.size()) - pair.start;
  }
  return found;
}

void for_pairs(const std::vector<TouchPair>& pairs, const StepBodies& bodies, Executor& executor,
               const std::function<void(Index, int)>& item) {
  const auto count = static_cast<Index>(pairs.size());
  if (executor.workers() == 1) {
    for (Index i = 0; i < count; ++i) item(i, 0);
    return;
  }
  std::vector<char> ours(bodies.list.size());
  for (std::size_t i = 0; i < ours.size(); ++i)
    ours[i] = ours_alone(*bodies.list[i].object->getCollisionShape());
  std::vector<Index> anywhere, here;
  for (Index i = 0; i < count; ++i) {
    const TouchPair& pair = pairs[static_cast<std::size_t>(i)];
    const bool both =
        ours[static_cast<std::size_t>(pair.first)] && ours[static_cast<std::size_t>(pair.second)];
    (both ? anywhere : here).push_back(i);
  }
  constexpr std::size_t kTogether = 8;  // a pair of boxes takes about a microsecond
  const std::size_t parts = (anywhere.size() + kTogether - 1) / kTogether;
  executor.for_each(static_cast<Index>(parts), [&](Index part, int worker) {
    const std::size_t from = static_cast<std::size_t>(part) * kTogether;
    for (std::size_t k = from; k < std::min(from + kTogether, anywhere.size()); ++k)
      item(anywhere[k], worker);
  });
  for (Index i : here) item(i, 0);
}

void follow(std::vector<TouchPair>& pairs, const std::vector<TouchPair>& later) {
  std::size_t at = 0;
  for (TouchPair& pair : pairs) {  // both lists are in the same order
    std::size_t found = at;
    while (found < later.size() &&
           (later[found].first != pair.first || later[found].second != pair.second))
      ++found;
    pair.contacts = found < later.size() ? later[found].contacts : nullptr;
    if (pair.contacts) at = found + 1;
  }
}

std::string overlaps(const Touches& touches, const StepBodies& bodies) {
  constexpr double kTold = 1e-6;  // m
  constexpr std::size_t kNamed = 3;
  std::vector<std::pair<double, const TouchPair*>> deep;
  for (const TouchPair& pair : touches.pairs) {
    double depth = 0;
    for (Index i = pair.start; i < pair.start + pair.count; ++i)
      depth = std::max(depth, -touches.list[static_cast<std::size_t>(i)].point.gap);
    if (depth > kTold) deep.emplace_back(depth, &pair);
  }
  if (deep.empty()) return {};
  std::stable_sort(deep.begin(), deep.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::string told = "overlap at the start: ";
  for (std::size_t k = 0; k < std::min(deep.size(), kNamed); ++k)
    told += (k > 0 ? ", " : "") + ("body " + std::to_string(bodies[deep[k].second->first].id)) +
            " and body " + std::to_string(bodies[deep[k].second->second].id) +
            formatted(" by %.3g m", deep[k].first);
  if (deep.size() > kNamed) told += ", and more pairs: " + std::to_string(deep.size() - kNamed);
  return told;
}

std::vector<Vector3d> as_vectors(const Touches& touches, const Impulses& impulses) {
  std::vector<Vector3d> vectors;
  vectors.reserve(touches.list.size());
  for (std::size_t i = 0; i < touches.list.size(); ++i) {
    const Touch& touch = touches.list[i];
    const auto z = impulses.segment<3>(3 * static_cast<Index>(i));
    vectors.emplace_back(z[0] * touch.point.normal + z[1] * touch.tangents.t +
                         z[2] * touch.tangents.o);
  }
  return vectors;
}

}  // namespace perpend::sim
