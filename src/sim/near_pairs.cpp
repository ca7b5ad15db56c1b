// Who may touch whom within the step, and where (004, section 3.2).
//
// Bullet's broad phase proposes pairs; which ones count is decided by the boxes of this step alone,
// grown by how far a body may go in it. Bullet keeps pairs longer than they overlap, and for how
// long depends on what happened before. So the contacts are those with gaps up to the sum of what
// two bodies can travel, a function of the present state.
#include <BulletCollision/CollisionDispatch/btCollisionDispatcher.h>

#include <algorithm>
#include <cmath>

#include "sim/bullet_body.hpp"
#include "sim/step.hpp"
#include "sim/stopwatch.hpp"

namespace perpend::sim {
namespace {

// A body that goes farther than its reach by less than this has met nothing new. m
constexpr double kOverlook = 1e-9;

}  // namespace

bool Step::Box::meets(const Box& o) const {
  return (low.array() <= o.high.array()).all() && (o.low.array() <= high.array()).all();
}

void Step::find_near() {
  Stopwatch watch(report.collision_seconds);
  boxes_.resize(bodies_.size());
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const Moving& m = bodies_[i];
    Box& box = boxes_[i];
    btBroadphaseProxy& proxy = *m.object->getBroadphaseHandle();
    const Box last{from_bullet(proxy.m_aabbMin), from_bullet(proxy.m_aabbMax)};
    const bool still = m.object->isStaticObject() || (m.rigid && !m.moves && m.still());
    if (still && !world_.getForceUpdateAllAabbs() && !m.object->isActive()) {
      box = last;
      continue;
    }
    btVector3 low, high;
    m.object->getCollisionShape()->getAabb(m.object->getWorldTransform(), low, high);
    const Vector3d reach = Vector3d::Constant(m.reach);  // whichever way it is pushed
    box = {from_bullet(low) - reach, from_bullet(high) + reach};
    if (box.low != last.low || box.high != last.high)
      world_.getBroadphase()->setAabb(&proxy, to_bullet(box.low), to_bullet(box.high),
                                      world_.getDispatcher());
  }
  world_.computeOverlappingPairs();
}

void Step::collect_pairs() {
  pairs_.clear();
  btDispatcher& dispatcher = *world_.getDispatcher();
  auto* callbacks = dynamic_cast<btCollisionDispatcher*>(&dispatcher);
  const btNearCallback near = callbacks ? callbacks->getNearCallback() : nullptr;
  const bool custom = near && near != &btCollisionDispatcher::defaultNearCallback;
  // Callbacks are asked in the order of the pairs, not in that of Bullet's array.
  std::vector<NearPair> list = near_pairs();
  std::erase_if(list, [&](const NearPair& p) {  // asleep: what they keep stays
    return !bodies_[static_cast<std::size_t>(p.first)].moves &&
           !bodies_[static_cast<std::size_t>(p.second)].moves;
  });
  for (const NearPair& near_pair : list) {
    btBroadphasePair& pair = *near_pair.pair;
    btCollisionObject* first = bodies_[static_cast<std::size_t>(near_pair.first)].object;
    btCollisionObject* second = bodies_[static_cast<std::size_t>(near_pair.second)].object;
    if (!near_pair.overlap) {
      PairContacts::forget(pair);
      continue;
    }
    PairContacts& contacts = PairContacts::of(pair, dispatcher, *first, *second);
    if (custom ? !contacts.allowed(pair, near, *callbacks, world_.getDispatchInfo())
               : !dispatcher.needsCollision(first, second)) {
      contacts.forget();
      continue;
    }
    if (!dispatcher.needsResponse(first, second)) {  // a sensor
      contacts.processCollision(nullptr, nullptr, world_.getDispatchInfo(), nullptr);
      continue;
    }
    pairs_.push_back({&contacts, near_pair.first, near_pair.second, 0, 0});
  }
}

std::vector<Step::NearPair> Step::near_pairs() {
  btBroadphasePairArray& array =
      world_.getBroadphase()->getOverlappingPairCache()->getOverlappingPairArray();
  std::vector<NearPair> list;
  list.reserve(static_cast<std::size_t>(array.size()));
  for (int i = 0; i < array.size(); ++i) {
    Index a = row(*static_cast<btCollisionObject*>(array[i].m_pProxy0->m_clientObject));
    Index b = row(*static_cast<btCollisionObject*>(array[i].m_pProxy1->m_clientObject));
    if (a > b) std::swap(a, b);
    list.push_back(
        {&array[i], a, b,
         boxes_[static_cast<std::size_t>(a)].meets(boxes_[static_cast<std::size_t>(b)])});
  }
  std::sort(list.begin(), list.end(), [](const NearPair& x, const NearPair& y) {
    return std::pair(x.first, x.second) < std::pair(y.first, y.second);
  });
  return list;
}

void Step::find_contacts() {
  Stopwatch watch(report.collision_seconds);
  collect_pairs();
  const auto look = [&](const Pair& pair) {
    const Moving &a = bodies_[static_cast<std::size_t>(pair.first)],
                 &b = bodies_[static_cast<std::size_t>(pair.second)];
    const Sweep sweep{from_bullet(a.object->getWorldTransform().getOrigin()), a.way, a.angle,
                      from_bullet(b.object->getWorldTransform().getOrigin()), b.way, b.angle};
    pair.contacts->look(a.reach + b.reach, sweep, options.contacts);
  };
  for_pairs([&](Index i, int) { look(pairs_[static_cast<std::size_t>(i)]); });
  touches_.clear();
  for (Pair& pair : pairs_) {
    pair.start = static_cast<Index>(touches_.size());
    pair.contacts->take(touches_);
    pair.count = static_cast<Index>(touches_.size()) - pair.start;
  }
}

