// The table and the hose on it that the scenes after Lu et al. 2013, Fig. 4 share.
#pragma once

#include "scene/build.hpp"

namespace perpend::scene {

inline constexpr double kHoseMu = 0.8;
inline constexpr double kHoseTable = 0.75;  // m, height of its top
inline constexpr double kHoseRadius = 0.02, kHoseBarrel = 0.05, kHosePitch = 0.09;  // m, of a piece
inline constexpr int kHosePieces = 20;

// Capsules of 50 g along x that may bend and twist a little at every joint. `first` is the middle
// of the first piece. Returns the first body; the others follow it.
Index add_hose(Scene&, const Vector3d& first);

}  // namespace perpend::scene
