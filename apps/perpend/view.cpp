// perpend view: a page in the browser on which a run is watched and pulled at.
#include "perpend/view.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <iostream>

#include "animate.hpp"
#include "common_options.hpp"
#include "interrupt.hpp"
#include "json.hpp"
#include "model_program.hpp"
#include "perpend/cli.hpp"
#include "perpend/host.hpp"
#include "perpend/io.hpp"
#include "perpend/io/files.hpp"
#include "progress_bar.hpp"
#include "recording.hpp"
#include "scene_argument.hpp"
#include "share.hpp"
#include "source.hpp"
#include "time_plot.hpp"

namespace perpend::app {
namespace {

struct ViewRequest {
  std::vector<std::string> what;  // a scene, or recordings
  std::string hand, solver, effort = "exact", out;
  SceneOptions scene_options;
  StepOptions step;
  std::vector<std::string> panes;
  view::ViewOptions view;
  ShareRequest share;
  std::string frames;
  long steps = -1;
  bool no_open = false, json = false, papers = false;
  AnimateRequest animate;
  LookRequest look;
  TimePlotRequest over_time;
  std::string plot;
  bool watched() const { return animate.asked() || over_time.asked(); }
};

// A browser, where there is a screen. It is given a file of ours that leads to the address: what
// stands on a command line is seen by every user of the machine, and the token is not for them.
class Browser {
 public:
  void open(const std::string& address) {
    if (!std::getenv("DISPLAY") && !std::getenv("WAYLAND_DISPLAY")) return;
    const char* folder = std::getenv("XDG_RUNTIME_DIR");
    const io::Temporary made =
        io::make_temporary(std::string(folder ? folder : "/tmp") + "/perpend-view", "-", 0600);
    file_ = made.path + ".html";
    const std::string text =
        "<!doctype html><meta charset=\"utf-8\"><title>Perpend</title>"
        "<meta http-equiv=\"refresh\" content=\"0;url=" +
        address + "\">\n";
    const bool written =
        ::write(made.descriptor, text.data(), text.size()) == static_cast<ssize_t>(text.size());
    ::close(made.descriptor);
    if (std::rename(made.path.c_str(), file_.c_str()) != 0) file_ = made.path;
    host::Environment environment;
    const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);  // what it prints is not ours
    if (written)
      child_.start({"/bin/sh", "-c", "exec xdg-open \"$1\" 2>/dev/null", "sh", file_}, environment,
                   -1, nowhere);
    if (nowhere >= 0) ::close(nowhere);
  }
  ~Browser() {
    if (!file_.empty()) unlink(file_.c_str());
  }

 private:
  host::Child child_;
  std::string file_;
};

// With --out the file is there when the run is complete; one that ends early keeps its frames.
view::HandRun recorded(
    const ViewRequest& request, Recording::Writer writer,
    const std::function<view::HandRun(const view::ViewOptions&, Recording*)>& run) {
  if (request.out.empty()) return run(request.view, nullptr);
  check_target(request.out);
  Recording file(request.out, writer);
  view::ViewOptions options = request.view;
  options.out = file.path();
  try {
    const view::HandRun done = run(options, &file);
    if (done.steps > 0) file.commit();
    return done;
  } catch (const std::exception& error) {
    const std::string why = file.about_target(error.what()), kept = file.end();
    if (file.ended().frames == 0) throw io::InputError(why);
    throw Failure(why + "; " + kept);
  }
}

// All arguments are standard files or JSON lines.
bool are_recordings(const std::vector<std::string>& what) {
  return !what.empty() && std::all_of(what.begin(), what.end(), [](const std::string& path) {
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored) || is_model(path)) return false;
    const io::Kind kind = io::kind_of(path);
    return kind == io::Kind::standard || kind == io::Kind::json_lines;
  });
}

int run_without_page(const Scene& scene, const ViewRequest& request) {
  const auto run = [&](const view::ViewOptions& options, Recording* file) {
    Impatient building;  // until there is a world
    long asked = 0;      // before each step
    return view::follow_hand(scene, options, request.steps, [&] {
      building.end();
      if (file && ++asked > 1) file->has_frames();
      return interrupted();
    });
  };
  const view::HandRun done = recorded(request, Recording::Writer::here, run);
  const bool several = done.panes.size() > 1;
  if (request.json) {
    Json out{{"format_version", 1},
             {"scene", scene.name},
             {"steps", done.steps},
             {"time", done.time},
             {"state_hash", hexadecimal(done.panes.front().state_hash)}};
    if (several) {
      out["panes"] = Json::array();
      for (const view::HandRun::Pane& pane : done.panes)
        out["panes"].push_back(
            {{"title", pane.title}, {"state_hash", hexadecimal(pane.state_hash)}});
      out["parted"] = done.parted < 0 ? Json() : Json(done.parted);
    }
    print(out);
  } else {
    std::cout << "steps       " << done.steps << "\n";
    for (const view::HandRun::Pane& pane : done.panes)
      std::cout << "state hash  " << hexadecimal(pane.state_hash)
                << (several ? "  " + pane.title : "") << "\n";
    if (several)
      std::cout << (done.parted < 0 ? "No pane parted from the first." : done.parted_words + ".")
                << "\n";
  }
  if (interrupted()) return kInterrupted;
  if (!done.message.empty()) throw Failure(done.message);
  return kSuccess;
}

