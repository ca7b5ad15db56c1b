// Lu et al. 2013, Figs. 5 and 6: how large the violations of a run are after 10, 40 and 400
// iterations of PGS, on a hose that is picked up.
//
// The paper recorded Gazebo (ODE) with the Atlas robot. Here it is the scene hose in our own world,
// and every frame of it is solved again from zero impulses.
#include <algorithm>
#include <array>
#include <cmath>

#include "reproduce/kit.hpp"

namespace perpend::reproduce {
namespace {

constexpr std::array<long, 3> kLimits{10, 40, 400};

Outcome run_hose(const Settings& settings) {
  const Scene scene = built_in("hose");
  SimulateOptions options;
  options.steps = settings.quick ? 120 : 600;
  const std::vector<Frame> path = recorded(scene, options, settings, 0, settings.quick ? 4 : 3);
  const std::size_t frames = path.size();
  std::array<std::vector<double>, kLimits.size()> rms;
  for (auto& one : rms) one.resize(frames);
  std::vector<double> times(frames);
  for_each(settings, frames, [&](std::size_t i) {
    times[i] = path[i].time;
    const System system = assemble(path[i]);
    // Errors of the iterates themselves: what solve() returns may be an earlier one.
    Options options_of_run;
    options_of_run.tolerance = 0;
    options_of_run.max_iterations = kLimits.back();
    options_of_run.history = true;
    options_of_run.history_measures = std::vector<Measure>{Measure::rms_violation};
    options_of_run.cancelled = settings.cancelled;
    const std::vector<HistoryPoint> history =
        solve(system, solver(settings, "ncp/pgs"), options_of_run).history;
    for (std::size_t k = 0; k < kLimits.size() && !history.empty(); ++k) {
      const auto at = std::min(static_cast<std::size_t>(kLimits[k]), history.size() - 1);
      rms[k][i] = history[at].errors[Measure::rms_violation];
    }
  });

  Outcome out;
  out.text = "Scene hose in our own world, " + std::to_string(frames) +
             " frames of its run; each is solved again by ncp/pgs from zero impulses. The error is "
             "the root mean square of the violations of all rows, m/s.";
  draw::Plot over, shares;
  over.title = "over the run (Fig. 5)";
  over.x.label = "time, s";
  over.y = {"rms violation, m/s", true};
  shares.title = "distribution (Fig. 6)";
  shares.x = {"rms violation, m/s", true};
  shares.y.label = "share of frames below, %";
  std::vector<std::pair<std::string, std::vector<double>>> columns{{"time, s", times}};
  for (std::size_t k = 0; k < kLimits.size(); ++k) {
    const std::string label = std::to_string(kLimits[k]) + " iterations";
    over.curves.push_back(curve(label, times, rms[k]));
    std::vector<double> sorted = rms[k], part;
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t i = 0; i < sorted.size(); ++i)
      part.push_back(100 * static_cast<double>(i + 1) / static_cast<double>(sorted.size()));
    shares.curves.push_back(curve(label, sorted, part));
    columns.emplace_back(label, rms[k]);
  }
  out.figures.push_back({"hose", "Figs. 5, 6: errors of a run", {over, shares}});
  out.tables.push_back(series("hose", "rms violation of every frame, m/s", "frame", columns));
  const double ten = median(rms[0]), forty = median(rms[1]), many = median(rms[2]);
  out.claims.push_back({"Fig. 5", "violation after 40 iterations, 90 % of frames below, m/s",
                        at_most(1e-3), quantile(rms[1], 0.9),
                        "“Mostly bounded by 1e-3 and 1e-4.” Median " + short_number(forty) + ".",
                        "Frames are solved from zero impulses here; the paper does not tell its "
                        "units, nor whether its frames were warm-started.",
                        ""});
  out.claims.push_back({"Fig. 6", "median violation after 10 iterations over that after 40",
                        above(1), ten / forty, "", "", ""});
  out.claims.push_back({"Section 6.1", "median violation after 40 iterations over that after 400",
                        at_most(10), forty / many,
                        "“Only a minor reduce”: not more than one digit.",
                        "Ten times the iterations gain more than a digit: 40 do not suffice.", ""});
  return out;
}

}  // namespace

Experiment hose() {
  return {"hose", kInterfacePaper, "Figs. 5, 6", "how many iterations suffice", run_hose};
}

}  // namespace perpend::reproduce
