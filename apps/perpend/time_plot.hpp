// --plot-over-time: quantities of runs over time, as a plot.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "command.hpp"
#include "output.hpp"
#include "watcher.hpp"

namespace perpend::app {

struct TimePlotRequest {
  std::string what;
  bool asked() const { return !what.empty(); }
};

void add_time_plot_options(CLI::App&, TimePlotRequest&);

class TimePlot : public Watcher {
 public:
  // Throws UsageError, before anything runs, when something asked for is wrong.
  TimePlot(const TimePlotRequest&, const std::string& file, const Globals&);
  void run(const Scene&, const std::string& title) override;  // throws UsageError: no such body
  void see(const Moment&) override;
  void write() override;

 private:
  struct Quantity {
    enum class Kind { energy, penetration, error, force };
    Kind kind;
    std::string body;  // of a force
  };
  struct Run {
    const Scene* scene;
    std::string title;
    std::optional<Trajectory> path;     // from the first moment on
    std::vector<std::uint32_t> bodies;  // of each quantity
    std::vector<double> times;
    std::vector<std::vector<double>> values;  // of each quantity
  };
  static Quantity quantity(const std::string& word);
  static double value(const Quantity&, std::uint32_t body, const Moment&, const Run&);

  std::vector<Quantity> quantities_;
  std::vector<Run> runs_;
  const Globals& globals_;
  Output file_;
};

}  // namespace perpend::app