void check_watching(const ViewRequest& request, bool recordings) {
  if (!request.animate.asked() && (request.animate.any() || request.look.any()))
    throw UsageError(
        "--fps, --slow, --from, --width, --view, --show, --solid: need --animate FILE");
  if (request.over_time.asked() == request.plot.empty())
    throw UsageError("--plot-over-time WHAT and --plot FILE.svg: one needs the other");
  if (request.watched() && !recordings)
    throw UsageError(
        "--animate, --plot-over-time: perpend simulate makes those of a scene; here give "
        "one or two recordings");
}

// Recordings as a film or a plot, without a page.
int watch_recordings(const ViewRequest& request, const Globals& globals) {
  const Look look = look_of(request.look);
  std::vector<view::RecordedMoments> files;
  std::vector<std::vector<double>> times;
  double end = 0;
  long frames = 0;
  for (const std::string& path : request.what) {
    files.emplace_back(path);
    times.push_back(files.back().times());
    end = std::max(end, times.back().back());
    frames += files.back().frames();
  }
  std::vector<std::unique_ptr<Watcher>> watching;
  if (request.animate.asked())
    watching.push_back(std::make_unique<Animation>(request.animate, look, end, globals));
  if (request.over_time.asked())
    watching.push_back(std::make_unique<TimePlot>(request.over_time, request.plot, globals));
  {
    ProgressBar bar(globals, "frames read", frames);
    long read = 0;
    for (const view::RecordedMoments& file : files) {
      for (const auto& one : watching)
        one->run(file.scene(), files.size() > 1 ? file.engine() : "");
      for (Index i = 0; i < file.frames() && !interrupted(); ++i) {
        const Moment moment = file.moment(i);
        for (const auto& one : watching) one->see(moment);
        bar.show(++read);
      }
    }
  }
  if (interrupted()) return kInterrupted;
  for (const auto& one : watching) one->write();
  return interrupted() ? kInterrupted : kSuccess;
}

// A port that cannot be had is no internal error.
void tried(const std::function<void()>& serve) {
  try {
    serve();
  } catch (const io::InputError&) {
    throw;
  } catch (const std::runtime_error& error) {
    throw Failure(error.what());
  }
}

// Two to four runs beside each other; without --pane those of the papers.
void set_panes(ViewRequest& request, const Scene& scene) {
  view::ViewOptions& options = request.view;
  if (request.papers && request.panes.empty()) request.panes = {"box/pgs@50", "box/nncg@50"};
  options.panes.clear();
  for (const std::string& text : request.panes) {
    const std::string why = view::parse_pane(text, request.step, options.panes.emplace_back());
    if (!why.empty()) throw UsageError("--pane: " + why);
  }
  if (options.panes.size() > view::kMostPanes)
    throw UsageError("--pane: " + std::to_string(options.panes.size()) + " panes; at most " +
                     std::to_string(view::kMostPanes) + " fit");
  if (options.panes.empty()) options.panes.push_back({request.step, false});
  for (const view::PaneOptions& pane : options.panes)
    if (!pane.stock && !scene.joints.empty() && !solver_named(pane.step.solver)->joints)
      throw UsageError(pane.step.solver + " does not accept joints, and " + scene.name +
                       " has them");
}

void refuse_run_options(const ViewRequest& request) {
  if (!request.hand.empty() || request.steps >= 0 || !request.out.empty() ||
      request.scene_options.any())
    throw UsageError("--hand, --control, --mesh-path, --steps and --out are for scenes, and " +
                     request.what.front() + " is a recording");
}

int share_recordings(const ViewRequest& request, const Globals& globals) {
  if (request.what.empty()) throw UsageError("--share: give the recording");
  refuse_run_options(request);
  SharedPage page(request.share);
  std::vector<SharedFile> files;
  for (const std::string& path : request.what) {
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored) || is_model(path) ||
        io::kind_of(path) == io::Kind::scene)
      throw UsageError("--share: " + path +
                       " is no recording; perpend simulate SCENE --share makes one");
    files.push_back({path, {}, {}});
    if (request.frames.empty()) continue;
    const auto source = io::open_source(path);
    files.back().frames = select_frames(request.frames, path, *source, globals);
  }
  page.write(files, globals);
  return interrupted() ? kInterrupted : kSuccess;
}

