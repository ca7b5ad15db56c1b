// How an error is spread over the problems after so many iterations (as Lu et al. 2013, Fig. 6).
//
// The error of a row after k iterations is that of the last point of its history that is not later:
// points are 5 % of the iterations apart. A solver that has ended before keeps the error of its
// answer. Rows without history, and errors that are not defined, do not count.
#pragma once

#include <array>
#include <limits>
#include <vector>

#include "perpend/bench.hpp"

namespace perpend::bench {

// The last one is the end, whenever that is.
inline constexpr std::array<long, 4> kStages{10, 40, 400, std::numeric_limits<long>::max()};
inline constexpr std::array<double, 7> kSpread{0, 0.05, 0.25, 0.5, 0.75, 0.95, 1};

// Per row: one column of the points after so many iterations; NaN: none.
std::vector<double> errors_after(const Results&, std::size_t column, long iterations);

struct Distribution {
  std::size_t problems = 0;
  std::array<double, kSpread.size()> quantiles;  // NaN: no problems
};
// Per solver, over the rows of these problems.
std::vector<Distribution> distributions(const Results&, const std::vector<double>& per_row,
                                        const std::vector<bool>& problems);

}  // namespace perpend::bench
