// perpend view: a page in the browser on which a run is watched and pulled at.
#include "perpend/view.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <iostream>

#include "common_options.hpp"
#include "interrupt.hpp"
#include "json.hpp"
#include "perpend/cli.hpp"
#include "perpend/host.hpp"
#include "perpend/io.hpp"
#include "perpend/io/files.hpp"
#include "scene_argument.hpp"

namespace perpend::app {
namespace {

struct ViewRequest {
  std::string scene = "wall", hand, solver, effort = "exact";
  view::ViewOptions view;
  long steps = -1;
  bool no_open = false, json = false;
};

// A browser, where there is a screen. What it prints is not ours.
void open_page(const std::string& address, host::Child& child) {
  if (!std::getenv("DISPLAY") && !std::getenv("WAYLAND_DISPLAY")) return;
  host::Environment environment;
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  child.start({"xdg-open", address}, environment, -1, nowhere);  // who has none reads the line
  if (nowhere >= 0) close(nowhere);
}

int run_without_page(const Scene& scene, const ViewRequest& request) {
  const view::HandRun done = view::follow_hand(scene, request.view, request.steps, interrupted);
  if (request.json) {
    print(Json{{"format_version", 1},
               {"scene", scene.name},
               {"steps", done.steps},
               {"time", done.time},
               {"state_hash", hexadecimal(done.state_hash)}});
  } else {
    std::cout << "steps       " << done.steps << "\nstate hash  " << hexadecimal(done.state_hash)
              << "\n";
  }
  if (interrupted()) return kInterrupted;
  if (!done.message.empty()) throw Failure(done.message);
  return kSuccess;
}

int run_view(ViewRequest& request, const Globals& globals) {
  const Patient patient;
  const Scene scene = scene_argument(request.scene, globals.seed);
  view::ViewOptions& options = request.view;
  options.threads = globals.threads;
  if (!request.solver.empty()) {
    const SolverInfo* info = solver_named(request.solver);
    if (!info) throw UsageError("--solver: no solver is called '" + request.solver + "'");
    if (!info->joints && !scene.joints.empty())
      throw UsageError(request.solver + " does not accept joints, and " + scene.name + " has them");
    options.step.solver = request.solver;
  }
  const std::optional<Effort> effort = effort_named(request.effort);
  if (!effort)
    throw UsageError("--effort: '" + request.effort + "' is none of exact, real-time, N");
  options.step.effort = *effort;
  if (!request.hand.empty()) {
    options.hand = io::read_text(request.hand);
    options.hand_name = request.hand;
  }
  if (request.steps >= 0) return run_without_page(scene, request);
  host::Child browser;
  try {
    view::serve(
        scene, options,
        [&](const std::string& address) {
          std::cout << address << std::endl;
          if (!request.no_open) open_page(address, browser);
        },
        interrupted);
  } catch (const io::InputError&) {
    throw;
  } catch (const std::runtime_error& error) {
    throw Failure(error.what());
  }
  return interrupted() ? kInterrupted : kSuccess;
}

}  // namespace

void add_view(CLI::App& program, const Globals& globals, int& exit) {
  CLI::App* command =
      program.add_subcommand("view", "Watch a scene in the browser, and pull at its bodies");
  const auto request = std::make_shared<ViewRequest>();
  command
      ->add_option("SCENE", request->scene,
                   "Built-in scene (perpend scenes) or a scene file; -: standard input")
      ->capture_default_str();
  command->add_option("--port", request->view.port, "Port [one that is free]")
      ->transform(cli::whole(0, 65535))
      ->type_name("P");
  command
      ->add_option("--listen", request->view.listen,
                   "Address to listen at. Others than 127.0.0.1 and ::1 are open to your network; "
                   "what is sent is not encrypted")
      ->type_name("ADDRESS")
      ->capture_default_str();
  command->add_flag("--no-open", request->no_open, "Print the address, open no browser");
  command->add_option("--solver,--solvers", request->solver, "Solver at the start [ncp/auto]")
      ->type_name("NAME");
  command
      ->add_option("--effort", request->effort,
                   "Work of a step: exact (the tolerance decides), real-time (a fixed amount) or N "
                   "sweeps over all contacts")
      ->type_name("EFFORT")
      ->capture_default_str();
  command
      ->add_option("--hand", request->hand,
                   "Repeat what a person did: a file that the page has saved (docs/view.md)")
      ->type_name("FILE.json");
  command
      ->add_option("--steps", request->steps,
                   "Make N steps without a page and print the state hash")
      ->transform(cli::whole(0))
      ->type_name("N");
  add_json(*command, request->json)->needs("--steps");
  command->footer(
      "Example:\n  perpend view wall\n"
      "  perpend view ragdolls --port 8000 --no-open\n"
      "  perpend view stack --hand pull.json --steps 300");
  command->callback([request, &globals, &exit] { exit = run_view(*request, globals); });
}

}  // namespace perpend::app
