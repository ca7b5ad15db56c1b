#include "bench/row.hpp"

#include <algorithm>
#include <limits>

#include "bench/fields.hpp"
#include "perpend/base.hpp"

namespace perpend::bench {
namespace {

Point point(long iteration, double seconds, bool restart, const Errors& e) {
  return {iteration,
          seconds,
          restart,
          e[Measure::own_error],
          e[Measure::velocity_error],
          e[Measure::normal_error],
          e[Measure::friction_error]};
}

bool same(double a, double b) { return a == b || (a != a && b != b); }

// The seconds of iteration k in one run; histories are ascending.
const HistoryPoint* find(const std::vector<HistoryPoint>& history, long iteration) {
  const auto at =
      std::lower_bound(history.begin(), history.end(), iteration,
                       [](const HistoryPoint& p, long wanted) { return p.iteration < wanted; });
  return at != history.end() && at->iteration == iteration ? &*at : nullptr;
}

}  // namespace

bool worth_repeating(Status status) {
  switch (status) {
    case Status::converged:
    case Status::iteration_limit:
    case Status::stalled:
    case Status::infeasible:
    case Status::failed:
      return true;
    default:
      return false;
  }
}

Options watched(Options options) {
  options.history = true;
  options.history_ratio = kHistoryRatio;
  options.history_measures = {Measure::own_error, Measure::velocity_error, Measure::normal_error,
                              Measure::friction_error};
  return options;
}

Options timed(Options options) {
  options = watched(std::move(options));
  options.history_measures = std::vector<Measure>();
  options.measure_all = false;
  return options;
}

Row make_row(const Result& first, const std::vector<Result>& repeats) {
  Row row;
  copy_shared_fields(first, row);
  row.seconds_low = row.seconds_high = first.seconds;
  for (const Result& run : repeats) {
    if (run.status == Status::crashed) {
      row.status = run.status;
      row.message = run.message + " (a repeated run; the first ended as " +
                    std::string(name(first.status)) + ")";
      row.reproducible = false;
      continue;
    }
    row.runs.push_back(run.seconds);
    if (run.status != first.status || run.iterations != first.iterations) row.reproducible = false;
  }
  if (!row.runs.empty()) {
    row.seconds = median(row.runs);
    row.seconds_low = *std::min_element(row.runs.begin(), row.runs.end());
    row.seconds_high = *std::max_element(row.runs.begin(), row.runs.end());
  }
  for (const HistoryPoint& p : first.history) {
    std::vector<double> stamps;
    for (const Result& run : repeats)
      if (const HistoryPoint* same_one = find(run.history, p.iteration))
        stamps.push_back(same_one->seconds);
    row.history.push_back(
        point(p.iteration, stamps.empty() ? p.seconds : median(stamps), p.restart, p.errors));
  }
  // The answer is the best iterate, which need not be the last one.
  const Point answer = point(row.iterations, row.seconds, false, row.errors);
  if (!row.history.empty()) {
    const Point& last = row.history.back();
    if (last.iteration != answer.iteration || !same(last.own_error, answer.own_error) ||
        !same(last.velocity_error, answer.velocity_error) ||
        !same(last.normal_error, answer.normal_error) ||
        !same(last.friction_error, answer.friction_error))
      row.history.push_back(answer);
  }
  return row;
}

}  // namespace perpend::bench
