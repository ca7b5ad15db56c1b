// What the journal holds, as JSON in memory: nothing is rounded, NaN and infinity stay what they
// are (CBOR knows them).
#pragma once

#include <optional>

#include "bench/json.hpp"
#include "perpend/bench.hpp"

namespace perpend::bench {

Json record_of(const Machine&);
Json record_of(const ProblemEntry&);
Json record_of(const Row&);
Machine machine_of(const Json&);
ProblemEntry problem_of(const Json&);
Row row_of(const Json&, std::size_t measures);  // so many in a point of its history

// What the records of a journal say about a campaign of so many problems, solvers and measures.
struct Past {
  std::vector<Machine> machines;
  std::vector<std::optional<ProblemEntry>> problems;
  std::vector<std::optional<Row>> rows;  // by problem, then by solver
};
// Throws Json::exception or std::out_of_range where they are damaged.
Past past_of(const std::vector<Json>& records, std::size_t problems, std::size_t solvers,
             std::size_t measures);

}  // namespace perpend::bench
