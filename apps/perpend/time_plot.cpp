#include "time_plot.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "look.hpp"
#include "perpend/draw.hpp"
#include "perpend/io/files.hpp"
#include "picture_file.hpp"

namespace perpend::app {
namespace {

constexpr std::string_view kForceOf = "force:";
constexpr std::size_t kMostNames = 20;

std::uint32_t body_named(const Scene& scene, const std::string& name) {
  std::string known;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    if (scene.bodies[i].name == name) return static_cast<std::uint32_t>(i);
    if (i < kMostNames)
      known += (known.empty() ? "" : ", ") + scene.bodies[i].name;
    else if (i == kMostNames)
      known += ", ... (" + std::to_string(scene.bodies.size()) + " in all)";
  }
  throw UsageError("--plot-over-time: no body of " + scene.name + " is called '" + name +
                   "'; it has " + known);
}

}  // namespace

void add_time_plot_options(CLI::App& command, TimePlotRequest& request) {
  command
      .add_option(
          "--plot-over-time", request.what,
          "With --plot: energy (J), penetration (m), error (velocity error, m/s), force:NAME "
          "(N, all normal forces on the body of this name)")
      ->type_name("WHAT,...");
}

TimePlot::Quantity TimePlot::quantity(const std::string& word) {
  using Kind = Quantity::Kind;
  if (word == "energy") return {Kind::energy, {}};
  if (word == "penetration") return {Kind::penetration, {}};
  if (word == "error") return {Kind::error, {}};
  if (word.starts_with(kForceOf) && word.size() > kForceOf.size())
    return {Kind::force, word.substr(kForceOf.size())};
  throw UsageError("--plot-over-time: '" + word +
                   "' is not energy, penetration, error or force:NAME");
}

TimePlot::TimePlot(const TimePlotRequest& request, const std::string& file, const Globals& globals)
    : globals_(globals),
      file_((check_ending("--plot", file, {".svg"}), file), Output::Content::text) {
  for (const std::string& word : listed(request.what)) quantities_.push_back(quantity(word));
}

void TimePlot::run(const Scene& scene, const std::string& title) {
  Run run{&scene, title, {}, {}, {}, {}};
  for (const Quantity& one : quantities_)
    run.bodies.push_back(one.kind == Quantity::Kind::force ? body_named(scene, one.body) : 0);
  run.values.resize(quantities_.size());
  runs_.push_back(std::move(run));
}

double TimePlot::value(const Quantity& one, std::uint32_t body, const Moment& moment,
                       const Run& run) {
  switch (one.kind) {
    case Quantity::Kind::energy:
      return run.path->energy();
    case Quantity::Kind::penetration:
      return moment.penetration;
    case Quantity::Kind::error:
      return moment.error;
    case Quantity::Kind::force:
      break;
  }
  // Before the first step no force is known.
  double sum = run.times.size() < 2 && moment.contacts.empty()
                   ? std::numeric_limits<double>::quiet_NaN()
                   : 0;
  for (const ContactForce& contact : moment.contacts)
    if (contact.first == body || contact.second == body) sum += contact.force.dot(contact.normal);
  return sum;
}

void TimePlot::see(const Moment& moment) {
  Run& run = runs_.back();
  if (run.path)
    run.path->add(moment.state);
  else
    run.path.emplace(*run.scene, moment.state);
  run.times.push_back(moment.state.time);
  for (std::size_t i = 0; i < quantities_.size(); ++i)
    run.values[i].push_back(value(quantities_[i], run.bodies[i], moment, run));
}

void TimePlot::write() {
  std::vector<draw::Plot> plots;
  for (std::size_t i = 0; i < quantities_.size(); ++i) {
    using Kind = Quantity::Kind;
    const Kind kind = quantities_[i].kind;
    const std::string what = kind == Kind::energy        ? "energy [J]"
                             : kind == Kind::penetration ? "penetration [m]"
                             : kind == Kind::error       ? "velocity error [m/s]"
                                                         : "normal force [N]";
    const std::string about = kind == Kind::energy        ? "energy"
                              : kind == Kind::penetration ? "penetration"
                              : kind == Kind::error       ? "error"
                                                          : "force on " + quantities_[i].body;
    draw::Plot plot;
    plot.title = io::printable((runs_.empty() ? "" : runs_.front().scene->name + ": ") + about);
    plot.x = {"t [s]", false};
    plot.y = {what, kind == Kind::penetration || kind == Kind::error};
    for (const Run& run : runs_) {
      const std::string name = io::printable(run.title.empty() ? about : run.title);
      const bool known = std::any_of(run.values[i].begin(), run.values[i].end(),
                                     [](double value) { return std::isfinite(value); });
      // What is not known takes its colour nevertheless: a run has the same one in all plots.
      plot.curves.push_back({known ? name : "", run.times, run.values[i], false, false});
      if (!known) note(globals_, name + ": its " + about + " is not known, and not plotted");
    }
    plots.push_back(std::move(plot));
  }
  file_.write(
      draw::svg(plots, 500 * static_cast<int>(plots.size()) + (plots.size() == 1 ? 200 : 0)));
  file_.commit();
}

}  // namespace perpend::app
