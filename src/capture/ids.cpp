#include "capture/ids.hpp"

#include <algorithm>

namespace perpend::capture {

std::vector<std::int64_t> body_ids(const Scene& scene) {
  constexpr std::int64_t kHighest = std::int64_t{1} << 53;
  const bool any = std::any_of(scene.bodies.begin(), scene.bodies.end(),
                               [](const Body& body) { return body.id.has_value(); });
  std::vector<std::int64_t> ids;
  for (const Body& body : scene.bodies) {
    const auto place = static_cast<std::int64_t>(ids.size());
    ids.push_back(body.id.value_or(any ? kHighest + 1 + place : place));
  }
  return ids;
}

}  // namespace perpend::capture
