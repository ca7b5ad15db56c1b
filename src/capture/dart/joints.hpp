// DART's joints for the joints of a scene.
#pragma once

#include <dart/dynamics/BodyNode.hpp>
#include <optional>
#include <string>

#include "perpend/scene.hpp"

namespace perpend::capture::from_dart {

struct MadeJoint {
  dart::dynamics::BodyNode* node = nullptr;  // null: it cannot be expressed
  std::string missing;                       // what DART has not
  std::optional<double> speed;               // of a motor, to be commanded at every step
};

// A body that hangs on `above` (null: the world) by the joint, whose frame lies at `in_parent` and
// `in_child`. Reversed: the joint counts from the child to its parent.
MadeJoint make_joint(const Joint&, bool reversed, dart::dynamics::Skeleton&,
                     dart::dynamics::BodyNode* above, const dart::dynamics::BodyNode::Properties&,
                     const Eigen::Isometry3d& in_parent, const Eigen::Isometry3d& in_child);

}  // namespace perpend::capture::from_dart
