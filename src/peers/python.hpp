// Solvers in a Python file, each iterate over a socket: perpend never loads Python.
#pragma once

#include "perpend/peers.hpp"

namespace perpend::peers {

Plugin load_python(const std::string& file);

}  // namespace perpend::peers
