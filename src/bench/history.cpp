// Histories: when each tolerance was first met, and which points of a long one are shown.
#include <algorithm>
#include <cmath>
#include <limits>

#include "perpend/bench.hpp"

namespace perpend::bench {

Moment::Moment() : seconds(std::numeric_limits<double>::quiet_NaN()) {}

std::size_t history_column(const Settings& settings, HistoryMeasure measure) {
  const auto& list = settings.history_measures;
  return static_cast<std::size_t>(std::find(list.begin(), list.end(), measure) - list.begin());
}

std::vector<Moment> first_moments(const std::vector<Point>& history, std::size_t column,
                                  const std::vector<double>& tolerances) {
  std::vector<Moment> moments(tolerances.size());
  for (const Point& point : history)
    for (std::size_t t = 0; t < tolerances.size(); ++t)
      if (moments[t].iteration < 0 && column < point.errors.size() &&
          point.errors[column] <= tolerances[t]) {
        moments[t].iteration = point.iteration;
        moments[t].seconds = point.seconds;
      }
  return moments;
}

std::vector<Point> thinned(const std::vector<Point>& all, std::size_t most) {
  most = std::max<std::size_t>(most, 2);
  if (all.size() <= most) return all;
  // Iteration k lies at log(1 + k). What is left of the way is shared evenly by the points that are
  // left, because the first iterations lie farther apart than that.
  const auto place = [](const Point& p) { return std::log1p(static_cast<double>(p.iteration)); };
  const double end = place(all.back());
  std::vector<Point> kept{all.front()};
  bool restart = false;
  for (std::size_t i = 1; i + 1 < all.size(); ++i) {
    restart = restart || all[i].restart;
    if (kept.size() + 1 >= most) continue;
    const double from = place(kept.back());
    const double step = (end - from) / static_cast<double>(most - kept.size());
    if (place(all[i]) < from + step) continue;
    kept.push_back(all[i]);
    kept.back().restart = restart;
    restart = false;
  }
  kept.push_back(all.back());
  kept.back().restart = kept.back().restart || restart;
  return kept;
}

}  // namespace perpend::bench
