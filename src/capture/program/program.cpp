// On stdout one JSON document per line: {"step": N, "steps": M} now and then, and at the end
// {"summary": {...}} or {"error": "..."}. Ctrl-C, SIGTERM and SIGHUP end the run after the step in
// work, and so does the death of whoever reads these lines; the file is closed. --describe prints
// {"engine": {...}}, what `perpend capture` needs to know of it.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <optional>

#include "capture/header.hpp"
#include "capture/program/summary.hpp"
#include "perpend/base.hpp"
#include "perpend/capture.hpp"
#include "perpend/cli.hpp"
#include "perpend/io/files.hpp"
#include "perpend/io/inputs.hpp"

namespace perpend::capture {
namespace {

using Clock = std::chrono::steady_clock;
enum Exit : int { kSuccess = 0, kFailed = 1, kUsage = 2 };  // stopped: 128 and the signal

// The signal that stopped us; a signal handler can reach nothing but globals.
volatile std::sig_atomic_t stopped = 0;
volatile std::sig_atomic_t recording = 0;  // before that a signal ends the program at once, ...
const char* volatile unfinished[2] = {};   // ... without these files

void stop(int signal) {
  stopped = signal;
  if (recording) return;
  for (const char* path : unfinished)
    if (path) std::remove(path);
  std::_Exit(128 + signal);
}

constexpr const char* kStandardInput = "standard input";

struct Request {
  std::string scene, out, solver;
  std::string path;  // of the scene's file: engines read no standard input
  long steps = -1;
  double h = 0;
  int iterations = 0;
  bool compare = false, unmeasured = false;
};

// A name of a file need not be UTF-8; the document must.
void say(const Json& document) {
  std::cout << io::printable_json(document.dump(-1, ' ', false, Json::error_handler_t::replace))
            << "\n"
            << std::flush;
}

Task task_of(const Engine& engine, const Request& request) {
  Task out;
  out.solver = request.solver;
  out.iterations = request.iterations;
  if (io::is_engine_file(request.path, engine.files)) {
    out.file = request.path;
    out.scene.name = request.scene == "-"
                         ? kStandardInput
                         : std::filesystem::path(request.scene).filename().string();
    out.h = request.h;
  } else {
    out.scene = io::read_scene(request.path);
    if (const std::string what = beyond_engine(out.scene, engine.supports); !what.empty())
      throw io::InputError(request.path + ": " + what + ": " + engine.name +
                           " does not get it from us; perpend simulate has it");
    out.h = request.h > 0 ? request.h : out.scene.step;
  }
  return out;
}

io::Header header_of(const Run& run, const Task& task, const Request& request, long steps) {
  io::Header out = run.header();
  out.scene = task.scene.name;
  out.created = timestamp();
  if (task.file.empty()) out.scene_json = io::to_json(task.scene);
  std::map<std::string, std::string> recipe{{"engine", out.engine},
                                            {"dt", full_number(run.h())},
                                            {"steps", std::to_string(steps)},
                                            {"solver", task.solver}};
  if (run.iterations() > 0) recipe["max_iterations"] = std::to_string(run.iterations());
  if (!task.file.empty()) recipe["file"] = request.scene;
  out.simulate = io::recipe_json(recipe);
  return out;
}

double seconds(Clock::duration duration) { return std::chrono::duration<double>(duration).count(); }

// One step, put into the file, with its times; what recording took is not the engine's.
void record_step(Run& run, Writer& writer, Summary& summary) {
  const Clock::time_point start = Clock::now();
  run.reuse(writer.emptied());
  const Clock::time_point called = Clock::now();
  RecordedStep made = run.step();
  io::Timing& timing = made.record->timing;
  timing.total = seconds(Clock::now() - called) - made.recording;
  if (made.began != Clock::time_point()) timing.collision = seconds(made.began - called);
  const io::Timing known = timing;
  writer.put(std::move(made.record));
  summary.step(known, made.recording, seconds(Clock::now() - start));
}

// A step of the run that is not recorded.
void plain_step(Run& run, Summary& summary) {
  const Clock::time_point start = Clock::now();
  run.step();
  summary.plain_step(seconds(Clock::now() - start));
}

// Until all are made, or something stops us: a signal, a disk that is full, nobody who listens.
void make_steps(Run& run, Run* plain, Writer& writer, Summary& summary, long steps) {
  const auto tell = [&] { say({{"step", summary.steps()}, {"steps", steps}}); };
  tell();
  Clock::time_point told = Clock::now();
  while (summary.steps() < steps && !stopped && writer.error().empty() && std::cout) {
    // A processor that has just taken the same step takes it again some per cent faster: each of
    // the two is first as often as the other.
    const bool plain_first = summary.steps() % 2 != 0;
    if (plain && plain_first) plain_step(*plain, summary);
    record_step(run, writer, summary);
    recording = 1;
    if (plain && !plain_first) plain_step(*plain, summary);
    if (Clock::now() - told > std::chrono::milliseconds(100)) {
      tell();
      told = Clock::now();
    }
  }
}

int record(const Engine& engine, const Request& request) {
  Task task = task_of(engine, request);
  const long steps = request.steps >= 0 ? request.steps : task.scene.steps;
  const std::unique_ptr<Run> run = engine.make(task);
  if (request.iterations > 0 && run->iterations() == 0)
    throw io::InputError("--max-iterations: solver '" + task.solver + "' of " + engine.title +
                         " has no limit of iterations");
  const io::Header header = header_of(*run, task, request, steps);
  Summary summary;
  std::unique_ptr<Run> plain;
  if (request.compare) {
    task.recorded = false;
    plain = engine.make(task);
  }
  WriterOptions options;
  options.measure = request.unmeasured ? nullptr : engine.measure;
  options.written = [&](const io::Record& made) { summary.written(made); };
  if (task.file.empty()) options.scene = task.scene;
  Writer writer(request.out, header, options);
  unfinished[1] = request.out.c_str();

  try {
    make_steps(*run, plain.get(), writer, summary, steps);
    writer.close(summary.steps() < steps ? "" : hexadecimal(run->hash()));
  } catch (const std::exception& error) {
    say({{"error", error.what()}});
    return kFailed;
  }
  const auto asked = std::find_if(engine.solvers.begin(), engine.solvers.end(),
                                  [&](const SolverName& s) { return s.name == task.solver; });
  const std::string solver = run->solver().empty() ? asked->title : run->solver();
  Json document = summary.document(solver, *run, header, writer.statistics());
  document["bytes"] = std::filesystem::file_size(request.out);
  if (plain) document["same_without_recording"] = plain->hash() == run->hash();
  say({{"summary", document}});
  return stopped ? 128 + stopped : summary.steps() < steps ? kFailed : kSuccess;
}

Json description(const Engine& engine) {
  Json solvers = Json::array();
  for (const SolverName& solver : engine.solvers)
    solvers.push_back({{"name", solver.name}, {"title", solver.title}});
  return {{"name", engine.name},
          {"title", engine.title},
          {"solvers", solvers},
          {"files", engine.files}};
}

}  // namespace

int program(const Engine& engine, int argc, char** argv) {
  std::signal(SIGINT, stop);
  std::signal(SIGTERM, stop);
  if (std::signal(SIGHUP, stop) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);  // as nohup wants it
  std::signal(SIGPIPE, SIG_IGN);  // writing fails instead, and the file is closed
  std::signal(SIGXFSZ, SIG_IGN);
  Request request;
  request.solver = engine.solvers.front().name;
  bool describe = false;
  std::optional<io::Spool> input;
  const std::string name = "perpend-capture-" + engine.name;
  CLI::App app("Run a scene in " + engine.title + " and record every step.", name);
  app.formatter(std::make_shared<cli::Formatter>());
  std::string own;
  for (const std::string& extension : engine.files) own += ", or a " + extension + " file";
  CLI::Option* scene =
      app.add_option("SCENE", request.scene, "Scene file" + own + "; -: standard input");
  CLI::Option* out = app.add_option("--out", request.out, "Standard file")->type_name("FILE.h5");
  app.add_option("--steps", request.steps, "Number of steps [the scene's]")
      ->transform(cli::whole(0))
      ->type_name("N");
  app.add_option("--dt", request.h, "Step size [the scene's]")
      ->check(cli::step_size())
      ->type_name("SECONDS");
  std::vector<std::string> names;
  for (const SolverName& solver : engine.solvers) names.emplace_back(solver.name);
  app.add_option("--solver,--solvers", request.solver, "Solver of the engine")
      ->check(CLI::IsMember(names))
      ->capture_default_str();
  app.add_option("--max-iterations,--iterations", request.iterations,
                 "Iteration limit of the solver [the engine's default]")
      ->transform(cli::whole(1, 1000000))
      ->type_name("N");
  app.add_flag("--compare", request.compare, "Also run the engine without recording, to compare");
  app.add_flag("--no-errors", request.unmeasured, "Do not measure the errors of its answers");
  app.add_flag("--describe", describe, "Only print what the engine can do");
  app.footer("Example:\n  perpend scenes stack:10 | " + name +
             " - --out stack.h5\nperpend capture " + engine.name +
             " does the same and shows progress and a summary.");
  try {
    app.parse(argc, argv);
    if (describe) {
      say({{"engine", description(engine)}});
      return kSuccess;
    }
    for (const CLI::Option* needed : {scene, out})
      if (needed->count() == 0) throw CLI::RequiredError(needed->get_name());
    io::keep(cli::inputs(app));
    io::plain_target(request.out);
    if (request.scene == "-")
      input.emplace(fileno(stdin), [](const std::string& made) { unfinished[0] = made.c_str(); });
    request.path = input ? input->path() : request.scene;
    return record(engine, request);
  } catch (const CLI::Success& help) {
    return app.exit(help);
  } catch (const std::exception& error) {
    const std::string unknown = cli::unknown_option(app);
    std::string why = unknown.empty() ? error.what() : unknown;
    if (input)
      for (std::size_t at; (at = why.find(input->path())) != std::string::npos;)
        why.replace(at, input->path().size(), kStandardInput);
    say({{"error", why}});
    return kUsage;
  }
}

}  // namespace perpend::capture
