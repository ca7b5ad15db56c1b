// Any bytes as the results.h5 of a campaign, with all that merge, compare and report make of it.
//
// About: src/bench/results_file.cpp src/bench/merge.cpp src/bench/compare.cpp
// src/io/column_file.cpp src/bench/results_json.cpp src/bench/results_csv.cpp
// src/bench/report_markdown.cpp src/bench/summary.cpp src/bench/history.cpp
#include "input.hpp"
#include "perpend/bench.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace perpend;
  const fuzz::InputFile file(data, size);
  bench::Results results;
  if (!fuzz::accepted([&] { results = bench::read_results(file.path()); })) return 0;
  fuzz::accepted([&] {
    const bench::Results both = bench::merged({results, results}, {"a", "b"});
    bench::compare(results, both);
  });
  bench::to_json(results);
  bench::to_csv(results);
  bench::report_markdown(results);
  return 0;
}
