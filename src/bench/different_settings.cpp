// What was asked for, option by option, and the first option in which two lists differ.
#include <algorithm>

#include "bench/identity.hpp"
#include "bench/json.hpp"

namespace perpend::bench {
namespace {

std::string text(double value) { return exact(value); }
std::string text(bool value) { return value ? "yes" : "no"; }
std::string text(Measure value) { return std::string(name(value)); }
std::string text(const std::string& value) { return value; }
std::string text(const std::map<std::string, std::string>& set) {
  std::string all;
  for (const auto& [option, value] : set)
    all.append(all.empty() ? "" : " ").append(option).append("=").append(value);
  return all;
}
std::string text(const std::vector<HistoryMeasure>& list) {
  std::string all;
  for (const HistoryMeasure& one : list) all.append(all.empty() ? "" : ",").append(name(one));
  return all;
}
template <class Whole>
std::string text(Whole value) {
  return std::to_string(value);
}

// max_iterations is --max-iterations.
std::string option(std::string_view field) {
  std::string words = "--" + std::string(field);
  std::replace(words.begin(), words.end(), '_', '-');
  return words;
}

}  // namespace

Identity identity(const Settings& settings) {
  Identity all;
  for_each_field(settings, [&](const auto& field, const auto& value) {
    if (field.role == Role::compared) all.emplace_back(option(field.name), text(value));
  });
  return all;
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
