// Contacts between two collision objects that may touch within the step (004, section 3.2).
#pragma once

#include <cstdint>
#include <vector>

#include "perpend/frame.hpp"

class btCollisionObject;

namespace perpend::sim {

struct ContactPoint {
  Vector3d first, second;  // world: on the surface of either object, collision margins removed
  Vector3d normal;         // unit, away from the surface of the first object
  double gap;              // m, (second - first) . normal, negative when they overlap
  std::uint64_t feature;   // which features meet: the same from step to step, unique in the pair
};

// Appends every contact that may close while the two objects approach each other by no more than
// `reach` (m): gaps up to it, complete manifolds. The order depends on the arguments alone.
void find_contacts(const btCollisionObject& first, const btCollisionObject& second, double reach,
                   std::vector<ContactPoint>&);

// How deep the two objects overlap, from their geometry alone and without the contacts above;
// 0 when they do not. m
double penetration(const btCollisionObject& first, const btCollisionObject& second);

}  // namespace perpend::sim
