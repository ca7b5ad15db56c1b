// How a scene becomes skeletons, apart from DART's types.
//
// Bodies that joints link become one skeleton, a tree: the rest of the bodies hang on one that does
// not move by itself, on a joint to the world, or on the first of them. A joint that would close a
// loop becomes a constraint.
#pragma once

#include <vector>

#include "perpend/scene.hpp"

namespace perpend::capture {

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
