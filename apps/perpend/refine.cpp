#include "refine.hpp"

#include <cmath>
#include <iostream>
#include <memory>

#include "interrupt.hpp"
#include "json.hpp"
#include "output.hpp"
#include "perpend/base.hpp"
#include "perpend/cli.hpp"
#include "perpend/draw.hpp"
#include "perpend/io/files.hpp"
#include "perpend/sim.hpp"
#include "picture_file.hpp"
#include "progress_bar.hpp"
#include "table.hpp"

namespace perpend::app {
namespace {

std::string_view name(Refinement::Verdict verdict) {
  static constexpr std::array<std::string_view, 5> kNames{"converges", "until", "none", "same",
                                                          "stopped"};
  return name_in(kNames, verdict);
}

// Between successive levels; NaN where there is none.
double order(const RefineLevel& level) { return std::log2(level.ratio); }

Json described(const Apart& apart) {
  return {{"position", number(apart.position)},
          {"turn", number(apart.turn)},
          {"distance", number(apart.distance)}};
}

Json refine_document(const Refinement& result, const Scene& scene) {
  Json levels = Json::array();
  for (std::size_t k = 0; k < result.levels.size(); ++k) {
    const RefineLevel& level = result.levels[k];
    Json object{{"dt", level.h},
                {"steps", level.steps},
                {"energy", number(level.energy)},
                {"unconverged_steps", level.summary.unconverged_steps},
                {"seconds", number(level.summary.seconds.total)}};
    if (k + 1 < result.levels.size()) {
      object["to_next"] = described(level.to_next);
      object["to_finest"] = described(level.to_finest);
      object["energy_to_next"] = number(level.energy_to_next);
      object["distance_to_next"] = Json::array();
      for (double distance : level.distance_to_next)
        object["distance_to_next"].push_back(number(distance));
    }
    if (!std::isnan(level.ratio)) {
      object["ratio"] = number(level.ratio);
      object["order"] = number(order(level));
    }
    levels.push_back(std::move(object));
  }
  Json object{{"format_version", kJsonVersion}, {"scene", scene.name}};
  if (!result.levels.empty()) {
    const Summary& first = result.levels.front().summary;
    object["engine"] = first.engine;
    object["solver"] = first.solver;
    if (!first.stepper.empty()) object["stepper"] = first.stepper;
  }
  object["verdict"] = std::string(name(result.verdict));
  object["order"] = number(result.order);
  object["until"] = number(result.until);
  object["levels"] = std::move(levels);
  object["times"] = result.times;
  return object;
}

void print_refinement(const Refinement& result, const Scene& scene) {
  if (!result.levels.empty()) {
    const Summary& first = result.levels.front().summary;
    std::cout << io::printable(scene.name) << ", " << first.engine << ", " << first.solver
              << (first.stepper.empty() ? "" : ", stepper " + first.stepper) << ", "
              << brief(first.h * static_cast<double>(first.steps)) << " s, compared at "
              << result.times.size() << " times\n";
  }
  Table table;
  for (const char* title :
       {"h [s]", "steps", "position to h/2 [m]", "turn to h/2 [m]", "distance to h/2 [m]", "ratio",
        "order", "distance to finest [m]", "energy to h/2 [J]"})
    table.column(title);
  for (std::size_t k = 0; k < result.levels.size(); ++k) {
    const RefineLevel& level = result.levels[k];
    std::vector<std::string> row{brief(level.h), std::to_string(level.steps)};
    if (k + 1 < result.levels.size()) {
      for (double value :
           {level.to_next.position, level.to_next.turn, level.to_next.distance, level.ratio,
            order(level), level.to_finest.distance, level.energy_to_next})
        row.push_back(brief(value));
    } else {
      row.resize(9);
    }
    table.row(row);
  }
  table.print(std::cout);
  std::cout << result.words() << '\n';
}

// Distance against the step with lines of slope 1 and 2 through the first point, and distance over
// time.
std::string plotted(const Refinement& result, const Scene& scene) {
  draw::Plot over_h{io::printable(scene.name) + ": distance between runs",
                    {"h [s]", true},
                    {"largest distance [m]", true},
                    {}};
  draw::Plot over_time{"h and h/2, over time", {"t [s]", false}, {"distance [m]", true}, {}};
  draw::Curve largest{"h and h/2", {}, {}, true, false};
  draw::Curve finest{"h and the finest", {}, {}, true, false};
  for (std::size_t k = 0; k + 1 < result.levels.size(); ++k) {
    const RefineLevel& level = result.levels[k];
    largest.x.push_back(level.h);
    largest.y.push_back(level.to_next.distance);
    finest.x.push_back(level.h);
    finest.y.push_back(level.to_finest.distance);
    over_time.curves.push_back(
        {"h = " + brief(level.h) + " s", result.times, level.distance_to_next, false, false});
  }
  over_h.curves = {largest, finest};
  if (!largest.x.empty())
    for (int p = 1; p <= 2; ++p) {
      draw::Curve guide{"slope " + std::to_string(p), largest.x, {}, false, true};
      for (double h : largest.x)
        guide.y.push_back(largest.y.front() * std::pow(h / largest.x.front(), p));
      over_h.curves.push_back(guide);
    }
  return draw::svg({over_h, over_time});
}

}  // namespace

void add_refine_options(CLI::App& command, RefineRequest& request) {
  command
      .add_option("--refine", request.halvings,
                  "Halve the step N times and measure the distance between the runs")
      ->transform(cli::whole(1, 20))
      ->type_name("N");
  command
      .add_option("--plot", request.plot,
                  "With --refine: the distances over h and time; or what --plot-over-time names")
      ->type_name("FILE.svg");
}

int run_refine(const RefineRequest& request, const Scene& scene, SimulateOptions options, bool json,
               const Globals& globals) {
  std::unique_ptr<Output> file;
  if (!request.plot.empty()) {
    check_ending("--plot", request.plot, {".svg"});
    file = std::make_unique<Output>(request.plot, Output::Content::text);
  }
  const Index steps = options.steps >= 0 ? options.steps : scene.steps;
  if (steps == 0) throw UsageError("--refine: a run without steps cannot be refined");
  Refinement result;
  {
    ProgressBar bar(globals, "steps",
                    static_cast<long>(steps * ((Index{2} << request.halvings) - 1)));
    options.progress = [&](Index done, Index) {
      bar.show(done);
      return !interrupted();
    };
    result = refine(scene, options, request.halvings);
  }
  if (file && !result.levels.empty()) {
    file->write(plotted(result, scene));
    file->commit();
  }
  json ? print(refine_document(result, scene)) : print_refinement(result, scene);
  for (const RefineLevel& level : result.levels)
    if (level.summary.unconverged_steps > 0)
      note(globals, std::to_string(level.summary.unconverged_steps) + " of " +
                        std::to_string(level.steps) + " steps of " + brief(level.h) +
                        " s did not converge");
  if (interrupted()) {
    note(globals, "stopped by " + stopped_by());
    return kInterrupted;
  }
  if (result.verdict == Refinement::Verdict::stopped) {
    const double h = options.h > 0 ? options.h : scene.step;
    std::cerr << "perpend: the run with steps of "
              << brief(h / static_cast<double>(Index{1} << result.levels.size()))
              << " s failed; perpend simulate --dt shows why\n";
    return kFailed;
  }
  return kSuccess;
}

}  // namespace perpend::app
