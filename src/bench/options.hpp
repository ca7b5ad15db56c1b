// The options of a solve, from the settings of its campaign.
#pragma once

#include "perpend/bench.hpp"

namespace perpend::bench {

// Those of --set that this solver knows: the others would be an error when it runs alone.
std::map<std::string, std::string> own_options(const Settings&, std::string_view solver);
Options options_for(const Settings&, std::string_view solver);

}  // namespace perpend::bench
