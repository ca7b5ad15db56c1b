// A row from the results of its runs.
#pragma once

#include <vector>

#include "perpend/bench.hpp"

namespace perpend::bench {

// Whether a run that ended so is repeated for its time: not when the clock, a crash or a want of
// memory ended it, nor when the solver does not take the problem.
bool worth_repeating(Status);

// What the watched run asks for, and the timed ones: only the seconds of the same iterations.
Options watched(Options, const Settings&);
Options timed(Options);

// Status, errors, work and the points of the history are the watched run's; seconds are those of
// the timed runs, where there are any: each the median over the runs. A crash of any run is the
// row's; runs that disagree make it not reproducible.
Row make_row(const Result& watched_run, const std::vector<Result>& timed_runs, const Settings&);

}  // namespace perpend::bench
