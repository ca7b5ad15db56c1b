// What plugins of every language have in common.
#pragma once

#include "perpend/peers.hpp"

namespace perpend::peers {

// Adds all solvers of a file, or none.
Plugin add_plugin(const std::string& file, std::vector<SolverInfo>);

}  // namespace perpend::peers
