// A scene as trees of bodies.
#pragma once

#include <vector>

#include "perpend/scene.hpp"

namespace perpend::capture {

// A scene for an engine whose bodies hang in trees. Bodies that joints link become one tree: the
// rest of them hang on one that does not move by itself, on a joint to the world, or on the first
// of them. What would close a loop is left to a constraint, where there is a choice a `point` or
// `fixed` joint.
struct Branch {
  Index body = -1;
  Index parent = -1;  // body; -1: the world
  Index joint = -1;   // of the scene; -1: free, or fixed where it has no mass
};
struct Forest {
  std::vector<std::vector<Branch>> trees;  // parents first
  std::vector<Index> loops;                // joints that close one
};
Forest forest_of(const Scene&);

}  // namespace perpend::capture
