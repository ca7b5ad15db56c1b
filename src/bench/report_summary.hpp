// One line per solver, as the first table of the report shows it (docs/report.md).
//
// A problem that a solver does not take (status invalid_input: joints, no mass matrix) is no
// failure of it: such rows are counted apart, and solved ones are a part of the others.
//
// Solved at a tolerance: there was a moment at which the error was that small. Relative time: on
// each problem, the solver's time to the tolerance over that of the quickest solver; the median
// over the problems it solved. Times below kLeastSeconds count as that, because a clock cannot
// tell them apart: a start that is already the answer is not infinitely faster than one iteration.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "perpend/bench.hpp"

namespace perpend::bench {

inline constexpr double kLeastSeconds = 1e-7;

struct SolverSummary {
  std::size_t problems = 0;                     // with a row, those it does not take left out
  std::size_t refused = 0;                      // those
  std::vector<std::size_t> own, coulomb;        // solved at each tolerance
  double relative = 0, seconds = 0;             // medians over the solved ones; NaN: none
  double worst_own = 0, worst_velocity = 0;     // m/s; NaN: nothing measured
  std::map<std::string, std::size_t> statuses;  // by name
  std::map<std::string, std::size_t> paths;     // of the converged rows
};

struct Summary {
  bool coulomb = false;  // what `relative` and `seconds` are about: velocity_error or own_error
  std::size_t tolerance = 0;  // and at which of the tolerances
  std::vector<SolverSummary> solvers;
};
// At the tolerance of the settings, or the next larger one that was watched. Precondition: there is
// a tolerance.
Summary summary(const Results&);

}  // namespace perpend::bench
