// A case, step length after step length, and the order of its errors.
#include <algorithm>
#include <cmath>
#include <limits>

#include "perpend/verify.hpp"

namespace perpend::verify {

Simulator::Simulator(StepOptions options, std::function<bool()> go_on)
    : options_(std::move(options)), go_on_(std::move(go_on)) {}

Path Simulator::operator()(const Scene& scene, double h, double duration,
                           double tolerance_unit) const {
  Path path;
  SimulateOptions options;
  options.step = options_;
  options.step.solve.tolerance *= tolerance_unit;
  options.h = h;
  options.steps = stopped_ ? 0 : std::lround(duration / h);
  path.reserve(static_cast<std::size_t>(options.steps) + 1);
  options.observe = [&](const State& state) { path.push_back(state); };
  if (go_on_) options.progress = [&](Index, Index) { return go_on_(); };
  const Summary summary = simulate(scene, options);
  steps_ += summary.steps;
  unconverged_ += summary.unconverged_steps;
  stopped_ |= summary.stopped;
  return path;
}

bool Outcome::met() const {
  return !stopped && std::all_of(rows.begin(), rows.end(), [](const Row& row) { return row.met; });
}

double fitted_order(std::span<const double> h, std::span<const double> errors) {
  constexpr std::size_t kRuns = 4;
  const std::size_t n = std::min({kRuns, h.size(), errors.size()});
  if (n < 2) return std::numeric_limits<double>::quiet_NaN();
  double x = 0, y = 0, xx = 0, xy = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double a = std::log(h[h.size() - 1 - i]), b = std::log(errors[errors.size() - 1 - i]);
    x += a;
    y += b;
    xx += a * a;
    xy += a * b;
  }
  const auto count = static_cast<double>(n);
  return (count * xy - x * y) / (count * xx - x * x);
}

Outcome run(const Case& one, const StepOptions& options, int halvings,
            const std::function<bool()>& go_on) {
  Outcome out;
  out.what = &one;
  out.rows.resize(one.quantities.size());
  const Simulator simulator(options, go_on);
  double h = one.h;
  for (int i = 0; i <= halvings; ++i, h /= 2) {
    const std::vector<double> errors = one.errors(simulator, h);
    if (simulator.stopped()) break;
    out.steps.push_back(h);
    for (std::size_t q = 0; q < out.rows.size(); ++q) out.rows[q].errors.push_back(errors[q]);
  }
  for (std::size_t q = 0; q < out.rows.size(); ++q) {
    const Quantity& quantity = one.quantities[q];
    Row& row = out.rows[q];
    row.order = std::numeric_limits<double>::quiet_NaN();
    if (quantity.order > 0) {
      row.order = fitted_order(out.steps, row.errors);
      row.met = row.order >= quantity.order - kSlack;
    } else {
      row.met =
          !row.errors.empty() && std::all_of(row.errors.begin(), row.errors.end(),
                                             [&](double error) { return error <= quantity.bound; });
    }
  }
  out.taken = simulator.steps();
  out.unconverged = simulator.unconverged();
  out.stopped = simulator.stopped();
  return out;
}

}  // namespace perpend::verify
