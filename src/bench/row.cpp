#include "bench/row.hpp"

#include <algorithm>
#include <limits>

#include "bench/fields.hpp"
#include "perpend/base.hpp"

namespace perpend::bench {
namespace {

Point point(const HistoryPoint& of, double seconds, const std::vector<HistoryMeasure>& measures) {
  Point made{of.iteration, seconds, of.restart, {}};
  made.errors.reserve(measures.size());
  for (const HistoryMeasure& m : measures) made.errors.push_back(of[m]);
  return made;
}

bool same(double a, double b) { return a == b || (a != a && b != b); }
bool same(const std::vector<double>& a, const std::vector<double>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](double x, double y) { return same(x, y); });
}

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

Options watched(Options options, const Settings& settings) {
  options.history = true;
  options.history_ratio = kHistoryRatio;
  options.history_measures = settings.history_measures;
  return options;
}

Options timed(Options options) {
  options.history = true;
  options.history_ratio = kHistoryRatio;
  options.history_measures = std::vector<HistoryMeasure>();
  options.measure_all = false;
  return options;
}

Row make_row(const Result& first, const std::vector<Result>& repeats, const Settings& settings) {
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
        point(p, stamps.empty() ? p.seconds : median(stamps), settings.history_measures));
  }
  // The answer is the best iterate, which need not be the last one.
  const HistoryPoint answer{row.iterations, row.seconds, false, row.errors, row.errors};
  if (!row.history.empty()) {
    const Point made = point(answer, row.seconds, settings.history_measures);
    const Point& last = row.history.back();
    if (last.iteration != made.iteration || !same(last.errors, made.errors))
      row.history.push_back(made);
  }
  return row;
}

}  // namespace perpend::bench
