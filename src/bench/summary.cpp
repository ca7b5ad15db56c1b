#include <algorithm>
#include <cmath>
#include <limits>

#include "bench/profile.hpp"
#include "perpend/bench.hpp"

namespace perpend::bench {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

double worst(double before, double now) {
  if (std::isnan(now)) return before;
  return std::isnan(before) ? now : std::max(before, now);
}

}  // namespace

std::size_t Summary::reached(const SolverSummary& line) const {
  const auto& counts = error == Measure::velocity_error ? line.velocity_error : line.own_error;
  return counts.empty() ? 0 : counts[tolerance];
}

bool Summary::transfers() const {
  return std::any_of(solvers.begin(), solvers.end(),
                     [](const SolverSummary& line) { return line.transfer_seconds > 0; });
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
    line.time_over_best = line.seconds = line.transfer_seconds = kNone;
  }

  const Moments own(results, Measure::own_error), velocity(results, Measure::velocity_error);
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
    for (std::size_t t = 0; t < results.tolerances.size(); ++t) {
      line.own_error[t] += own.at(i, t).iteration >= 0;
      line.velocity_error[t] += velocity.at(i, t).iteration >= 0;
    }
  }
  std::vector<double> transfers;
  for (const Row& row : results.rows)
    transfers.push_back(row.status == Status::invalid_input ? kNone : row.transfer_seconds);
  const std::vector<bool> everywhere(results.problems.size(), true);
  const std::vector<double> transfer = medians(results, transfers, everywhere);
  for (std::size_t s = 0; s < all.solvers.size(); ++s)
    all.solvers[s].transfer_seconds = transfer[s];
  if (results.tolerances.empty()) return all;
  const Costs costs =
      (all.error == Measure::velocity_error ? velocity : own).costs(all.tolerance, Cost::seconds);
  const std::vector<double> ratio = medians(results, costs.ratio, everywhere),
                            seconds = medians(results, costs.cost, everywhere);
  for (std::size_t s = 0; s < all.solvers.size(); ++s) {
    all.solvers[s].time_over_best = ratio[s];
    all.solvers[s].seconds = seconds[s];
  }
  return all;
}

}  // namespace perpend::bench
