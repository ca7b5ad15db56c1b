// What a camera looks at.
#pragma once

#include "draw/stage.hpp"

namespace perpend::draw {

struct Seen {
  const Scene* scene;
  std::vector<const State*> states;
};

// The box around all moving bodies at all moments, unless that is more than `much_larger` times as
// large as the box in which most of them are most of the time: a ball that waits far away, or a
// crate that is thrown out of sight, would make the others small. Along the axes of the camera.
Bounds what_matters(const std::vector<Seen>&, const Matrix3d& axes, double much_larger);

}  // namespace perpend::draw
