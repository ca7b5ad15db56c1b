// perpend capture: a scene in an engine, every step recorded. The engine is in a program of its
// own, perpend-capture-ENGINE beside this one, which is told the scene on its standard input and
// says how far it is, one JSON document per line (docs/capture.md).
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>

#include "capture_program.hpp"
#include "command.hpp"
#include "common_options.hpp"
#include "interrupt.hpp"
#include "json.hpp"
#include "output.hpp"
#include "perpend/cli.hpp"
#include "perpend/host.hpp"
#include "perpend/io.hpp"
#include "perpend/io/files.hpp"
#include "perpend/io/json.hpp"
#include "perpend/scene.hpp"
#include "progress_bar.hpp"
#include "recorders.hpp"
#include "recording.hpp"
#include "scene_argument.hpp"
#include "table.hpp"

namespace perpend::app {
namespace {

struct CaptureRequest {
  std::string engine, scene, solver, out;
  SceneOptions scene_options;
  std::string command;  // of --run, in place of a scene
  long steps = -1;
  double h = 0;
  int iterations = 0;
  bool compare = false, unmeasured = false, json = false;
};

// A recorder, its standard output as lines. What stops us stops it: it ends its step and its file.
class Recorder {
 public:
  Recorder(const std::vector<std::string>& arguments, const std::string& input) {
    // A file without a name: a pipe would have to be written while the child reads.
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::tmpfile(), std::fclose);
    int ends[2];
    if (!file || std::fwrite(input.data(), 1, input.size(), file.get()) != input.size() ||
        std::fflush(file.get()) != 0 || pipe2(ends, O_CLOEXEC) != 0)
      throw UsageError(std::string("capture: cannot make a temporary file: ") +
                       std::strerror(errno));
    std::rewind(file.get());
    host::Environment environment;
    const int failed = child_.start(arguments, environment, fileno(file.get()), ends[1]);
    close(ends[1]);
    output_ = ends[0];
    if (failed) {
      close(output_);
      throw UsageError("capture: " + arguments[0] + " cannot be started: " + std::strerror(failed));
    }
  }
  ~Recorder() {
    close(output_);  // a child that is still alive ends at its next line
    wait();
  }
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  // False: there are no more.
  bool line(std::string& out) {
    for (;;) {
      if (const std::size_t end = text_.find('\n'); end != std::string::npos) {
        out = text_.substr(0, end);
        text_.erase(0, end + 1);
        return true;
      }
      pass_on();
      if (!host::readable(output_, 0.2)) continue;
      char buffer[4096];
      const ssize_t count = read(output_, buffer, sizeof buffer);
      if (count <= 0) return false;
      text_.append(buffer, static_cast<std::size_t>(count));
    }
  }

  // Its exit code; 128 and the signal when that ended it.
  int wait() {
    while (child_.runs() && !child_.ended(how_)) {
      pass_on();
      usleep(5000);
    }
    return how_.code();
  }
  std::string ended() const {  // the same in words
    return how_.signal() != 0
               ? "was ended by signal " + std::to_string(how_.signal()) + " (" + how_.words() + ")"
               : "exited with code " + std::to_string(how_.code());
  }

 private:
  void pass_on() {
    const int number = relay_.next();
    if (number == 0) return;
    child_.signal(number);
    child_.signal(SIGCONT);  // one that was stopped hears it, too
  }

