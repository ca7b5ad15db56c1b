// Which frames of a file a command is about.
#pragma once

#include <string>
#include <vector>

#include "command.hpp"
#include "perpend/io.hpp"

namespace perpend::app {

// --frames: K, A-B, most-contacts:N, worst:N, or nothing for all. Ascending.
std::vector<Index> select_frames(const std::string& selection, const std::string& path,
                                 const io::Source&, const Globals&);

}  // namespace perpend::app
