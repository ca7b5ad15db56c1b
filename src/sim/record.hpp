// One step as a record of the standard file, and how a run is made again.
#pragma once

#include "perpend/io.hpp"
#include "perpend/sim/world.hpp"

namespace perpend::sim {

// The step's problem as a whole, measured off the clock: its islands were solved one by one.
struct Measured {
  System system;
  Impulses impulses;
  Errors errors;
};
Measured measured(const StepProblem&, const StepReport&);

// Of this program: the engine_version of its recordings.
std::string_view version();

io::Record record_of(double time, const StepProblem&, const StepReport&, const Measured&);

// The options of a run as texts that read back to the same bits; `h` and `steps` as they were.
std::map<std::string, std::string> recipe(const SimulateOptions&, double h, Index steps);
// Throws InputError, a line that opens with `where`.
SimulateOptions from_recipe(std::map<std::string, std::string>, const std::string& where);

}  // namespace perpend::sim
