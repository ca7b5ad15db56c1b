// perpend capture ENGINE --run COMMAND: a program of somebody else, recorded as it is.
#pragma once

#include <string>

#include "command.hpp"

namespace perpend::app {

struct ProgramToRecord {
  std::string engine, command, out;
  bool json = false;
};
// Runs the command with the library before the engine's own; an exit code of ours.
int record_program(const ProgramToRecord&, const Globals&);

}  // namespace perpend::app
