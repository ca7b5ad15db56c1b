#include "bench/profile.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "perpend/base.hpp"
#include "perpend/bench.hpp"

namespace perpend::bench {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// The values of each solver on these problems, ascending.
std::vector<std::vector<double>> by_solver(const Results& results,
                                           const std::vector<double>& per_row,
                                           const std::vector<bool>& problems) {
  std::vector<std::vector<double>> lists(results.solvers.size());
  for (std::size_t i = 0; i < per_row.size(); ++i)
    if (!std::isnan(per_row[i]) && problems[results.rows[i].problem])
      lists[results.rows[i].solver].push_back(per_row[i]);
  for (std::vector<double>& list : lists) std::sort(list.begin(), list.end());
  return lists;
}

// The next number of kProfileBits.
double rounded_up(double x) {
  int exponent = 0;
  const double mantissa = std::frexp(x, &exponent);
  return std::ldexp(std::ceil(std::ldexp(mantissa, kProfileBits)), exponent - kProfileBits);
}

}  // namespace

Moments::Moments(const Results& results, Measure error) : results_(results) {
  const std::size_t column = history_column(results.settings, error);
  moments_.reserve(results.rows.size());
  for (const Row& row : results.rows)
    moments_.push_back(row.status == Status::invalid_input
                           ? std::vector<Moment>(results.tolerances.size())
                           : first_moments(row.history, column, results.tolerances));
}

Costs Moments::costs(std::size_t tolerance, Cost what) const {
  Costs all;
  all.best.assign(results_.problems.size(), kNone);
  for (std::size_t i = 0; i < moments_.size(); ++i) {
    const Moment& moment = moments_[i][tolerance];
    const double cost = moment.iteration < 0 ? kNone
                        : what == Cost::seconds
                            ? std::max(moment.seconds, kLeastSeconds)
                            : std::max(static_cast<double>(moment.iteration), 1.0);
    double& best = all.best[results_.rows[i].problem];
    if (cost < best || std::isnan(best)) best = cost;
    all.cost.push_back(cost);
  }
  for (std::size_t i = 0; i < moments_.size(); ++i)
    all.ratio.push_back(all.cost[i] / all.best[results_.rows[i].problem]);
  return all;
}

std::vector<double> medians(const Results& results, const std::vector<double>& per_row,
                            const std::vector<bool>& problems) {
  std::vector<double> list;
  for (std::vector<double>& values : by_solver(results, per_row, problems))
    list.push_back(median(std::move(values)));
  return list;
}

Profile profile(const Results& results, const std::vector<double>& per_row,
                const std::vector<bool>& problems, std::size_t most) {
  const auto lists = by_solver(results, per_row, problems);
  Profile made;
  for (const std::vector<double>& values : lists)
    made.x.insert(made.x.end(), values.begin(), values.end());
  for (double& x : made.x) x = rounded_up(x);
  std::sort(made.x.begin(), made.x.end());
  made.x.erase(std::unique(made.x.begin(), made.x.end()), made.x.end());
  if (made.x.size() > most) {
    const double first = made.x.front(), last = made.x.back();
    made.x.resize(most);
    for (std::size_t k = 0; k < most; ++k)
      made.x[k] = rounded_up(
          first * std::pow(last / first, static_cast<double>(k) / static_cast<double>(most - 1)));
    made.x.front() = first;
    made.x.back() = last;
    made.x.erase(std::unique(made.x.begin(), made.x.end()), made.x.end());
  }
  for (const std::vector<double>& values : lists) {
    std::vector<std::uint32_t>& counts = made.counts.emplace_back();
    for (const double x : made.x)
      counts.push_back(static_cast<std::uint32_t>(
          std::upper_bound(values.begin(), values.end(), x) - values.begin()));
  }
  return made;
}

}  // namespace perpend::bench
