#include "bench/report_summary.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "perpend/base.hpp"

namespace perpend::bench {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

double worst(double before, double now) {
  if (std::isnan(now)) return before;
  return std::isnan(before) ? now : std::max(before, now);
}

}  // namespace

Summary summary(const Results& results) {
  Summary all;
  all.coulomb = results.settings.error == Measure::velocity_error;
  // Powers of ten may have been parsed or computed: equal to within rounding.
  while (all.tolerance + 1 < results.tolerances.size() &&
         results.tolerances[all.tolerance] < results.settings.tolerance * (1 - 1e-9))
    ++all.tolerance;
  all.solvers.resize(results.solvers.size());
  for (SolverSummary& line : all.solvers) {
    line.own.assign(results.tolerances.size(), 0);
    line.coulomb = line.own;
    line.worst_own = line.worst_velocity = kNone;
  }

  std::vector<double> seconds;  // to the tolerance, per row
  std::vector<double> best(results.problems.size(), kNone);
  for (const Row& row : results.rows) {
    SolverSummary& line = all.solvers[row.solver];
    if (row.status == Status::invalid_input) {
      ++line.refused;
      seconds.push_back(kNone);
      continue;
    }
    ++line.problems;
    ++line.statuses[std::string(name(row.status))];
    if (row.status == Status::converged) ++line.paths[row.path];
    line.worst_own = worst(line.worst_own, row.errors[Measure::own_error]);
    line.worst_velocity = worst(line.worst_velocity, row.errors[Measure::velocity_error]);
    const auto own = first_moments(row.history, &Point::own_error, results.tolerances);
    const auto coulomb = first_moments(row.history, &Point::velocity_error, results.tolerances);
    for (std::size_t t = 0; t < results.tolerances.size(); ++t) {
      line.own[t] += own[t].iteration >= 0;
      line.coulomb[t] += coulomb[t].iteration >= 0;
    }
    const Moment& moment = (all.coulomb ? coulomb : own)[all.tolerance];
    seconds.push_back(moment.iteration < 0 ? kNone : std::max(moment.seconds, kLeastSeconds));
    double& least = best[row.problem];
    if (!(seconds.back() >= least)) least = std::isnan(seconds.back()) ? least : seconds.back();
  }

  std::vector<std::vector<double>> ratios(all.solvers.size()), times(all.solvers.size());
  for (std::size_t i = 0; i < results.rows.size(); ++i) {
    if (std::isnan(seconds[i])) continue;
    const Row& row = results.rows[i];
    ratios[row.solver].push_back(seconds[i] / best[row.problem]);
    times[row.solver].push_back(seconds[i]);
  }
  for (std::size_t s = 0; s < all.solvers.size(); ++s) {
    all.solvers[s].relative = median(std::move(ratios[s]));
    all.solvers[s].seconds = median(std::move(times[s]));
  }
  return all;
}

}  // namespace perpend::bench
