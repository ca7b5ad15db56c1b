// A run with hands in it as a recording, and its repetition. The run is made again from the scene
// and the events: whoever went back and forth leaves no trace in the file.
#pragma once

#include "perpend/view.hpp"
#include "view/session.hpp"

namespace perpend::view {

// Of several panes the first one of our own world; none: they are all Bullet's.
std::optional<PaneRole> recorded_pane(const std::vector<PaneOptions>&);

// So many steps in the standard file `out`; fewer where one fails or `stop` says so.
HandRun record_run(const Scene&, const StepOptions&, int threads, const Hand&, Index steps,
                   const std::string& out, const std::function<bool()>& stop, PaneRole = {});

}  // namespace perpend::view
