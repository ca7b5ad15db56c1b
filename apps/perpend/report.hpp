// The report of a comparison, as bench, merge and report write it.
#pragma once

#include <string>

#include "command.hpp"
#include "perpend/bench.hpp"

namespace perpend::app {

// report.md and report.html into the folder. False, and a note, when the program has no page.
bool write_report(const Globals&, const bench::Results&, const std::string& folder);

}  // namespace perpend::app
