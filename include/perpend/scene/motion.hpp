// How scripted bodies move.
#pragma once

#include "perpend/scene.hpp"

namespace perpend {

// The rotation by the vector `turn` (rad): the exponential map, which is a rotation for any step.
Eigen::Quaterniond exponential(const Vector3d& turn);

// Where a motion has taken a pose at that time. A conveyor moves its surface only.
Pose moved(const Pose& start, const Motion&, double time);

}  // namespace perpend
