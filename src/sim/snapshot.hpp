// Saving and restoring a world between two steps: everything the next step depends on, and nothing
// else. What the broad phase and the solvers keep is no part of it, because no result depends on
// it.
#pragma once

#include <string>

#include "perpend/scene.hpp"
#include "sim/drives.hpp"
#include "sim/memory.hpp"
#include "sim/order.hpp"

namespace perpend::sim {

Snapshot save(btDiscreteDynamicsWorld&, const Order&, const Memory&, const Drives&);
// The reason why it does not fit this world; empty when all is as it was.
std::string restore(const Snapshot&, btDiscreteDynamicsWorld&, const Order&, Memory&, Drives&);

}  // namespace perpend::sim
