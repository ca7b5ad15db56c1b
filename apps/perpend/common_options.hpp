// Options that several commands have, each told once.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

#include "command.hpp"
#include "perpend/sim.hpp"

namespace perpend::app {

CLI::Option* add_json(CLI::App&, bool& json);
void add_steps(CLI::App&, long& steps);
void add_dt(CLI::App&, double& h);
// What goes with a scene or a model.
struct SceneOptions {
  std::string control;                 // a file, or empty
  std::vector<std::string> mesh_path;  // folders with meshes of a model, besides its own
  bool any() const { return !control.empty() || !mesh_path.empty(); }
  std::vector<std::string> for_reader() const;  // options of perpend-import
};
void add_scene_options(CLI::App&, SceneOptions&);
void add_stepper(CLI::App&, std::string& stepper);
void add_correct(CLI::App&, int& rounds);
void add_effort(CLI::App&, std::string& effort);
// Of the words of --effort. Milliseconds become sweeps over so many contacts, measured and told.
Effort effort_of(const std::string& text, const Globals&, const std::function<Index()>& contacts);

}  // namespace perpend::app
