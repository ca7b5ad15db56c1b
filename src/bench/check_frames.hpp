// The frames of examples/, as JSON lines in the program; their sources are made by
// cmake/embed.cmake.
#pragma once

#include <string_view>

namespace perpend::bench {

std::string_view sample_frames();  // with velocities derived by hand
std::string_view hard_frames();    // that break solvers

}  // namespace perpend::bench
