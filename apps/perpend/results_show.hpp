// Results of a comparison on the screen.
#pragma once

#include <string>

#include "json.hpp"
#include "perpend/bench.hpp"

namespace perpend::app {

// Per solver: how many problems it solved, how quickly, how it failed.
void print_summary(const bench::Results&, const std::string& folder);
Json summary_document(const bench::Results&, const std::string& folder);

}  // namespace perpend::app
