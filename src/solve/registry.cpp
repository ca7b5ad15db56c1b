// The table of solvers. Command line, reports, tests and documentation read it.
//
// Ours come first, as solvers.inc lists them; solvers of others (peers, plugins) follow in the
// order in which they were added. Rows never move: whoever holds a SolverInfo may keep it.
#include "solve/registry.hpp"

#include <deque>
#include <string>

namespace perpend {

#define SOLVER(function) SolverInfo function();
#include "solve/solvers.inc"
#undef SOLVER

namespace {

std::deque<SolverInfo>& table() {
#define SOLVER(function) function(),
  static std::deque<SolverInfo> rows = {
#include "solve/solvers.inc"
  };
#undef SOLVER
  return rows;
}

}  // namespace

OptionInfo option_bounds() {
  return {"bounds",
          "friction bounds from the newest normal impulse, or from the one before the sweep (the "
          "bounds of Silcowitz-Hansen et al. 2010, eq. 18)",
          "newest",
          {"newest", "lagged"}};
}

OptionInfo option_level() {
  return {"level",
          "what must fit the normal impulses: velocities, or accelerations of resting contacts",
          "velocity",
          {"velocity", "acceleration"}};
}

const std::deque<SolverInfo>& solvers() { return table(); }

const SolverInfo* solver_named(std::string_view name) {
  for (const SolverInfo& s : table())
    if (s.name == name) return &s;
  return nullptr;
}

std::string add_solver(SolverInfo info) {
  const std::string_view formulation = info.formulation();
  bool known = false;
  for (const std::string_view f : formulations()) known = known || f == formulation;
  if (!known || info.name.size() <= formulation.size() + 1)
    return "'" + info.name + "' is not formulation/method with a known formulation";
  if (!info.make) return info.name + " cannot be made";
  if (solver_named(info.name)) return "there is already a solver called " + info.name;
  table().push_back(std::move(info));
  return {};
}

}  // namespace perpend
