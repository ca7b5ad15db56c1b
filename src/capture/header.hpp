// What the headers of all recordings have alike.
#pragma once

#include <string>

#include "perpend/capture.hpp"

namespace perpend::capture {

struct EngineFacts {
  std::string engine, version;
  std::size_t scalar_bytes = sizeof(double);
  std::vector<std::string> answerers;
  std::string friction_model, omitted;
};
// Root attributes of a recording that an engine makes now.
io::Header header_of(EngineFacts, const std::string& scene);
// Titles of solvers, and of others that answer.
std::vector<std::string> answerers_of(const std::vector<SolverName>&, const char* other);

}  // namespace perpend::capture
