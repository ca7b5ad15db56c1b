#include "sim/ids.hpp"

namespace perpend::sim {

bool Ids::give(const void* thing, std::int64_t id) {
  if (id < 0 || id > kHighest) return false;
  const auto found = ids_.find(thing);
  if (found != ids_.end() && found->second == id) return true;
  if (taken_.count(id) > 0) return false;
  forget(thing);
  ids_[thing] = id;
  taken_.insert(id);
  return true;
}

void Ids::forget(const void* thing) {
  const auto found = ids_.find(thing);
  if (found == ids_.end()) return;
  taken_.erase(found->second);
  ids_.erase(found);
}

std::optional<std::int64_t> Ids::given(const void* thing) const {
  const auto found = ids_.find(thing);
  if (found == ids_.end()) return std::nullopt;
  return found->second;
}

std::int64_t Ids::of(const void* thing, std::int64_t number) const {
  if (!any()) return number;
  return given(thing).value_or(kHighest + 1 + number);
}

}  // namespace perpend::sim