  const Patient patient_{Patience::always};
  host::Child child_;
  host::ExitStatus how_;
  int output_ = -1;
  std::string text_;
  Relay relay_;
};

void print_capture(const Json& s) {
  Table table;
  table.column(s.at("scene"), Table::Align::left);
  table.column(std::string(s.at("engine")) + " " + std::string(s.at("engine_version")),
               Table::Align::left);
  const auto row = [&](const char* what, const std::string& value) { table.row({what, value}); };
  const auto count = [&](const char* key) { return std::to_string(s.at(key).get<long>()); };
  const auto value = [](const Json& at) {
    return brief(at.is_number() ? at.get<double>() : std::numeric_limits<double>::quiet_NaN());
  };
  const bool limited = s.at("max_iterations").is_number();
  row("solver", std::string(s.at("solver")) +
                    (limited ? ", " + count("max_iterations") + " iterations" : ""));
  row("steps", count("steps") + " of " + value(s.at("dt")) + " s");
  row("bodies, contacts, joint rows",
      count("bodies") + ", " + count("contacts_max") + ", " + count("joint_rows") + " at most");
  std::string answered;
  for (const auto& [who, steps] : s.at("answered").items())
    answered += (answered.empty() ? "" : ", ") + who + " " + std::to_string(steps.get<long>());
  row("steps solved by", answered.empty() ? "none" : answered);
  row("momentum error", value(s.at("momentum_gap")));
  const Json& found = s.at("errors");
  if (found.contains("own_error")) row("own_error, worst", value(found.at("own_error")) + " m/s");
  if (found.contains("velocity_error"))
    row("velocity_error, worst", value(found.at("velocity_error")) + " m/s");
  row("ms per step", "median " + value(s.at("step_ms").at("median")) + ", 99th percentile " +
                         value(s.at("step_ms").at("p99")));
  row("ms per recorded step", "median " + value(s.at("recorded_step_ms").at("median")) +
                                  ", 99th percentile " + value(s.at("recorded_step_ms").at("p99")));
  if (const double waited = s.at("seconds").at("waited").get<double>(); waited > 0)
    row("waited for the writer", brief(waited) + " s");
  if (s.contains("same_without_recording")) {
    row("ms per step, not recorded", "median " + value(s.at("plain_step_ms").at("median")) +
                                         ", 99th percentile " +
                                         value(s.at("plain_step_ms").at("p99")));
    row("same run without recording", s.at("same_without_recording").get<bool>() ? "yes" : "NO");
  }
  if (const long steps = s.at("steps").get<long>(); steps > 0)
    row("bytes per step", std::to_string(s.at("bytes").get<long>() / steps));
  row("state hash", s.at("state_hash"));
  table.print(std::cout);
}

// What the recorder says its engine can do.
Json description(const std::string& program, const std::string& engine) {
  Recorder child({program, "--describe"}, "");
  std::string line;
  const Json said = child.line(line) ? io::json_or_null(line) : Json();
  const int code = child.wait();
  if (code != kSuccess || !said.contains("engine"))
    throw UsageError("capture: the recorder of " + engine + " does not start (code " +
                     std::to_string(code) + ")");
  return said.at("engine");
}

// Of --solver: names the engine's own when it is none of them.
void check_solver(const CaptureRequest& request, const Json& engine) {
  std::string known;
  for (const Json& solver : engine.at("solvers")) {
    if (request.solver.empty() || solver.at("name") == request.solver) return;
    known += (known.empty() ? "" : ", ") + solver.at("name").get<std::string>();
  }
  throw UsageError("--solver: " + request.engine + " has no solver '" + request.solver +
                   "'; choose one of: " + known);
}

// Whether the engine reads this file itself: MuJoCo an MJCF, DART a URDF.
bool own_file(const std::string& scene, const Json& engine) {
  std::string why;
  const bool built_in =
      scene.find('/') == std::string::npos && scene_named(scene, 1, why).has_value();
  return !built_in && io::is_engine_file(scene, engine.at("files").get<std::vector<std::string>>());
}

// A complaint about the scene, which the recorder reads from its standard input.
std::string about_scene(const std::string& error, const std::string& scene) {
  constexpr std::string_view kInput = "standard input: ";
  return error.starts_with(kInput) && scene != "-" ? scene + ": " + error.substr(kInput.size())
                                                   : error;
}

int run_capture(const CaptureRequest& request, const Globals& globals) {
  const std::string program = recorder(request.engine);
  if (request.scene.empty() == request.command.empty())
    throw UsageError("capture: give either SCENE or --run COMMAND");
  if (!request.command.empty())
    return record_program({request.engine, request.command, request.out, request.json}, globals);
  const Json engine = description(program, request.engine);
  check_solver(request, engine);
  std::string scene;  // for the recorder's standard input
  const Input input(request.scene);
  const bool own = !request.scene_options.any() && own_file(input.path(), engine);
  if (request.scene == "-") {
    scene = io::read_text(input.path());
    const SceneOptions& options = request.scene_options;
    if (!options.mesh_path.empty()) throw UsageError("--mesh-path: give the model's file, not -");
    if (!own) {
      Scene given = io::scene_from_json(scene, "standard input");
      if (!options.control.empty()) io::add_control(given, options.control);
      scene = io::to_json(given);
    }
  } else if (!own) {
    scene = io::to_json(scene_argument(request.scene, globals, request.scene_options));
  } else if (io::plain_size(request.scene); access(request.scene.c_str(), R_OK) != 0) {
    throw UsageError(request.scene + ": " + std::strerror(errno));
  }
  check_target(request.out);
  Recording file(request.out, Recording::Writer::child);
  std::vector<std::string> arguments{program, scene.empty() ? request.scene : "-", "--out",
                                     file.path()};
  const auto option = [&](const char* name, const std::string& value) {
    arguments.insert(arguments.end(), {name, value});
  };
  if (request.steps >= 0) option("--steps", std::to_string(request.steps));
  if (request.h > 0) option("--dt", Json(request.h).dump());
  if (!request.solver.empty()) option("--solver", request.solver);
  if (request.compare) arguments.emplace_back("--compare");
  if (request.unmeasured) arguments.emplace_back("--no-errors");
  if (request.iterations > 0) option("--max-iterations", std::to_string(request.iterations));

  Json summary;
  std::string error;
  int code = kSuccess;
  {
    Recorder child(arguments, scene);
    std::optional<ProgressBar> bar;
    std::string line;
    while (child.line(line)) {
      const Json said = io::json_or_null(line);
      if (said.contains("step")) {
        if (!bar) bar.emplace(globals, "steps", said.at("steps").get<long>());
        bar->show(said.at("step").get<long>());
      }
      if (said.contains("summary")) summary = said.at("summary");
      if (said.contains("error"))
        error = file.about_target(about_scene(said.at("error").get<std::string>(), request.scene));
    }
    code = child.wait();
    if (summary.is_null() && error.empty() && interrupted()) {
      note(globals, "stopped by " + stopped_by() + "; " + file.end());
      return kInterrupted;
    }
    if (summary.is_null() && error.empty())
      error = "capture: the recorder of " + request.engine + " " + child.ended();
  }
  if (!error.empty()) {
    if (code == kUsage) throw UsageError(error);  // before the first step
    throw Failure(error + "; " + file.end());
  }
  const bool stopped = code != kSuccess;
  std::string kept;
  if (stopped)
    kept = file.end();
  else
    file.commit();
  Json document{{"format_version", kJsonVersion}};
  document.update(summary);
  request.json ? print(document) : print_capture(summary);
  if (stopped)
    note(globals, "stopped by " + stopped_by() + " after " +
                      std::to_string(summary.at("steps").get<long>()) + " steps; " + kept);
  return code;
}

}  // namespace

