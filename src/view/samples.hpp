// The sample frames (examples/frames), as JSON lines.
#pragma once

#include <string_view>

namespace perpend::view {

std::string_view sample_blocks();
std::string_view sample_single_contact();
std::string_view sample_joints();
std::string_view sample_models();
std::string_view sample_groups();

}  // namespace perpend::view
