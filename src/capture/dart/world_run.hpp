// A world of DART as the programs that record it run it, whoever made the world.
#pragma once

#include "perpend/capture/dart.hpp"

namespace perpend::capture::from_dart {

// `step` makes one step of the world.
std::unique_ptr<Run> dart_run(dart::simulation::World&, std::function<void()> step);
std::unique_ptr<Run> recorded_dart_run(dart::simulation::World&, std::function<void()> step,
                                       DartIds = {});
std::uint64_t state_hash(const dart::simulation::World&);  // of all coordinates and velocities

}  // namespace perpend::capture::from_dart
