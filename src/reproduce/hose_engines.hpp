// The hose in several worlds, with any numbers of iterations.
#pragma once

#include <array>

#include "reproduce/engines.hpp"

namespace perpend::reproduce {

struct HoseRuns {
  std::string scene;
  Index steps = 0;
  std::string watched;                          // a body that shall not sink; empty: none
  std::array<long, 3> iterations{10, 40, 400};  // a step: few, those of the paper, many
};

// rms_violation, m/s, of the iterates of a solver after so many iterations, from zero impulses. The
// answer of solve() may be an earlier iterate.
std::array<double, 3> iterate_errors(const System&, const std::string& solver,
                                     const std::array<long, 3>& iterations, const Settings&);

// Adds figure, tables and claims of a scene in these worlds.
void add_worlds(const HoseRuns&, const std::vector<World>&, const Settings&, Outcome&);

}  // namespace perpend::reproduce
