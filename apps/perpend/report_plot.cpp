#include "report_plot.hpp"

#include <cmath>

#include "perpend/draw.hpp"
#include "perpend/io/files.hpp"

namespace perpend::app {

std::string convergence_plot(const bench::Results& results, std::size_t problem) {
  const bench::ProblemEntry& entry = results.problems[problem];
  const std::string title =
      io::printable(entry.title.empty() ? entry.file + ", frame " + std::to_string(entry.frame)
                                        : entry.title) +
      ": " + std::to_string(entry.counts.contacts) + " contacts";
  draw::Plot iterations{title, {"iterations", true}, {"own_error [m/s]", true}, {}};
  draw::Plot seconds{title, {"seconds", true}, {"own_error [m/s]", true}, {}};
  for (const bench::Row& row : results.rows) {
    const std::string solver = io::printable(results.solvers[row.solver].name);
    // A recorded answer is a point, not a curve.
    if (row.problem != problem || solver == io::recorded_solver().name) continue;
    draw::Curve by_iterations{solver, {}, {}, false, false};
    draw::Curve by_seconds{solver, {}, {}, false, false};
    double best = INFINITY;
    for (const bench::Point& point : row.history) {
      // The best so far is what a solver would return.
      best = std::fmin(best, point.own_error);
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
