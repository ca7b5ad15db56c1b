// Options that several commands have, each told once.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace perpend::app {

CLI::Option* add_json(CLI::App&, bool& json);
void add_steps(CLI::App&, long& steps);
void add_dt(CLI::App&, double& h);
void add_stepper(CLI::App&, std::string& stepper);
void add_correct(CLI::App&, int& rounds);

}  // namespace perpend::app
