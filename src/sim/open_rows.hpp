// Rows of a step that are open, by name.
#pragma once

#include "sim/solve_islands.hpp"
#include "sim/step_frame.hpp"

namespace perpend::sim {

// How far joints, limits and overlaps of islands that close slowly are open, the worst first, one
// row of each joint and three at most.
std::vector<OpenRow> most_open(const StepSetup&, const Solution&);

// A note of which joints are open, if any is.
std::string open_at_start(const StepSetup&);

}  // namespace perpend::sim
