// Convergence as a line plot: what the page of the report shows, for documents.
#pragma once

#include <string>

#include "perpend/bench.hpp"

namespace perpend::app {

// SVG: own_error of every solver on one problem, against iterations and against seconds.
std::string convergence_plot(const bench::Results&, std::size_t problem);

}  // namespace perpend::app
