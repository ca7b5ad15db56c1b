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

std::vector<NearPair> in_order(std::vector<NearPair> pairs, const std::vector<Box>& boxes) {
  for (NearPair& pair : pairs) {
    if (pair.first > pair.second) std::swap(pair.first, pair.second);
    pair.overlap = boxes[static_cast<std::size_t>(pair.first)].meets(
        boxes[static_cast<std::size_t>(pair.second)]);
  }
  std::sort(pairs.begin(), pairs.end(), [](const NearPair& x, const NearPair& y) {
    return std::pair(x.first, x.second) < std::pair(y.first, y.second);
  });
  return pairs;
}

void put_boxes(const std::vector<Box>& boxes, const StepBodies& bodies,
               btBroadphaseInterface& broad_phase, btDispatcher& dispatcher) {
  for (Index i = 0; i < bodies.count(); ++i) {
    btBroadphaseProxy& proxy = *bodies[i].object->getBroadphaseHandle();
    const Box &box = boxes[static_cast<std::size_t>(i)], last = box_in(proxy);
    if (box.low != last.low || box.high != last.high)
      broad_phase.setAabb(&proxy, to_bullet(box.low), to_bullet(box.high), &dispatcher);
  }
}

std::vector<NearPair> near_pairs(btBroadphaseInterface& broad_phase, const StepBodies& bodies,
                                 const std::vector<Box>& boxes) {
  btBroadphasePairArray& array = broad_phase.getOverlappingPairCache()->getOverlappingPairArray();
  const auto row = [&](const btBroadphaseProxy& proxy) {
    return bodies.row(*static_cast<const btCollisionObject*>(proxy.m_clientObject));
  };
  std::vector<NearPair> pairs;
  pairs.reserve(static_cast<std::size_t>(array.size()));
  for (int i = 0; i < array.size(); ++i)
    pairs.push_back({&array[i], row(*array[i].m_pProxy0), row(*array[i].m_pProxy1), false});
  return in_order(std::move(pairs), boxes);
}

}  // namespace perpend::sim
