// perpend simulate --refine: the convergence laboratory.
#pragma once

#include <string>

#include "command.hpp"
#include "perpend/sim.hpp"

namespace perpend::app {

struct RefineRequest {
  int halvings = 0;  // 0: not asked for
  std::string plot;
};

void add_refine_options(CLI::App&, RefineRequest&);
// Returns the exit code.
int run_refine(const RefineRequest&, const Scene&, SimulateOptions, bool json, const Globals&);

}  // namespace perpend::app
