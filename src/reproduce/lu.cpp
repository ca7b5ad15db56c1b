#include "reproduce/lu.hpp"

#include <algorithm>
#include <cmath>

namespace perpend::reproduce {

LuHistory lu_history(const System& system, const std::string& name, long iterations,
                     const Settings& settings, const std::map<std::string, std::string>& set) {
  const bool linear = name.starts_with("lcp/") || name.starts_with("mlcp/");
  Options options;
  options.tolerance = 1e-12;
  options.max_iterations = iterations;
  options.set = set;
  options.history = true;
  const Measure total = linear ? Measure::lcp_merit : Measure::total_error;
  options.history_measures =
      std::vector<HistoryMeasure>{total, Measure::normal_error, Measure::friction_error};
  options.cancelled = settings.cancelled;
  LuHistory out;
  out.result = solve(system, name, options);
  for (const HistoryPoint& point : out.result.history) {
    out.total.push_back(point.errors[total]);
    out.normal.push_back(point.errors[Measure::normal_error]);
    out.friction.push_back(point.errors[Measure::friction_error]);
  }
  return out;
}

double lu_friction_error(const System& system, const Impulses& lambda) {
  const VectorXd y = relative_velocity(system, lambda);
  double sum = 0;
  for (Index i = 0; i < system.contacts(); ++i) {
    const Eigen::Vector2d v = y.segment<2>(3 * i + 1), f = lambda.segment<2>(3 * i + 1);
    sum += v.norm() * (system.mu[i] * lambda[3 * i] - f.norm()) + f.dot(v);
  }
  return std::abs(sum);
}

std::vector<double> mean_curve(const std::vector<std::vector<double>>& list) {
  std::size_t longest = 0;
  for (const auto& one : list) longest = std::max(longest, one.size());
  std::vector<double> out(longest, 0);
  for (const auto& one : list)
    for (std::size_t k = 0; k < longest && !one.empty(); ++k)
      out[k] += one[std::min(k, one.size() - 1)] / static_cast<double>(list.size());
  return out;
}

std::vector<System> sphere_frames(const Settings& settings) {
  SimulateOptions options;
  options.steps = 160;
  std::vector<System> out;
  for (const RecordedStep& step : recorded(built_in("spheres"), options, settings, 150, 1))
    out.push_back(assemble(step.frame));
  return out;
}

System log_frame(const Settings& settings) {
  SimulateOptions options;
  options.steps = 25;
  return assemble(recorded(built_in("logs"), options, settings, 24, 1).back().frame);
}

}  // namespace perpend::reproduce