// Pairs of which only our own code is needed by any thread, the others by this one.
void Step::for_pairs(const std::function<void(Index, int)>& item) {
  const auto count = static_cast<Index>(pairs_.size());
  if (executor().workers() == 1) {
    for (Index i = 0; i < count; ++i) item(i, 0);
    return;
  }
  std::vector<char> ours(bodies_.size());
  for (std::size_t i = 0; i < bodies_.size(); ++i)
    ours[i] = ours_alone(*bodies_[i].object->getCollisionShape());
  std::vector<Index> anywhere, here;
  for (Index i = 0; i < count; ++i) {
    const Pair& pair = pairs_[static_cast<std::size_t>(i)];
    const bool both =
        ours[static_cast<std::size_t>(pair.first)] && ours[static_cast<std::size_t>(pair.second)];
    (both ? anywhere : here).push_back(i);
  }
  constexpr std::size_t kTogether = 8;  // a pair of boxes takes about a microsecond
  const std::size_t parts = (anywhere.size() + kTogether - 1) / kTogether;
  executor().for_each(static_cast<Index>(parts), [&](Index part, int worker) {
    const std::size_t from = static_cast<std::size_t>(part) * kTogether;
    for (std::size_t k = from; k < std::min(from + kTogether, anywhere.size()); ++k)
      item(anywhere[k], worker);
  });
  for (Index i : here) item(i, 0);
}

// Whether a body went farther than its contacts were looked for, and would now touch something that
// is not among them. Then its reach, and that of those it is connected with, is what they really
// go; all others keep what they have, as if they were alone in the world.
bool Step::reached_farther() {
  std::vector<std::pair<std::size_t, Moving>> before;  // those who went farther, as they were
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    Moving& m = bodies_[i];
    if (!m.moves) continue;
    const Vector3d v = velocities_plus_.row(static_cast<Index>(i)).head<3>().transpose();
    const Vector3d w = velocities_plus_.row(static_cast<Index>(i)).tail<3>().transpose();
    const double goes = h_ * (v.norm() + w.norm() * m.radius);
    if (goes <= m.reach + kOverlook) continue;
    before.emplace_back(i, m);
    m.velocity = v;
    m.spin = w;
    m.way = h_ * v;
    m.angle = h_ * w;
    m.extend(h_);
  }
  if (before.empty()) return false;
  std::vector<Pair> pairs = std::move(pairs_);
  std::vector<PairContacts::Touch> touches = std::move(touches_);
  find_near();
  find_contacts();
  const std::vector<HeldJoint> joints = joints_;
  const std::vector<JointRow> joint_rows = joint_rows_;
  const Frame wider = frame();
  const std::vector<bool> hit = would_hit(wider);
  if (std::find(hit.begin(), hit.end(), true) == hit.end()) {
    for (const auto& [row, was] : before) bodies_[row] = was;
    // The broad phase may have dropped pairs of the old set that it kept too long.
    std::size_t at = 0;
    for (Pair& pair : pairs) {  // both lists are in the same order
      std::size_t found = at;
      while (found < pairs_.size() && !pairs_[found].same(pair)) ++found;
      pair.contacts = found < pairs_.size() ? pairs_[found].contacts : nullptr;
      if (pair.contacts) at = found + 1;
    }
    pairs_ = std::move(pairs);
    touches_ = std::move(touches);
    joints_ = joints;
    joint_rows_ = joint_rows;
    return false;
  }
  std::vector<bool> connected(hit.size(), false);
  for (const Island& island : islands(wider))
    if (std::any_of(island.bodies.begin(), island.bodies.end(),
                    [&](Index body) { return hit[static_cast<std::size_t>(body)]; }))
      for (Index body : island.bodies) connected[static_cast<std::size_t>(body)] = true;
  bool back = false;
  for (const auto& [row, was] : before)
    if (!connected[row]) {
      bodies_[row] = was;
      back = true;
    }
  if (back) {
    find_near();
    find_contacts();
  }
  return true;
}

// Which moving bodies meet, in this frame and with the v+ of the last one, something that was not
// among the last one's contacts.
std::vector<bool> Step::would_hit(const Frame& wider) const {
  std::vector<std::int64_t> known = frame_.contacts.ids;
  std::sort(known.begin(), known.end());
  std::vector<bool> hit(static_cast<std::size_t>(wider.bodies.count()), false);
  for (Index i = 0; i < wider.contacts.count(); ++i) {
    if (std::binary_search(known.begin(), known.end(),
                           wider.contacts.ids[static_cast<std::size_t>(i)]))
      continue;
    const Index a = wider.contacts.pairs(i, 0), b = wider.contacts.pairs(i, 1);
    const Vector3d n = wider.contacts.normals.row(i).transpose();
    const Vector3d r1 = wider.contacts.points.row(i).transpose();
    const Vector3d r2 = wider.bodies.positions.row(a).transpose() + r1 + wider.contacts.gap[i] * n -
                        wider.bodies.positions.row(b).transpose();
    const auto speed = [&](Index body, const Vector3d& r) -> Vector3d {
      return velocities_plus_.row(body).head<3>().transpose() +
             Vector3d(velocities_plus_.row(body).tail<3>().transpose()).cross(r);
    };
    const double rate = n.dot(speed(b, r2) - speed(a, r1));
    if (wider.contacts.gap[i] + h_ * rate >= -kOverlook) continue;
    for (Index body : {a, b})
      if (!wider.bodies.fixed(body)) hit[static_cast<std::size_t>(body)] = true;
  }
  return hit;
}

}  // namespace perpend::sim
