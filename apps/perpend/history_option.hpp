// --history-measures: which errors of the iterations are kept.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "command.hpp"
#include "perpend/solve.hpp"

namespace perpend::app {

// `more`: what else the option does, for --help.
void add_history_measures(CLI::App& command, std::string& text, const std::string& more);
// The measures in the order given, each once. Throws UsageError.
std::vector<HistoryMeasure> history_measures(const std::string& text);

}  // namespace perpend::app
