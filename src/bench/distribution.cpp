#include "bench/distribution.hpp"

#include <algorithm>
#include <cmath>

#include "perpend/base.hpp"

namespace perpend::bench {

std::vector<double> errors_after(const Results& results, std::size_t column, long iterations) {
  std::vector<double> list;
  list.reserve(results.rows.size());
  for (const Row& row : results.rows) {
    const auto later =
        std::upper_bound(row.history.begin(), row.history.end(), iterations,
                         [](long wanted, const Point& point) { return wanted < point.iteration; });
    list.push_back(later == row.history.begin() ? std::numeric_limits<double>::quiet_NaN()
                                                : std::prev(later)->errors.at(column));
  }
  return list;
}

std::vector<Distribution> distributions(const Results& results, const std::vector<double>& per_row,
                                        const std::vector<bool>& problems) {
  std::vector<std::vector<double>> lists(results.solvers.size());
  for (std::size_t i = 0; i < per_row.size(); ++i)
    if (!std::isnan(per_row[i]) && problems[results.rows[i].problem])
      lists[results.rows[i].solver].push_back(per_row[i]);
  std::vector<Distribution> made(lists.size());
  for (std::size_t s = 0; s < lists.size(); ++s) {
    made[s].problems = lists[s].size();
    for (std::size_t q = 0; q < kSpread.size(); ++q)
      made[s].quantiles[q] = quantile(lists[s], kSpread[q]);
  }
  return made;
}

}  // namespace perpend::bench
