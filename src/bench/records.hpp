// What the journal holds, as JSON in memory: nothing is rounded, NaN and infinity stay what they
// are (CBOR knows them).
#pragma once

#include "bench/json.hpp"
#include "perpend/bench.hpp"

namespace perpend::bench {

Json record_of(const Machine&);
Json record_of(const ProblemEntry&);
Json record_of(const Row&);
Machine machine_of(const Json&);
ProblemEntry problem_of(const Json&);
Row row_of(const Json&);

}  // namespace perpend::bench
