// Gazebo's physics: worlds in SDF through gz-physics (Ignition Physics) and its DART plugin, as
// Gazebo steps them, recorded by the recorder of DART (docs/gazebo.md). A program of one's own on
// gz-physics needs nothing of this header:
//
//   perpend::capture::DartFile file("run.h5");
//   file.record(*world->GetDartsimWorld());
#pragma once

#include "perpend/capture.hpp"

namespace perpend::capture {

// Worlds in SDF, for the program perpend-capture-gazebo.
Engine gazebo_engine();

}  // namespace perpend::capture
