#include "common_options.hpp"

#include <cmath>

#include "perpend/cli.hpp"
#include "table.hpp"

namespace perpend::app {

CLI::Option* add_json(CLI::App& command, bool& json) {
  return command.add_flag("--json", json, "Print one JSON document");
}

void add_steps(CLI::App& command, long& steps) {
  command.add_option("--steps", steps, "Number of steps [the scene's]")
      ->transform(cli::whole(0))
      ->type_name("N");
}

void add_dt(CLI::App& command, double& h) {
  command.add_option("--dt", h, "Step size [the scene's]")
      ->check(cli::step_size())
      ->type_name("SECONDS");
}

std::vector<std::string> SceneOptions::for_reader() const {
  std::vector<std::string> out;
  for (const std::string& folder : mesh_path) out.insert(out.end(), {"--mesh-path", folder});
  return out;
}

void add_scene_options(CLI::App& command, SceneOptions& options) {
  command
      .add_option("--control", options.control,
                  "Drives and control of the scene's or model's joints by name (docs/scene.md)")
      ->type_name("FILE.json");
  command
      .add_option(
          "--mesh-path", options.mesh_path,
          "Read a model's meshes from this folder too; you may use this option several times")
      ->allow_extra_args(false)
      ->type_name("FOLDER");
}

void add_stepper(CLI::App& command, std::string& stepper) {
  command
      .add_option("--stepper", stepper,
                  "st: Stewart-Trinkle; ap: Anitescu-Potra, which uses only touching contacts")
      ->type_name("st|ap")
      ->capture_default_str();
}

void add_correct(CLI::App& command, int& rounds) {
  command
      .add_option("--correct", rounds,
                  "Close joints and remove overlaps after each step, at most N rounds (0: off)")
      ->transform(cli::whole(0, 100))
      ->type_name("N")
      ->capture_default_str();
}

void add_effort(CLI::App& command, std::string& effort) {
  command
      .add_option(
          "--effort", effort,
          "Work of a step: exact (until the tolerance is met), real-time (a fixed amount), N "
          "sweeps over all contacts, or Tms (T milliseconds on this machine)")
      ->type_name("EFFORT")
      ->capture_default_str();
}

Effort effort_of(const std::string& text, const Globals& globals,
                 const std::function<Index()>& contacts) {
  if (const std::optional<Effort> named = effort_named(text)) return *named;
  const std::string unit = "ms";
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (end == text.c_str() || end != unit || !(value > 0) || !std::isfinite(value))
    throw UsageError("--effort: '" + text + "' is not exact, real-time, N or Tms");
  const Index over = contacts();
  const Effort effort{Effort::Kind::sweeps, sweeps_within(value / 1000, over)};
  note(globals, text + ": " + name(effort) + " sweeps over " + std::to_string(over) +
                    " contacts on this machine; to repeat this run use --effort " + name(effort));
  return effort;
}

}  // namespace perpend::app
