// Solvers of a shared library (perpend/peers/plugin.h) in our table.
#pragma once

#include <string>
#include <vector>

#include "perpend/solve.hpp"

namespace perpend::peers {

struct Plugin {
  std::vector<std::string> solvers;  // added to the table
  std::string refused;               // why nothing was added; names the file
};

// Loads the library for the rest of the program and adds its solvers; all of them or none.
Plugin load_plugin(const std::string& file);

}  // namespace perpend::peers
