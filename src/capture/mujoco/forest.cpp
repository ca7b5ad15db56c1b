#include <algorithm>
#include <numeric>

#include "capture/mujoco/mjcf.hpp"

namespace perpend::capture::mjcf {
namespace {

// Which joints make the trees: no two of them close a loop, and joints that MuJoCo can also hold by
// an equality (points, fixed ones) come last. The world and all fixed bodies are one.
std::vector<bool> tree_joints(const Scene& scene) {
  std::vector<std::size_t> parent(scene.bodies.size() + 1);
  std::iota(parent.begin(), parent.end(), std::size_t{0});
  const auto root = [&](Index body) {
    const bool ground = body < 0 || scene.bodies[static_cast<std::size_t>(body)].mass == 0;
    std::size_t at = ground ? scene.bodies.size() : static_cast<std::size_t>(body);
    while (parent[at] != at) at = parent[at];
    return at;
  };
  std::vector<bool> out(scene.joints.size(), false);
  for (const bool equalities : {false, true})
    for (std::size_t k = 0; k < out.size(); ++k) {
      const Joint& joint = scene.joints[k];
      const bool equality = joint.type == Joint::Type::point || joint.type == Joint::Type::fixed;
      const std::size_t a = root(joint.first), b = root(joint.second);
      if (equality != equalities || a == b) continue;
      out[k] = true;
      parent[std::min(a, b)] = std::max(a, b);  // the ground is the largest
    }
  return out;
}

class Search {
 public:
  explicit Search(const Scene& scene) : scene_(scene), in_tree_(tree_joints(scene)) {
    const std::size_t n = scene.bodies.size();
    out_.joint.assign(n, -1);
    out_.children.resize(n);
    found_.assign(n, false);
    used_.assign(scene.joints.size(), false);
  }

  Forest run() {
    const auto n = static_cast<Index>(scene_.bodies.size());
    for (Index i = 0; i < n; ++i)
      if (scene_.bodies[static_cast<std::size_t>(i)].mass == 0) start(i);
    grow(-1);
    for (std::size_t k = 0; k < out_.roots.size(); ++k) grow(out_.roots[k]);
    for (Index i = 0; i < n; ++i) {
      if (found_[static_cast<std::size_t>(i)]) continue;
      start(i);
      grow(i);
    }
    for (Index k = 0; k < static_cast<Index>(used_.size()); ++k)
      if (!used_[static_cast<std::size_t>(k)]) out_.loops.push_back(k);
    return std::move(out_);
  }

 private:
  void start(Index body) {
    found_[static_cast<std::size_t>(body)] = true;
    out_.roots.push_back(body);
  }

  // Everything that hangs on `from` and is not found yet, nearest first; -1: the world.
  void grow(Index from) {
    std::vector<Index> queue = {from};
    for (std::size_t at = 0; at < queue.size(); ++at)
      for (std::size_t k = 0; k < used_.size(); ++k) {
        const Joint& joint = scene_.joints[k];
        if (used_[k] || !in_tree_[k] || (joint.first != queue[at] && joint.second != queue[at]))
          continue;
        const Index other = joint.first == queue[at] ? joint.second : joint.first;
        if (other < 0 || found_[static_cast<std::size_t>(other)]) continue;
        used_[k] = true;
        found_[static_cast<std::size_t>(other)] = true;
        out_.joint[static_cast<std::size_t>(other)] = static_cast<Index>(k);
        (queue[at] < 0 ? out_.of_world : out_.children[static_cast<std::size_t>(queue[at])])
            .push_back(other);
        queue.push_back(other);
      }
  }

  const Scene& scene_;
  Forest out_;
  std::vector<bool> in_tree_, found_, used_;
};

}  // namespace

Forest forest_of(const Scene& scene) { return Search(scene).run(); }

}  // namespace perpend::capture::mjcf
