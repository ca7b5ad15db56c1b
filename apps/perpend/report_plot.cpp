#include "report_plot.hpp"

#include <cmath>

#include "perpend/draw.hpp"
#include "perpend/io/files.hpp"

namespace perpend::app {

std::string convergence_plot(const bench::Results& results, std::size_t problem,
                             std::optional<HistoryMeasure> measure) {
  const HistoryMeasure shown = measure.value_or(Measure::own_error);
  const std::size_t column = bench::history_column(results.settings, shown);
  std::string label = name(shown);
  for (const MeasureInfo& info : measures())
    if (info.measure == shown.measure && !info.unit.empty())
      label.append(" [").append(info.unit).append("]");
  const bench::ProblemEntry& entry = results.problems[problem];
  const std::string title =
      io::printable(entry.title.empty() ? entry.file + ", frame " + std::to_string(entry.frame)
                                        : entry.title) +
      ": " + std::to_string(entry.counts.contacts) + " contacts";
  const bool log = shown.measure != Measure::energy_change;
  draw::Plot iterations{title, {"iterations", true}, {label, log}, {}};
  draw::Plot seconds{title, {"seconds", true}, {label, log}, {}};
  for (const bench::Row& row : results.rows) {
    const std::string solver = io::printable(results.solvers[row.solver].name);
    // A recorded answer is a point, not a curve.
    if (row.problem != problem || solver == io::recorded_solver().name) continue;
    draw::Curve by_iterations{solver, {}, {}, false, false};
    draw::Curve by_seconds{solver, {}, {}, false, false};
    double best = INFINITY;
    for (const bench::Point& point : row.history) {
      // The best so far is what a solver would return; what was asked for is shown as it is.
      best = measure ? point.errors[column] : std::fmin(best, point.errors[column]);
      by_iterations.x.push_back(static_cast<double>(point.iteration));
      by_iterations.y.push_back(best);
      by_seconds.x.push_back(point.seconds);
      by_seconds.y.push_back(best);
    }
    iterations.curves.push_back(std::move(by_iterations));
    seconds.curves.push_back(std::move(by_seconds));
  }
  return draw::svg({iterations, seconds}, 1200, 460);
}

}  // namespace perpend::app
