// An engine of the program, from the class of its runs.
#pragma once

#include "perpend/capture.hpp"

namespace perpend::capture {

// `OneRun` is a Run made from a Task. `files`: extensions that it reads itself.
template <class OneRun>
Engine engine_of(std::string name, std::string title, std::vector<SolverName> solvers,
                 std::vector<std::string> files = {}) {
  Engine out;
  out.name = std::move(name);
  out.title = std::move(title);
  out.solvers = std::move(solvers);
  out.files = std::move(files);
  out.make = [](const Task& task) { return std::make_unique<OneRun>(task); };
  return out;
}

}  // namespace perpend::capture
