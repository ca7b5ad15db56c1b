// perpend simulate --beside: a second run, in another engine or with another contact model.
#pragma once

#include <string>

#include "perpend/sim.hpp"

namespace perpend::app {

// Throws UsageError when there is no such run.
SimulateOptions other_run(const std::string& what, SimulateOptions);
// What tells a run from the one beside it.
std::string title_of(const SimulateOptions&, const SimulateOptions& other);

}  // namespace perpend::app
