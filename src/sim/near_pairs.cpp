#include "sim/near_pairs.hpp"

#include <btBulletDynamicsCommon.h>

#include <algorithm>

#include "sim/bullet_types.hpp"

namespace perpend::sim {
namespace {

Box box_in(const btBroadphaseProxy& proxy) {
  return {from_bullet(proxy.m_aabbMin), from_bullet(proxy.m_aabbMax)};
}

}  // namespace

std::vector<Box> grown_boxes(const StepBodies& bodies, bool all) {
  std::vector<Box> boxes;
  boxes.reserve(bodies.list.size());
  for (const StepBody& m : bodies.list) {
    const bool still = m.object->isStaticObject() || (m.rigid && !m.moves && m.still());
    if (still && !all && !m.object->isActive()) {
      boxes.push_back(box_in(*m.object->getBroadphaseHandle()));
      continue;
    }
    const Box now = box_around(*m.object->getCollisionShape(), m.object->getWorldTransform());
    const Vector3d reach = Vector3d::Constant(m.reach);  // whichever way it is pushed
    boxes.push_back({now.low - reach, now.high + reach});
  }
  return boxes;
}

std::vector<NearPair> in_order(std::vector<NearPair> pairs, Index bodies) {
  // By the second row, then by the first: counting keeps the order among equals.
  std::vector<NearPair> sorted(pairs.size());
  std::vector<std::size_t> begin;
  const auto sort_by = [&](Index NearPair::*row, const std::vector<NearPair>& from,
                           std::vector<NearPair>& to) {
    begin.assign(static_cast<std::size_t>(bodies) + 1, 0);
    for (const NearPair& pair : from) ++begin[static_cast<std::size_t>(pair.*row) + 1];
    for (std::size_t i = 1; i < begin.size(); ++i) begin[i] += begin[i - 1];
    for (const NearPair& pair : from) to[begin[static_cast<std::size_t>(pair.*row)]++] = pair;
  };
  sort_by(&NearPair::second, pairs, sorted);
  sort_by(&NearPair::first, sorted, pairs);
  return pairs;
}

void put_boxes(const std::vector<Box>& boxes, const StepBodies& bodies,
               btBroadphaseInterface& broad_phase, btDispatcher& dispatcher) {
  for (Index i = 0; i < bodies.count(); ++i) {
    btBroadphaseProxy& proxy = *bodies[i].object->getBroadphaseHandle();
    const Box &box = boxes[static_cast<std::size_t>(i)], last = box_in(proxy);
    // Bullet's tree moves who is not told of for two rounds to the part of those that rest, which
    // costs more than to be told of.
    if (bodies[i].moves || box.low != last.low || box.high != last.high)
      broad_phase.setAabb(&proxy, to_bullet(box.low), to_bullet(box.high), &dispatcher);
  }
}

std::vector<NearPair> near_pairs(btBroadphaseInterface& broad_phase, const StepBodies& bodies,
                                 const std::vector<Box>& boxes) {
  btBroadphasePairArray& array = broad_phase.getOverlappingPairCache()->getOverlappingPairArray();
  const auto row = [&](const btBroadphaseProxy& proxy) {
    const auto& object = *static_cast<const btCollisionObject*>(proxy.m_clientObject);
    return bodies.rows[static_cast<std::size_t>(object.getWorldArrayIndex())];
  };
  std::vector<NearPair> pairs;
  pairs.reserve(static_cast<std::size_t>(array.size()));
  for (int i = 0; i < array.size(); ++i) {
    const Index first = row(*array[i].m_pProxy0), second = row(*array[i].m_pProxy1);
    const bool overlap =
        boxes[static_cast<std::size_t>(first)].meets(boxes[static_cast<std::size_t>(second)]);
    if (!overlap && !array[i].m_algorithm) continue;
    pairs.push_back({&array[i], std::min(first, second), std::max(first, second), overlap});
  }
  return in_order(std::move(pairs), bodies.count());
}

}  // namespace perpend::sim
