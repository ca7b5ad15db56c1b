// Names in the MJCF of a scene, and its joints as a forest.
#pragma once

#include <string>
#include <vector>

#include "perpend/scene.hpp"

namespace perpend::capture::mjcf {

inline std::string body_name(Index body) { return "body" + std::to_string(body); }
inline std::string target_name(Index body) { return "target" + std::to_string(body); }
// A motor of axis k of a joint, and the axis.
inline std::string axis_name(Index joint, Index axis) {
  return "joint" + std::to_string(joint) + "_" + std::to_string(axis);
}

inline bool scripted(const Body& body) { return body.mass == 0 && body.motion; }

// Of every body the joint that holds it to its parent in the tree (-1: none, it is free or fixed),
// children in the order in which they are found, and the joints that are left over: they close
// loops. Fixed bodies and the world come first, then bodies by their place.
struct Forest {
  std::vector<Index> joint;  // (bodies)
  std::vector<std::vector<Index>> children;
  std::vector<Index> of_world;  // children of the world by a joint to it
  std::vector<Index> roots;     // fixed and free bodies
  std::vector<Index> loops;     // joints
};
Forest forest_of(const Scene&);

}  // namespace perpend::capture::mjcf
