#include "capture/dart/forest.hpp"

#include <algorithm>

namespace perpend::capture {

Forest forest_of(const Scene& scene) {
  Forest out;
  std::vector<bool> placed(scene.bodies.size(), false), used(scene.joints.size(), false);
  const auto is_fixed = [&](Index body) {
    return scene.bodies[static_cast<std::size_t>(body)].mass == 0;
  };
  const auto grow = [&](std::vector<Branch> tree) {
    for (std::size_t next = 0; next < tree.size(); ++next) {
      const Index here = tree[next].body;
      for (std::size_t k = 0; k < scene.joints.size(); ++k) {
        const Joint& joint = scene.joints[k];
        if (used[k] || (joint.first != here && joint.second != here)) continue;
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
    if (std::min(joint.first, joint.second) >= 0 || placed[static_cast<std::size_t>(body)])
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
