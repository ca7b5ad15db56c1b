// What makes two campaigns the same: settings, solvers, files with their content, program.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "perpend/bench.hpp"

namespace perpend::bench {

// (what, value), in a fixed order. `shard` is among them.
using Identity = std::vector<std::pair<std::string, std::string>>;
Identity identity(const Campaign&);
// The settings alone, of results too.
Identity identity(const Settings&);
// The same for all shards of a campaign, wherever they ran: the files by their names alone. That
// they hold the same is seen by the problems' own hashes.
std::string campaign_hash(const Campaign&);
// The first difference in words, "--tolerance was 1e-08, is 1e-06"; empty when there is none.
std::string difference(const Identity& was, const Identity& is);

}  // namespace perpend::bench
