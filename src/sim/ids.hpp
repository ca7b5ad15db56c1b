// Who comes first. Results are the same bits whatever the order in which things were added, once
// they have ids: everything that has an order follows them, and never an array of Bullet's, an
// address, or the history of the broad phase.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>

namespace perpend::sim {

class Ids {
 public:
  // Exact in every JSON reader, and far from overflow.
  static constexpr std::int64_t kHighest = std::int64_t{1} << 53;

  // False when it is out of range, or another has it.
  bool give(const void* thing, std::int64_t id);
  void forget(const void* thing);
  bool any() const { return !taken_.empty(); }
  std::optional<std::int64_t> given(const void* thing) const;
  // The given one; else the number by which it was added, after all that can be given as soon as
  // anything has one.
  std::int64_t of(const void* thing, std::int64_t number) const;

 private:
  std::map<const void*, std::int64_t> ids_;  // only looked up
  std::set<std::int64_t> taken_;
};

}  // namespace perpend::sim
