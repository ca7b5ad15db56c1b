// Names in the MJCF of a scene.
#pragma once

#include <string>

#include "perpend/scene.hpp"

namespace perpend::capture::from_mujoco::mjcf {

inline std::string body_name(Index body) { return "body" + std::to_string(body); }
inline std::string target_name(Index body) { return "target" + std::to_string(body); }
// A motor of axis k of a joint, and the axis.
inline std::string axis_name(Index joint, Index axis) {
  return "joint" + std::to_string(joint) + "_" + std::to_string(axis);
}

// A ball, which turns about all axes, or a constraint that closes a loop.
inline std::string joint_name(Index joint) { return "joint" + std::to_string(joint); }

inline std::string follow_name(Index joint) { return joint_name(joint) + "_follows"; }
// The actuators of a drive: its spring and damper, and the force that is told.
inline std::string servo_name(Index joint, Index axis) { return axis_name(joint, axis) + "_servo"; }
inline std::string push_name(Index joint, Index axis) { return axis_name(joint, axis) + "_push"; }

inline bool scripted(const Body& body) { return body.mass == 0 && body.motion; }

}  // namespace perpend::capture::from_mujoco::mjcf
