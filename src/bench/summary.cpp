#include "perpend/bench/summary.hpp"

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

// Counts the tolerances that were reached; returns when that of the summary was, NaN: never.
double count_reached(const Row& row, double Point::*error, const Results& results,
                     std::size_t tolerance, std::vector<std::size_t>& reached) {
  const std::vector<Moment> moments = first_moments(row.history, error, results.tolerances);
  for (std::size_t t = 0; t < moments.size(); ++t) reached[t] += moments[t].iteration >= 0;
  if (moments.empty() || moments[tolerance].iteration < 0) return kNone;
  return std::max(moments[tolerance].seconds, kLeastSeconds);
}

// Of each solver the medians over the rows that reached the tolerance after so many seconds.
void add_times(const Results& results, const std::vector<double>& seconds, Summary& all) {
  std::vector<double> best(results.problems.size(), std::numeric_limits<double>::infinity());
  for (std::size_t i = 0; i < results.rows.size(); ++i)
    if (seconds[i] < best[results.rows[i].problem]) best[results.rows[i].problem] = seconds[i];
  std::vector<std::vector<double>> ratios(all.solvers.size()), times(all.solvers.size());
  for (std::size_t i = 0; i < results.rows.size(); ++i) {
    if (std::isnan(seconds[i])) continue;
    const Row& row = results.rows[i];
    ratios[row.solver].push_back(seconds[i] / best[row.problem]);
    times[row.solver].push_back(seconds[i]);
  }
  for (std::size_t s = 0; s < all.solvers.size(); ++s) {
    all.solvers[s].time_over_best = median(std::move(ratios[s]));
    all.solvers[s].seconds = median(std::move(times[s]));
  }
}

}  // namespace

std::size_t Summary::reached(const SolverSummary& line) const {
  const auto& counts = error == Measure::velocity_error ? line.velocity_error : line.own_error;
  return counts.empty() ? 0 : counts[tolerance];
}

Summary summary(const Results& results) {
  Summary all;
  if (results.settings.error == Measure::velocity_error) all.error = Measure::velocity_error;
  // Powers of ten may have been parsed or computed: equal to within rounding.
  while (all.tolerance + 1 < results.tolerances.size() &&
         results.tolerances[all.tolerance] < results.settings.tolerance * (1 - 1e-9))
    ++all.tolerance;
  all.solvers.resize(results.solvers.size());
  for (SolverSummary& line : all.solvers) {
    line.own_error.assign(results.tolerances.size(), 0);
    line.velocity_error = line.own_error;
    line.worst_own_error = line.worst_velocity_error = kNone;
  }

  std::vector<double> seconds(results.rows.size(), kNone);  // to the tolerance
  for (std::size_t i = 0; i < results.rows.size(); ++i) {
    const Row& row = results.rows[i];
    SolverSummary& line = all.solvers[row.solver];
    if (row.status == Status::invalid_input) {
      ++line.refused;
      continue;
    }
    ++line.problems;
    if (row.status == Status::converged) {
      ++line.solved;
      ++line.paths[row.path];
    } else {
      ++line.failures[std::string(name(row.status))];
    }
    line.worst_own_error = worst(line.worst_own_error, row.errors[Measure::own_error]);
    line.worst_velocity_error =
        worst(line.worst_velocity_error, row.errors[Measure::velocity_error]);
    const double own =
        count_reached(row, &Point::own_error, results, all.tolerance, line.own_error);
    const double coulomb =
        count_reached(row, &Point::velocity_error, results, all.tolerance, line.velocity_error);
    seconds[i] = all.error == Measure::velocity_error ? coulomb : own;
  }
  add_times(results, seconds, all);
  return all;
}

}  // namespace perpend::bench
