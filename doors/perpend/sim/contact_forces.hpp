// The contacts of a step with their forces, as pictures, plots and the viewer show them.
#pragma once

#include "perpend/sim/world.hpp"
#include "perpend/system.hpp"

namespace perpend {

// Of our world; `place` tells where in the scene the body with an id is.
std::vector<ContactForce> contact_forces(const StepProblem&,
                                         const std::function<std::uint32_t(std::int64_t)>& place);
// The same of a problem that has been assembled; `impulses` are its answer.
std::vector<ContactForce> contact_forces(const StepProblem&, const System&, const Impulses&,
                                         const std::function<std::uint32_t(std::int64_t)>& place);
// Of Bullet's own world: what its solver wrote into its contact points in the last step of h.
std::vector<ContactForce> contact_forces(
    btDiscreteDynamicsWorld&, double h,
    const std::function<std::uint32_t(const btCollisionObject*)>& place);

}  // namespace perpend
