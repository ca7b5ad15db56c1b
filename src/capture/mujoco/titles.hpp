// What a solver's title says besides its name.
#pragma once

namespace perpend::capture::from_mujoco {

inline constexpr const char kElliptic[] = ", elliptic cones";
inline constexpr const char kNoSlip[] = ", then noslip";

}  // namespace perpend::capture::from_mujoco
