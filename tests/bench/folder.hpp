// What the tests of this room share: a folder that disappears, and results made by hand.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "perpend/bench.hpp"
#include "support/scratch.hpp"

namespace perpend::bench::test {

using scratch::complaint;
using scratch::contents;
using scratch::Folder;

inline Row solved(std::size_t problem, std::size_t solver, double seconds = 1e-3) {
  Row row;
  row.problem = problem;
  row.solver = solver;
  row.status = Status::converged;
  row.message = "done, \"quickly\"\nand well";
  row.path = "start";
  row.iterations = 7 + static_cast<long>(problem);
  row.runs = {seconds, 0.9 * seconds, 1.1 * seconds};
  row.seconds = seconds;
  row.seconds_low = 0.9 * seconds;
  row.seconds_high = 1.1 * seconds;
  row.transfer_seconds = 1e-5;
  row.work = {7, 14, 1, 0};
  row.errors[Measure::own_error] = 1e-9 / 3;
  row.errors[Measure::velocity_error] = 1e-9 / 7;
  row.history = {{0, 0, false, {1, 1, 0.5, 0.5}},
                 {row.iterations, seconds, true, {1e-9 / 3, 1e-9 / 7, NAN, 1e-300}}};
  return row;
}

// Two solvers on `problems` problems, each solved.
inline Results campaign(std::size_t problems) {
  Results r;
  r.title = "by hand";
  r.campaign = "0123456789abcdef";
  Machine machine;
  machine.cpu = "abacus";
  machine.load = {0.5, 0.25, 0.125};
  r.machines = {machine};
  r.settings.set = {{"bounds", "lagged"}};
  r.settings.command = "perpend bench";
  r.tolerances = {1e-8, 1e-4, 1};
  r.solvers = {solver_entry("ncp/nncg"), solver_entry("box/pgs")};
  for (std::size_t p = 0; p < problems; ++p) {
    ProblemEntry entry;
    entry.file = "some, file.h5";
    entry.frame = static_cast<Index>(p);
    entry.tags = {"resting", "impact"};
    entry.counts = {2, 0, 0, 4};
    entry.hash = "00000000000000a" + std::to_string(p);
    entry.ordinal = static_cast<std::int64_t>(p);
    r.problems.push_back(entry);
    for (std::size_t s = 0; s < 2; ++s) r.rows.push_back(solved(p, s));
  }
  r.rows_planned = static_cast<std::int64_t>(r.rows.size());
  return r;
}

}  // namespace perpend::bench::test
