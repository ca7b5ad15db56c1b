// The recorders of engines: programs `perpend-capture-ENGINE` beside this one.
#pragma once

#include <string>
#include <vector>

namespace perpend::app {

// Of that engine. Throws UsageError where there is none: for a known engine with the Debian package
// without which it is not built, else with the known ones.
std::string recorder(const std::string& engine);
std::vector<std::string> recorded_engines();  // those whose recorder is there

}  // namespace perpend::app
