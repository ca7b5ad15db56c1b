// The table of built-in scenes, and a scene by its name.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <vector>

#include "scene/families.hpp"

namespace perpend {
namespace {

using namespace scene;

SceneInfo fixed(Scene (*make)(double, std::uint64_t), Index rows = 0, Index rank = 0) {
  const Scene scene = make(0, 1);
  return {scene.name, scene.title, scene.source, rows, rank, 0, 0, make};
}

SceneInfo parametric(const char* name, Scene (*make)(double, std::uint64_t), double parameter,
                     double highest) {
  const Scene scene = make(parameter, 1);
  return {name, scene.title, scene.source, 0, 0, parameter, highest, make};
}

// Rows and rank are those of Silcowitz-Hansen et al. 2010, Table 1.
std::vector<SceneInfo> table() {
  return {
      fixed(slope, 171, 54),
      fixed(friction_stack, 519, 157),
      fixed(stack, 156, 54),
      fixed(gears_small, 216, 36),
      fixed(gears, 198, 60),
      fixed(stack_small, 51, 24),
      fixed(arch, 42, 36),
      fixed(heavy_top, 168, 62),
      fixed(snake, 30, 30),
      fixed(wall, 4083, 0),
      fixed(spheres),
      fixed(logs),
      fixed(hose),
      fixed(hose_humanoid),
      fixed(tower),
      fixed(ragdolls),
      parametric("stack:N", column, 10, 1e6),
      fixed(heavy_column),
      parametric("mass-ratio:R", mass_ratio, 100, 1e12),
      fixed(creep),
      fixed(yaw),
      fixed(plate),
      fixed(painleve),
      fixed(cracked_ramp),
      fixed(hole),
      fixed(notch),
      fixed(tiles),
      parametric("pile-spheres:N", pile_spheres, 100, 1e6),
      parametric("pile-boxes:N", pile_boxes, 100, 1e6),
      parametric("pyramid:N", pyramid, 10, 1400),
      parametric("wall:N", wall_of, 10, 1000),
      parametric("crates:N", crates, 8, 1400),
      parametric("chain:N", chain, 10, 1e6),
  };
}

std::string_view stem(std::string_view name) { return name.substr(0, name.find(':')); }
bool is_parametric(const SceneInfo& info) { return info.name.find(':') != std::string::npos; }

// How many letters must be changed, added or dropped (Levenshtein).
std::size_t letters_apart(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t k = 0; k <= b.size(); ++k) row[k] = k;
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t k = 0; k < b.size(); ++k) {
      const std::size_t changed = diagonal + (a[i] == b[k] ? 0 : 1);
      diagonal = row[k + 1];
      row[k + 1] = std::min({changed, row[k] + 1, row[k + 1] + 1});
    }
  }
  return row[b.size()];
}

std::string near_names(std::string_view wanted) {
  std::size_t nearest = 3;  // farther names are no help
  for (const SceneInfo& info : scenes())
    nearest = std::min(nearest, letters_apart(stem(wanted), stem(info.name)));
  std::string names;
  for (const SceneInfo& info : scenes()) {
    const bool near = letters_apart(stem(wanted), stem(info.name)) <= nearest ||
                      (!wanted.empty() && info.name.starts_with(stem(wanted)));
    if (near) names += (names.empty() ? "" : ", ") + info.name;
  }
  return names;
}

std::string shortest(double x) {
  std::array<char, 32> text{};
  const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), x);
  return std::string(text.data(), end);
}

// The number after the colon: of bodies (N) or any positive one (R).
std::string parse(const SceneInfo& info, std::string_view text, double& parameter) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), parameter);
  const std::string wanted = "scene " + info.name + ": '" + std::string(text) + "' is not a ";
  const bool counts = info.name.ends_with(":N");
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(parameter))
    return wanted + "number";
  const double lowest = counts ? 1 : 1 / info.highest;
  if (parameter < lowest || parameter > info.highest ||
      (counts && parameter != std::floor(parameter)))
    return wanted + (counts ? "whole " : "") + "number from " + shortest(lowest) + " to " +
           shortest(info.highest);
  return {};
}

}  // namespace

std::span<const SceneInfo> scenes() {
  static const std::vector<SceneInfo> kScenes = table();
  return kScenes;
}

std::optional<Scene> scene_named(std::string_view name, std::uint64_t seed, std::string& why) {
  const std::size_t colon = name.find(':');
  const bool asked = colon != std::string_view::npos;
  const SceneInfo* found = nullptr;
  for (const SceneInfo& info : scenes()) {
    if (stem(info.name) != stem(name)) continue;
    // A name without a parameter is a scene of its own first, then the default of a family.
    if (asked == is_parametric(info) || (!asked && !found)) found = &info;
  }
  if (!found) {
    const std::string near = near_names(name);
    why = "unknown scene '" + std::string(name) + "'" +
          (near.empty() ? "" : " (did you mean: " + near + ")");
    return {};
  }
  double parameter = found->parameter;
  if (asked) {
    why = parse(*found, name.substr(colon + 1), parameter);
    if (!why.empty()) return {};
  }
  Scene scene = found->make(parameter, seed);
  scene.name = name;
  scene.seed = seed;
  return scene;
}

}  // namespace perpend