void add_capture(CLI::App& program, const Globals& globals, int& exit) {
  CLI::App* command = program.add_subcommand(
      "capture", "Run a scene, model or program in another engine and record every step");
  const auto request = std::make_shared<CaptureRequest>();
  command->add_option("ENGINE", request->engine, "bullet, ode, dart, gazebo, mujoco or siconos")
      ->required();
  command->add_option(
      "SCENE", request->scene,
      "Built-in scene (perpend scenes), a scene file or a model (perpend import), -: standard "
      "input; mujoco reads MJCF itself, dart URDF; gazebo: SDF alone");
  CLI::Option* run_option =
      command
          ->add_option(
              "--run", request->command,
              "Instead of SCENE: your program that uses dart, gazebo, mujoco or ode; it needs no "
              "change")
          ->type_name("COMMAND");
  add_scene_options(*command, request->scene_options);
  add_steps(*command, request->steps);
  add_dt(*command, request->h);
  command
      ->add_option("--solver,--solvers", request->solver,
                   "Solver of the engine [its default]; a wrong name lists them all")
      ->type_name("NAME");
  command
      ->add_option("--max-iterations,--iterations", request->iterations,
                   "Iteration limit of the engine's solver [its default]")
      ->transform(cli::whole(1, 1000000))
      ->type_name("N");
  command->add_option("--out", request->out, "Standard file to write")
      ->required()
      ->type_name("FILE.h5");
  command->add_flag("--compare", request->compare,
                    "Also run the engine without recording, to show that the run is the same and "
                    "what recording costs");
  command->add_flag("--no-errors", request->unmeasured, "Do not measure the errors of its answers");
  add_json(*command, request->json);
  command->footer(
      "Example:\n  perpend capture bullet stack:10 --out stack.h5\n"
      "  perpend capture bullet ragdolls --solver dantzig --steps 120 --out ragdolls.h5\n"
      "  perpend capture ode --run \"./your_program\" --out program.h5\n"
      "  perpend bench stack.h5 --solvers all --out comparison");
  for (const char* name : {"--control", "--mesh-path", "--steps", "--dt", "--solver",
                           "--max-iterations", "--compare", "--no-errors"})
    run_option->excludes(command->get_option(name));
  command->callback([request, &globals, &exit] { exit = run_capture(*request, globals); });
}

}  // namespace perpend::app
