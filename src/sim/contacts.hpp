// Contacts between two collision objects that may touch within the step (Nguyen and Trinkle 2010,
// section 3.2).
#pragma once

#include <cstdint>
#include <vector>

#include "perpend/sim.hpp"
#include "sim/hull_cache.hpp"

class btCollisionObject;
class btCollisionShape;

namespace perpend::sim {

struct ContactPoint {
  Vector3d first, second;   // world: on the surface of either object, collision margins removed
  Vector3d normal;          // unit, away from the surface of the first object
  double gap;               // m, (second - first) . normal, negative when they overlap
  std::uint64_t feature;    // which features meet: the same from step to step, unique in the pair
  std::uint64_t group = 0;  // alternatives of each other share one and are neighbours; 0: ordinary
};

// Where the two bodies would go in this step with the velocities they come with: x + h v, turned by
// h w. Without the forces of the step: what rests on something would sink into it by gravity, and
// then seem to hit the side of what it slides onto.
struct Sweep {
  Vector3d centre1, linear1, angular1;  // m, m, rad
  Vector3d centre2, linear2, angular2;
};

// Appends every contact that may close while the two objects approach each other by no more than
// `reach` (m): gaps up to it, complete manifolds. The order depends on the arguments alone.
//
// Two convex pieces need to stay apart along one direction only. Of the directions that separate
// them now (by -1e-6 m or more) it is the one that separates them longest during the sweep; of
// those that still do at its end, the one along which they are then farthest apart. A box that
// falls fast past the edge of a shelf is held apart from it sideways and not stopped from above.
// (For the faces of a group, Nguyen and Trinkle 2010, section 4, only the end of the step decides.)
// Where no direction separates them it is that of least overlap. With a sweep of zero it is that of
// the largest distance.
class ContactFinder {
 public:
  // With ContactModel::nonconvex a contact may come with its alternatives
  // (contact_alternatives.hpp).
  void find_contacts(const btCollisionObject& first, const btCollisionObject& second, double reach,
                     const Sweep&, std::vector<ContactPoint>&,
                     ContactModel = ContactModel::one_direction);

  // How deep the two objects overlap, from their geometry alone and without the contacts above;
  // 0 when they do not. m
  double penetration(const btCollisionObject& first, const btCollisionObject& second);

 private:
  HullCache hulls_;  // that were met before
};

// Whether contacts of this shape are found by our own code and plain reading of Bullet's data, so
// that several threads may do it at once. Triangles of meshes and height fields are handed out by
// Bullet, whose build here is not thread-safe; support points of convex shapes that we do not know
// may be the user's code.
bool ours_alone(const btCollisionShape&);

// The same for once.
void find_contacts(const btCollisionObject& first, const btCollisionObject& second, double reach,
                   const Sweep&, std::vector<ContactPoint>&,
                   ContactModel = ContactModel::one_direction);
double penetration(const btCollisionObject& first, const btCollisionObject& second);

}  // namespace perpend::sim
