// The problems of a suite, made in a folder or found there from an earlier run.
#pragma once

#include <string>
#include <vector>

#include "command.hpp"
#include "perpend/bench.hpp"

namespace perpend::app {

// In FOLDER/problems, one standard file per scene. Throws UsageError when the name is unknown or
// the folder holds another suite's problems. Empty after Ctrl-C.
std::vector<bench::Input> suite_inputs(const std::string& suite, const std::string& folder,
                                       const Globals&);

}  // namespace perpend::app
