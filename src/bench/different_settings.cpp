// What was asked for, option by option, and the first option in which two lists differ.
#include "bench/identity.hpp"
#include "bench/json.hpp"

namespace perpend::bench {

Identity identity(const Settings& s) {
  std::string set;
  for (const auto& [option, value] : s.set)
    set.append(set.empty() ? "" : " ").append(option).append("=").append(value);
  return {{"--tolerance", exact(s.tolerance)},
          {"--error", std::string(name(s.error))},
          {"--max-iterations", std::to_string(s.max_iterations)},
          {"--time-limit", exact(s.time_limit)},
          {"--memory-limit", exact(s.memory_limit)},
          {"--warm-start", s.warm_start ? "yes" : "no"},
          {"--repeat", std::to_string(s.repeat)},
          {"--facets", std::to_string(s.facets)},
          {"--seed", std::to_string(s.seed)},
          {"--set", set}};
}

std::string difference(const Identity& was, const Identity& is) {
  const auto shown = [](const std::string& value) { return value.empty() ? "none" : value; };
  for (std::size_t i = 0; i < was.size() && i < is.size(); ++i) {
    if (was[i].first != is[i].first) return was[i].first + " is now " + is[i].first;
    if (was[i].second != is[i].second)
      return is[i].first + " was " + shown(was[i].second) + ", is " + shown(is[i].second);
  }
  return was.size() == is.size() ? "" : "the number of files differs";
}

std::string different_settings(const Settings& was, const Settings& is) {
  return difference(identity(was), identity(is));
}

}  // namespace perpend::bench
