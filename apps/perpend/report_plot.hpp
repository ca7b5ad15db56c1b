// Convergence as a line plot: what the page of the report shows, for documents.
#pragma once

#include <string>

#include "perpend/bench.hpp"

namespace perpend::app {

// SVG: a measure of the histories on one problem, for every solver, against iterations and against
// seconds. None: the best own_error so far.
std::string convergence_plot(const bench::Results&, std::size_t problem,
                             std::optional<HistoryMeasure> measure);

}  // namespace perpend::app