int run_view(ViewRequest& request, const Globals& globals) {
  const Patient patient;
  if (!request.share.page.empty()) {
    if (request.watched())
      throw UsageError(
          "--share: without --animate and --plot-over-time; they need a run of their own");
    return share_recordings(request, globals);
  }
  view::ViewOptions& options = request.view;
  options.threads = globals.threads;
  Browser browser;
  Impatient building;
  const auto ready = [&](const std::string& address) {
    building.end();
    std::cout << address << std::endl;
    if (!request.no_open) browser.open(address);
  };
  const bool recordings = are_recordings(request.what);
  check_watching(request, recordings);
  if (recordings) {
    if (request.what.size() > 2) throw UsageError("two recordings at most");
    refuse_run_options(request);
    if (request.watched()) {
      building.end();
      return watch_recordings(request, globals);
    }
    tried([&] { view::serve_recordings(request.what, options, ready, interrupted); });
    return interrupted() ? kInterrupted : kSuccess;
  }
  if (request.what.size() > 1)
    throw UsageError("one scene, or two recordings: " + request.what[1] + " is too much");
  const Scene scene = scene_argument(request.what.empty() ? "wall" : request.what.front(), globals,
                                     request.scene_options);
  if (!request.solver.empty()) {
    const SolverInfo* info = solver_named(request.solver);
    if (!info) throw UsageError("--solver: no solver is called '" + request.solver + "'");
    request.step.solver = request.solver;
  }
  const std::optional<Effort> effort = effort_named(request.effort);
  if (!effort)
    throw UsageError("--effort: '" + request.effort + "' is none of exact, real-time, N");
  request.step.effort = *effort;
  set_panes(request, scene);
  if (!request.hand.empty()) {
    options.hand = io::read_text(request.hand);
    options.hand_name = request.hand;
  }
  if (request.steps >= 0) {
    building.end();
    return run_without_page(scene, request);
  }
  if (const char* folder = std::getenv("XDG_RUNTIME_DIR"); folder && options.port > 0)
    options.token = view::kept_token(folder, options.port);
  tried([&] {
    // A second signal leaves its part.
    recorded(request, Recording::Writer::child, [&](const view::ViewOptions& how, Recording*) {
      return view::serve(scene, how, ready, interrupted);
    });
  });
  return interrupted() ? kInterrupted : kSuccess;
}

}  // namespace

void add_view(CLI::App& program, const Globals& globals, int& exit) {
  CLI::App* command = program.add_subcommand("view", "Watch a scene or a recording in the browser");
  const auto request = std::make_shared<ViewRequest>();
  command
      ->add_option("SCENE|FILE", request->what,
                   "Built-in scene (perpend scenes), a scene file or a model (perpend import), -: "
                   "standard input [wall]; or one or two recordings")
      ->expected(0, 2);
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
      ->add_option("--max-iterations", request->step.solve.max_iterations,
                   "Iteration limit of a solve at the start")
      ->transform(cli::whole(1, 1000000))
      ->type_name("N")
      ->capture_default_str();
  add_correct(*command, request->step.correct);
  command
      ->add_option("--pane", request->panes,
                   "One of several runs beside each other under one hand, two to four times: a "
                   "solver or bullet, with at most N iterations a step and no correction after it")
      ->type_name("NAME[@N]")
      ->allow_extra_args(false);
  command->add_flag("--panes", request->papers,
                    "The panes of Silcowitz et al.: --pane box/pgs@50 --pane box/nncg@50");
  command
      ->add_option("--hand", request->hand,
                   "Repeat what a person did: a file that the page has saved (docs/view.md)")
      ->type_name("FILE.json");
  add_scene_options(*command, request->scene_options);
  command
      ->add_option("--steps", request->steps,
                   "Make N steps without a page and print the state hash")
      ->transform(cli::whole(0))
      ->type_name("N");
  command
      ->add_option("--out", request->out,
                   "Record the run, hands included; with a page, when it is closed by Ctrl-C")
      ->type_name("FILE.h5");
  add_animate_options(*command, request->animate);
  add_look_options(*command, request->look);
  add_time_plot_options(*command, request->over_time);
  command->add_option("--plot", request->plot, "What --plot-over-time names, of recordings")
      ->type_name("FILE.svg");
  add_share_options(*command, request->share);
  command
      ->add_option("--frames", request->frames,
                   "Frames of the page: K, A-B, most-contacts:N, or worst:N [all]")
      ->type_name("SELECTION")
      ->needs("--share");
  add_json(*command, request->json)->needs("--steps");
  command->footer(
      "Example:\n  perpend view wall\n"
      "  perpend view ragdolls --port 8000 --no-open\n"
      "  perpend view wall --panes\n"
      "  perpend view crates:7 --pane ncp/auto --pane ncp/pgs@20 --pane bullet\n"
      "  perpend view stack --hand pull.json --steps 300 --out pull.h5\n"
      "  perpend view bullet.h5 ours.h5\n"
      "  perpend view bullet.h5 ours.h5 --show forces --animate both.mp4\n"
      "  perpend view run.h5 --share run.html --frames worst:20");
  command->callback([request, &globals, &exit] { exit = run_view(*request, globals); });
}

}  // namespace perpend::app
