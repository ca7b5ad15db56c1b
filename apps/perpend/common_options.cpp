#include "common_options.hpp"

#include "command.hpp"
#include "perpend/cli.hpp"

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
  command.add_option("--dt", h, "Step [the scene's]")->check(positive())->type_name("SECONDS");
}

void add_stepper(CLI::App& command, std::string& stepper) {
  command
      .add_option("--stepper", stepper,
                  "st: Stewart-Trinkle; ap: Anitescu-Potra, contacts only where bodies touch")
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

}  // namespace perpend::app
