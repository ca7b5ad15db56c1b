// Lu et al. 2013, Figs. 4 to 6, in the engines themselves: the answers of ODE, Bullet, DART and
// MuJoCo with 10, 40 and 400 iterations a step of the method of each that sweeps, and those of our
// own world, on the bare hose and with a humanoid of Atlas' size and mass.
//
// The paper has ODE alone, inside Gazebo, and measures iterates of one run. Here each number of
// iterations has a run of its own, because an engine tells only its last iterate.
#include "reproduce/hose_engines.hpp"

#include <algorithm>
#include <cmath>

namespace perpend::reproduce {
namespace {

constexpr double kStands = 0.1;  // m, as in the other experiments
constexpr Index kAgain = 60;     // problems of a run that are solved again

const std::vector<World>& worlds() {
  static const std::vector<World> kWorlds{{"ODE", "ode", "quickstep"},
                                          {"Bullet", "bullet", "si"},
                                          {"DART", "dart", "pgs"},
                                          {"MuJoCo", "mujoco", "pgs"},
                                          {"Perpend", "", "ncp/pgs"}};
  return kWorlds;
}

draw::Curve distribution(const std::string& label, std::vector<double> values) {
  std::sort(values.begin(), values.end());
  std::vector<double> shares;
  for (std::size_t i = 0; i < values.size(); ++i)
    shares.push_back(100 * static_cast<double>(i + 1) / static_cast<double>(values.size()));
  return curve(label, std::move(values), std::move(shares));
}

std::string iterations(long count) { return std::to_string(count) + " iterations"; }

void add_claims(const HoseRuns& what, const World& world, const std::array<WorldRun, 3>& made,
                Outcome& out) {
  const std::string where = what.scene + ", " + world.title + ": ";
  const auto claim = [&](const char* figure, const std::string& quantity, Printed paper,
                         double ours, const std::string& how, const std::string& if_differs) {
    out.claims.push_back(
        {figure, where + quantity, std::move(paper), ours, how, if_differs, "", ""});
  };
  for (const WorldRun& run : made)
    if (!run.missing.empty()) {
      out.claims.push_back({"Fig. 5", where + "violation with 40 iterations, m/s", at_most(1e-3),
                            std::numeric_limits<double>::quiet_NaN(), "", "", "", run.missing});
      return;
    }
  const auto few = median(made[0].rms), taken = median(made[1].rms), many = median(made[2].rms);
  const std::string middle = iterations(what.iterations[1]);
  claim("Fig. 5", "violation with " + middle + ", 90 % of steps below, m/s", at_most(1e-3),
        quantile(made[1].rms, 0.9),
        "“Mostly bounded by 1e-3 and 1e-4.” Median " + short_number(taken) +
            "; of what it means to solve " + short_number(median(made[1].own)) + ".",
        "The paper tells neither the unit of its violation nor its time step.");
  claim("Fig. 5", "what steps leave open with " + middle + ", 90 % of steps below, m",
        at_most(1e-3), quantile(made[1].open, 0.9),
        "The same bound, read in metres. Median " + short_number(median(made[1].open)) + ".",
        "Overlaps and joints that the engine leaves open.");
  claim("Fig. 6", "median violation, " + iterations(what.iterations[0]) + " over " + middle,
        above(1), few / taken,
        "The distribution of 10 iterations lies to the right of that of 40. Medians " +
            short_number(few) + " and " + short_number(taken) + ".",
        "A run of its own for each: that with more iterations moves otherwise.");
  claim("Section 6.1", "median violation, " + middle + " over " + iterations(what.iterations[2]),
        at_most(10), taken / many,
        "“Only a minor reduce” beyond 40: not more than one digit. Medians " + short_number(taken) +
            " and " + short_number(many) + ".",
        "Ten times the iterations gain more than a digit: 40 do not suffice.");
  if (!what.watched.empty())
    claim("Section 6.1", what.watched + " sinks with " + middle + ", m", at_most(kStands),
          made[1].sunk,
          "“Stay stable for a long enough time.” With " + iterations(what.iterations[0]) + " " +
              short_number(made[0].sunk) + ", with " + iterations(what.iterations[2]) + " " +
              short_number(made[2].sunk) + ".",
          "The humanoid gives way: its joints are not held.");
}

// The problems of a world's run again, from zero impulses: iterates of one method on the same
// problems, as the paper has them.
void add_iterates(const HoseRuns& what, const World& world, const std::vector<Frame>& problems,
                  const Settings& settings, Outcome& out, Figure& figure) {
  std::array<std::vector<double>, 3> after;
  for (auto& one : after) one.resize(problems.size());
  for_each(settings, problems.size(), [&](std::size_t i) {
    const auto errors = iterate_errors(assemble(problems[i]), solver(settings, "ncp/pgs"),
                                       what.iterations, settings);
    for (std::size_t k = 0; k < errors.size(); ++k) after[k][i] = errors[k];
  });
  draw::Plot shares;
  shares.title = world.title + "'s problems, ncp/pgs (Fig. 6)";
  shares.x = {"rms violation, m/s", true};
  shares.y.label = "share of steps below, %";
  for (std::size_t k = 0; k < after.size(); ++k)
    shares.curves.push_back(distribution(iterations(what.iterations[k]), after[k]));
  figure.plots.push_back(std::move(shares));
  const std::string where = what.scene + ", " + world.title + "'s problems with ncp/pgs: ",
                    middle = iterations(what.iterations[1]);
  const double few = median(after[0]), taken = median(after[1]), many = median(after[2]);
  out.claims.push_back(
      {"Fig. 6", where + "median violation, " + iterations(what.iterations[0]) + " over " + middle,
       above(1), few / taken, "Medians " + short_number(few) + " and " + short_number(taken) + ".",
       "From zero impulses, sweeps spread a violation along the chain before they remove it.", "",
       ""});
  out.claims.push_back(
      {"Section 6.1",
       where + "median violation, " + middle + " over " + iterations(what.iterations[2]),
       at_most(10), taken / many,
       "Medians " + short_number(taken) + " and " + short_number(many) + ".",
       "Ten times the iterations gain more than a digit: 40 do not suffice.", "", ""});
}

}  // namespace

std::array<double, 3> iterate_errors(const System& system, const std::string& name,
                                     const std::array<long, 3>& counts, const Settings& settings) {
  Options options;
  options.tolerance = 0;
  options.max_iterations = counts.back();
  options.history = true;
  options.history_measures = std::vector<HistoryMeasure>{Measure::rms_violation};
  options.cancelled = settings.cancelled;
  const std::vector<HistoryPoint> history = solve(system, name, options).history;
  std::array<double, 3> out{};
  for (std::size_t k = 0; k < counts.size() && !history.empty(); ++k) {
    const auto at = std::min(static_cast<std::size_t>(counts[k]), history.size() - 1);
    out[k] = history[at].errors[Measure::rms_violation];
  }
  return out;
}

void add_worlds(const HoseRuns& what, const std::vector<World>& list, const Settings& settings,
                Outcome& out) {
  const Scene scene = built_in(what.scene);
  WorldTask task{{}, scene, what.steps, 0, -1, 0};
  for (std::size_t i = 0; i < scene.bodies.size(); ++i)
    if (!what.watched.empty() && scene.bodies[i].name == what.watched)
      task.watched = static_cast<Index>(i);
  std::vector<WorldTask> tasks;
  for (const World& world : list)
    for (const long count : what.iterations) {
      task.world = world;
      task.iterations = count;
      task.keep_every = world.engine == "ode" && count == what.iterations[1]
                            ? std::max<Index>(1, what.steps / kAgain)
                            : 0;
      tasks.push_back(task);
    }
  const std::vector<WorldRun> made = runs(tasks, settings);

  Figure figure{"hose-engines-" + what.scene, what.scene + ": errors in engines (Figs. 5, 6)", {}};
  draw::Plot over;
  over.title = what.scene + ", " + iterations(what.iterations[1]) + " (Fig. 5)";
  over.x.label = "time, s";
  over.y = {"rms violation, m/s", true};
  Table table{
      "hose-engines-" + what.scene,
      what.scene + ": errors of the answers, m/s",
      {"world", "iterations", "rms violation, median", "90 % of steps below", "own_error, median"},
      {},
      true};
  std::vector<std::pair<std::string, std::vector<double>>> columns;
  for (std::size_t w = 0; w < list.size(); ++w) {
    const std::array<WorldRun, 3> three{made[3 * w], made[3 * w + 1], made[3 * w + 2]};
    draw::Plot shares;
    shares.title = list[w].title + " (Fig. 6)";
    shares.x = {"rms violation, m/s", true};
    shares.y.label = "share of steps below, %";
    for (std::size_t k = 0; k < three.size(); ++k) {
      const WorldRun& run = three[k];
      if (!run.missing.empty()) continue;
      const std::string count = iterations(what.iterations[k]);
      if (k == 1) over.curves.push_back(curve(list[w].title, run.times, run.rms));
      shares.curves.push_back(distribution(count, run.rms));
      if (columns.empty()) columns.emplace_back("time, s", run.times);
      columns.emplace_back(list[w].title + ", " + count, run.rms);
      table.rows.push_back({list[w].title, std::to_string(what.iterations[k]),
                            short_number(median(run.rms)), short_number(quantile(run.rms, 0.9)),
                            short_number(median(run.own))});
    }
    if (!shares.curves.empty()) figure.plots.push_back(std::move(shares));
    add_claims(what, list[w], three, out);
    if (!three[1].kept.empty()) add_iterates(what, list[w], three[1].kept, settings, out, figure);
  }
  if (!over.curves.empty()) figure.plots.insert(figure.plots.begin(), std::move(over));
  if (!figure.plots.empty()) out.figures.push_back(std::move(figure));
  if (table.rows.empty()) return;
  out.tables.push_back(std::move(table));
  Table steps = series("hose-engines-" + what.scene + "-steps",
                       what.scene + ": rms violation of steps, m/s", "row", columns);
  steps.shown = false;
  out.tables.push_back(std::move(steps));
}

namespace {

Outcome run_hose_engines(const Settings& settings) {
  Outcome out;
  out.text =
      "ODE's QuickStep, Bullet's sequential impulses, PGS of DART and of MuJoCo, recorded by "
      "perpend-capture-ENGINE, and ncp/pgs in our own world, each with 10, 40 and 400 iterations a "
      "step. All are taken as they are; our world closes joints after a step with more of the same "
      "iterations. hose has steps of 0.01 s; hose-humanoid has those of 0.001 s that Gazebo takes "
      "unless "
      "told otherwise. About 60 problems of ODE's run with 40 iterations are also solved again "
      "from "
      "zero impulses: the paper's iterates. The violation is rms_violation of rigid contact: it "
      "holds what an engine "
      "softens too. own_error tells how well it solved what it meant to solve. The paper prints "
      "ODE alone, so it has no order between engines.";
  add_worlds({"hose", settings.quick ? 100 : 600, ""}, worlds(), settings, out);
  add_worlds({"hose-humanoid", settings.quick ? 60 : 1000, "pelvis"}, worlds(), settings, out);
  return out;
}

}  // namespace

Experiment hose_engines() {
  return {"hose-engines", kInterfacePaper, "Figs. 4 to 6", "how many iterations suffice in engines",
          run_hose_engines};
}

}  // namespace perpend::reproduce
