#include "capture/forest.hpp"

#include <algorithm>
#include <numeric>

#include "perpend/base.hpp"

namespace perpend::capture {
namespace {

// Which joints make the trees: no two of them close a loop, and those that engines can hold by a
// constraint as well (points, fixed ones) come last. The world and all fixed bodies are one.
std::vector<bool> in_trees(const Scene& scene) {
  const auto bodies = static_cast<Index>(scene.bodies.size());
  DisjointSets sets(bodies + 1);
  const auto root = [&](Index body) {
    const bool ground = body < 0 || scene.bodies[static_cast<std::size_t>(body)].mass == 0;
    return sets.of(ground ? bodies : body);
  };
  std::vector<bool> out(scene.joints.size(), false);
  for (const bool last : {false, true})
    for (std::size_t k = 0; k < out.size(); ++k) {
      const Joint& joint = scene.joints[k];
      const Index a = root(joint.first), b = root(joint.second);
      const bool held = joint.type == Joint::Type::point || joint.type == Joint::Type::fixed;
      if (held != last || a == b) continue;
      out[k] = true;
      sets.join(a, b);
    }
  return out;
}

}  // namespace

Forest forest_of(const Scene& scene) {
  Forest out;
  const std::vector<bool> may = in_trees(scene);
  std::vector<bool> placed(scene.bodies.size(), false), used(scene.joints.size(), false);
  const auto is_fixed = [&](Index body) {
    return scene.bodies[static_cast<std::size_t>(body)].mass == 0;
  };
  const auto grow = [&](std::vector<Branch> tree) {
    for (std::size_t next = 0; next < tree.size(); ++next) {
      const Index here = tree[next].body;
      for (std::size_t k = 0; k < scene.joints.size(); ++k) {
        const Joint& joint = scene.joints[k];
        if (used[k] || !may[k] || (joint.first != here && joint.second != here)) continue;
        const Index there = joint.first == here ? joint.second : joint.first;
        if (there < 0 || placed[static_cast<std::size_t>(there)]) continue;
        used[k] = placed[static_cast<std::size_t>(there)] = true;
        tree.push_back({there, here, static_cast<Index>(k)});
      }
    }
    out.trees.push_back(std::move(tree));
  };

  const auto count = static_cast<Index>(scene.bodies.size());
  for (Index i = 0; i < count; ++i) placed[static_cast<std::size_t>(i)] = is_fixed(i);
  for (Index i = 0; i < count; ++i)
    if (is_fixed(i)) grow({{i, -1, -1}});
  for (std::size_t k = 0; k < scene.joints.size(); ++k) {
    const Joint& joint = scene.joints[k];
    const Index body = std::max(joint.first, joint.second);
    if (!may[k] || std::min(joint.first, joint.second) >= 0 ||
        placed[static_cast<std::size_t>(body)])
      continue;
    used[k] = placed[static_cast<std::size_t>(body)] = true;
    grow({{body, -1, static_cast<Index>(k)}});
  }
  for (Index i = 0; i < count; ++i)
    if (!placed[static_cast<std::size_t>(i)]) {
      placed[static_cast<std::size_t>(i)] = true;
      grow({{i, -1, -1}});
    }
  for (std::size_t k = 0; k < scene.joints.size(); ++k)
    if (!used[k]) out.loops.push_back(static_cast<Index>(k));
  return out;
}

}  // namespace perpend::capture
