// What the runs with 50 iterations a frame share, with and without a hand in them.
#pragma once

#include <array>

#include "reproduce/kit.hpp"

namespace perpend::reproduce {

inline constexpr double kStable = 0.1;  // m, a tenth of a box's edge
inline constexpr long kIterations50 = 50;
inline constexpr std::array<const char*, 7> kStanding7{
    "stack-small", "stack", "gears", "snake", "arch", "heavy-top", "mass-ratio:100"};

}  // namespace perpend::reproduce
