// Contacts that nobody told about.
//
// ODE has no getter for what a contact joint was made with, but dWorldExportDIF writes all of a
// world as text, to fifteen digits: bodies and joints newest first, joints with the numbers of
// their bodies. It has no addresses; bodies are known again by their state, the joints of two
// bodies by their order, which is that of dBodyGetJoint.
#pragma once

#include <ode/ode.h>

#include <unordered_map>
#include <vector>

namespace perpend::capture::from_ode {

// Where it cannot be told which is which (two bodies in the same state) the joint is left out. Not
// in the text: rolling friction, motionN, the geoms.
std::unordered_map<dJointID, dContact> exported_contacts(dWorldID, const std::vector<dBodyID>&);

}  // namespace perpend::capture::from_ode
