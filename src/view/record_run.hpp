// A run with hands in it as a recording, and its repetition. The run is made again from the scene
// and the events: whoever went back and forth leaves no trace in the file.
#pragma once

#include "perpend/view.hpp"
#include "view/session.hpp"

namespace perpend::view {

// So many steps; fewer where one fails or `stop` says so. `out`: a standard file; empty: none.
HandRun record_run(const Scene&, const StepOptions&, int threads, const Hand&, Index steps,
                   const std::string& out, const std::function<bool()>& stop);

}  // namespace perpend::view
