#include "sim/memory.hpp"

#include <algorithm>
#include <limits>

namespace perpend::sim {

std::span<const ContactMemory::Impulse> ContactMemory::of(const Pair& pair) const {
  return std::span(impulses).subspan(pair.start, pair.count);
}

void ContactMemory::append(std::int64_t first, std::int64_t second, std::span<const Impulse> list) {
  if (list.empty()) return;
  pairs.push_back({first, second, impulses.size(), list.size()});
  impulses.insert(impulses.end(), list.begin(), list.end());
}

void Memory::forget_body(std::int64_t id) {
  std::erase_if(contacts.pairs, [&](const ContactMemory::Pair& pair) {
    return pair.first == id || pair.second == id;
  });
  std::erase(fell_short, id);
  std::erase(held, id);
}

void Memory::forget_bodies() {
  contacts = {};
  fell_short.clear();
  held.clear();
}

ContactMemory remembered(const ContactMemory& before, const Touches& touches,
                         const StepBodies& bodies, std::span<const Vector3d> impulses) {
  ContactMemory now;
  const auto asleep = [&](std::int64_t id) {
    const auto found = std::lower_bound(bodies.list.begin(), bodies.list.end(), id,
                                        [](const StepBody& m, std::int64_t i) { return m.id < i; });
    return found != bodies.list.end() && found->id == id && !found->moves;
  };
  auto old = before.pairs.begin();
  const auto keep_asleep = [&](std::pair<std::int64_t, std::int64_t> until) {
    for (; old != before.pairs.end() && std::pair(old->first, old->second) < until; ++old)
      if (asleep(old->first) && asleep(old->second))
        now.append(old->first, old->second, before.of(*old));
  };
  now.pairs.reserve(touches.pairs.size());
  now.impulses.reserve(touches.list.size());
  for (const TouchPair& pair : touches.pairs) {
    if (pair.count == 0) continue;  // most pairs near each other
    const std::int64_t first = bodies[pair.first].id, second = bodies[pair.second].id;
    keep_asleep({first, second});
    const auto count = static_cast<std::size_t>(pair.count);
    now.pairs.push_back({first, second, now.impulses.size(), count});
    for (std::size_t k = 0; k < count; ++k) {
      const auto i = static_cast<std::size_t>(pair.start) + k;
      now.impulses.push_back({touches.list[i].point.feature, impulses[i]});
    }
  }
  constexpr auto kLast = std::numeric_limits<std::int64_t>::max();
  keep_asleep({kLast, kLast});
  return now;
}

Start start_from(const Memory& memory, const StepBodies& bodies, const Touches& touches,
                 const HeldJoints& joints) {
  const auto m = static_cast<Index>(touches.list.size());
  Start start{Impulses::Zero(3 * m + static_cast<Index>(joints.rows.size())), memory.fell_short,
              memory.held};
  // Both lists ascend.
  auto next = memory.contacts.pairs.begin();
  for (const TouchPair& pair : touches.pairs) {
    if (pair.count == 0) continue;
    const std::pair wanted(bodies[pair.first].id, bodies[pair.second].id);
    while (next != memory.contacts.pairs.end() && std::pair(next->first, next->second) < wanted)
      ++next;
    if (next == memory.contacts.pairs.end()) break;
    if (std::pair(next->first, next->second) != wanted) continue;
    const std::span<const ContactMemory::Impulse> old = memory.contacts.of(*next);
    for (Index i = pair.start; i < pair.start + pair.count; ++i) {
      const Touch& touch = touches.list[static_cast<std::size_t>(i)];
      const auto found = std::find_if(
          old.begin(), old.end(),
          [&](const ContactMemory::Impulse& one) { return one.feature == touch.point.feature; });
      if (found == old.end()) continue;
      start.impulses.segment<3>(3 * i) << found->impulse.dot(touch.point.normal),
          found->impulse.dot(touch.tangents.t), found->impulse.dot(touch.tangents.o);
    }
  }
  for (const HeldJoint& held : joints.list) {
    const auto found = memory.joints.find(held.joint ? held.joint : held.follower);
    if (found == memory.joints.end()) continue;
    for (Index row = held.start; row < held.start + held.count; ++row)
      for (const Memory::RowImpulse& old : found->second)
        if (old.key == joints.rows[static_cast<std::size_t>(row)].key)
          start.impulses[3 * m + row] = old.impulse;
  }
  return start;
}

}  // namespace perpend::sim
