// One line per solver: what terminal, report.md and page tell first (docs/report.md).
//
// A problem that a solver does not take (status invalid_input: joints, no mass matrix) is no
// failure of it: such rows are counted apart, and solved ones are a part of the others.
//
// Solved: the row's status is converged. Reached: there was a moment at which the error was at most
// the tolerance, however the row ended. Time over best: on each problem, the solver's time to reach
// the tolerance over that of the quickest solver; the median over the problems where it did. Times
// below kLeastSeconds count as that, because a clock cannot tell them apart: a start that is
// already the answer is not infinitely faster than one iteration.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "perpend/bench.hpp"

namespace perpend::bench {

inline constexpr double kLeastSeconds = 1e-7;

struct SolverSummary {
  std::size_t problems = 0;  // with a row, those it does not take left out
  std::size_t refused = 0;   // those
  std::size_t solved = 0;    // by status
  std::vector<std::size_t> own_error, velocity_error;    // reached at each tolerance
  double time_over_best = 0, seconds = 0;                // medians over the reached ones; NaN: none
  double worst_own_error = 0, worst_velocity_error = 0;  // m/s, of all answers; NaN: none measured
  std::map<std::string, std::size_t> failures;           // every status but converged, by name
  std::map<std::string, std::size_t> paths;              // of the solved rows
};

struct Summary {
  // What reached() and the times are about: the campaign's error where it is velocity_error, else
  // own_error; and its tolerance, or the next larger one that was watched.
  Measure error = Measure::own_error;
  std::size_t tolerance = 0;  // index
  std::vector<SolverSummary> solvers;

  std::size_t reached(const SolverSummary&) const;
};
Summary summary(const Results&);

}  // namespace perpend::bench
