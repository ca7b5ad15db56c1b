// perpend simulate: a scene, step by step, in our world or in stock Bullet, and what it looked
// like.
#include <cmath>
#include <iostream>
#include <memory>
#include <new>

#include "animate.hpp"
#include "beside.hpp"
#include "command.hpp"
#include "common_options.hpp"
#include "contact_model.hpp"
#include "interrupt.hpp"
#include "json.hpp"
#include "output.hpp"
#include "perpend/base.hpp"
#include "perpend/cli.hpp"
#include "perpend/io.hpp"
#include "perpend/io/snapshots.hpp"
#include "perpend/sim.hpp"
#include "picture.hpp"
#include "progress_bar.hpp"
#include "recording.hpp"
#include "refine.hpp"
#include "scene_argument.hpp"
#include "share.hpp"
#include "solver_options.hpp"
#include "table.hpp"
#include "time_plot.hpp"

namespace perpend::app {
namespace {

struct SimulateRequest {
  std::string scene, engine = "perpend", stepper = "st", contacts, out;
  std::string effort = name(StepOptions().effort);
  SceneOptions scene_options;
  SolverOptions solver{StepOptions().solver, StepOptions().solve};
  std::string save, restore, beside;
  long steps = -1, save_at = -1, hash_every = 0;
  double h = 0, max_push = 0;
  int correct = StepOptions().correct;
  bool cold = false, json = false, nonconvex = false, conjunctive = false;
  RefineRequest refine;
  PictureRequest picture;
  AnimateRequest animate;
  LookRequest look;
  TimePlotRequest over_time;
  bool watched() const { return picture.asked() || animate.asked() || over_time.asked(); }
  ShareRequest share;
};

Json times(const StepTimes& t) {
  return Json{{"median", number(t.median)},
              {"p99", number(t.p99)},
              {"worst", number(t.worst)},
              {"worst_step", t.worst_step}};
}

std::string words(const StepTimes& t) {
  return "median " + brief(t.median) + ", 99th percentile " + brief(t.p99) + ", worst " +
         brief(t.worst) + " (step " + std::to_string(t.worst_step) + ")";
}

// Under names of their own: the run's `max_penetration` is that of the new poses.
Json errors_of_steps(const Errors& values) {
  Json object = errors(values);
  if (const auto found = object.find("max_penetration"); found != object.end()) {
    object["predicted_penetration"] = *found;
    object.erase("max_penetration");
  }
  return object;
}

Json run_document(const Summary& s) {
  Json work = Json::object(), paths = Json::object();
  for (std::size_t w = 0; w < kWorks; ++w)
    if (s.work[w] > 0) work[std::string(name(static_cast<Work>(w)))] = s.work[w];
  for (const auto& [path, count] : s.paths) paths[path] = count;
  Json object = {{"format_version", kJsonVersion},
                 {"scene", s.scene},
                 {"engine", s.engine},
                 {"solver", s.solver}};
  if (!s.stepper.empty()) object["stepper"] = s.stepper;
  if (!s.contacts.empty()) object["contacts"] = s.contacts;
  if (!s.effort.empty()) object["effort"] = s.effort;
  object.update(Json{{"dt", s.h},
                     {"steps", s.steps},
                     {"bodies", s.bodies},
                     {"moving", s.moving},
                     {"contacts_max", s.contacts_max},
                     {"joint_rows", s.joint_rows_max},
                     {"drift", number(s.drift)},
                     {"sag", number(s.sag)},
                     {"turn", number(s.turn)},
                     {"creep", number(s.creep)},
                     {"max_penetration", number(s.max_penetration)},
                     {"max_penetration_last_second", number(s.max_penetration_last_second)},
                     {"max_joint_violation", number(s.max_joint_violation)},
                     {"max_joint_violation_last_second", number(s.max_joint_violation_last_second)},
                     {"errors", errors_of_steps(s.errors)},
                     {"kinetic_energy", number(s.kinetic_energy)},
                     {"fell", s.fell},
                     {"stopped", s.stopped},
                     {"state_hash", hexadecimal(s.state_hash)}});
  if (!s.message.empty()) object["message"] = s.message;
  if (!s.worst.empty())
    object["worst"] = Json{{"step", s.worst_step},
                           {"where", s.worst},
                           {"residual", number(s.worst_residual)},
                           {"unit", s.worst_unit}};
  if (s.first_step > 0) object["restored_at"] = s.first_step;
  if (!s.hashes.empty()) {
    object["hashes"] = Json::array();
    for (const auto& [step, hash] : s.hashes)
      object["hashes"].push_back(Json{{"step", step}, {"hash", hexadecimal(hash)}});
  }
  Json seconds = Json::object();
  for (const auto& [key, value] :
       {std::pair{"collision", s.seconds.collision},
        std::pair{"formulation", s.seconds.formulation}, std::pair{"solver", s.seconds.solver},
        std::pair{"correction", s.seconds.correction}, std::pair{"total", s.seconds.total}})
    if (!std::isnan(value)) seconds[key] = value;
  object["seconds"] = seconds;
  object["step_ms"] = times(s.step_ms);
  object["step_cpu_ms"] = times(s.step_cpu_ms);
  if (s.engine == "perpend") {
    object["iterations"] = s.iterations;
    object["iterations_max"] = s.iterations_max;
    object["work"] = work;
    object["sweeps"] = Json{{"total", number(s.sweeps)}, {"max", number(s.sweeps_max)}};
    object["paths"] = paths;
    object["islands"] = s.islands;
    object["unconverged"] = s.unconverged;
    object["capped"] = s.capped;
    object["unconverged_steps"] = s.unconverged_steps;
    object["retries"] = s.retries;
    object["corrected"] = s.corrected;
    object["settled"] = s.settled;
    if (s.held > 0) {
      Json open = Json::array();
      for (const OpenRow& one : s.held_rows)
        open.push_back(Json{{"where", one.where}, {"open", number(one.open)}, {"unit", one.unit}});
      object["held"] = Json{{"islands", s.held}, {"steps", s.held_steps}, {"open", open}};
    }
    if (!s.notes.empty()) object["notes"] = s.notes;
  }
  return object;
}

void print_run(const Summary& s) {
  for (const auto& [step, hash] : s.hashes)
    std::cout << "step " << step << ": state hash " << hexadecimal(hash) << "\n";
  Table table;
  table.column(s.scene, Table::Align::left);
  table.column(s.engine, Table::Align::left);
  const auto row = [&](const char* what, const std::string& value) { table.row({what, value}); };
  const auto unit = [](double value, const char* of) {
    return std::isnan(value) ? std::string("-") : brief(value) + " " + of;
  };
  row("solver", s.solver + (s.stepper.empty() ? "" : ", stepper " + s.stepper) +
                    (s.contacts.empty() ? "" : ", contacts " + s.contacts) +
                    (s.effort.empty() ? "" : ", effort " + s.effort));
  row("steps", std::to_string(s.steps) + " of " + unit(s.h, "s") +
                   (s.first_step > 0 ? ", restored at " + std::to_string(s.first_step) : ""));
  row("bodies",
      std::to_string(s.moving) + " moving, " + std::to_string(s.bodies - s.moving) + " fixed");
  row("contacts, joint rows",
      std::to_string(s.contacts_max) + ", " + std::to_string(s.joint_rows_max) + " at most");
  row("drift", std::isnan(s.drift) ? "- (never came to rest)" : unit(s.drift, "m"));
  row("sag", unit(s.sag, "m"));
  row("turn", unit(s.turn, "rad"));
  row("creep", unit(s.creep, "m/s"));
  row("fell", s.fell ? "yes" : "no");
  row("penetration",
      unit(s.max_penetration, "m, last second ") + unit(s.max_penetration_last_second, "m"));
  if (s.joint_rows_max > 0 || s.max_joint_violation > 0)
    row("joint violation", unit(s.max_joint_violation, "m, last second ") +
                               unit(s.max_joint_violation_last_second, "m"));
  row("kinetic energy", unit(s.kinetic_energy, "J"));
  if (s.errors.has(Measure::velocity_error))
    row("velocity_error, worst", unit(s.errors[Measure::velocity_error], "m/s"));
  if (!s.worst.empty())
    row("worst", brief(s.worst_residual) + " " + std::string(s.worst_unit) + ": " + s.worst +
                     " (step " + std::to_string(s.worst_step) + ")");
  if (s.joint_rows_max > 0 && s.errors.has(Measure::joint_error))
    row("joint_error, joint_turn_error, worst",
        unit(s.errors[Measure::joint_error], "m/s, ") +
            unit(s.errors[Measure::joint_turn_error], "rad/s"));
  if (s.errors.has(Measure::max_penetration))
    row("predicted overlap, worst", unit(s.errors[Measure::max_penetration], "m"));
  row("ms per step", words(s.step_ms));
  row("processor ms per step", words(s.step_cpu_ms));
  if (s.engine == "perpend") {
    const double total = s.seconds.total > 0 ? s.seconds.total / 100 : 1;
    row("time", "collision " + brief(s.seconds.collision / total) + " %, formulation " +
                    brief(s.seconds.formulation / total) + " %, solver " +
                    brief(s.seconds.solver / total) + " %");
    std::string work = std::to_string(s.iterations) + " iterations (at most " +
                       std::to_string(s.iterations_max) + " a step)";
    for (std::size_t w = 0; w < kWorks; ++w)
      if (s.work[w] > 0)
        work += ", " + std::to_string(s.work[w]) + " " + std::string(name(static_cast<Work>(w)));
    row("work", work);
    row("work, in sweeps",
        brief(s.sweeps / std::max(1.0, static_cast<double>(s.steps - s.first_step))) +
            " a step, at most " + brief(s.sweeps_max));
    std::string paths;
    for (const auto& [path, count] : s.paths)
      paths += (paths.empty() ? "" : ", ") + (path == "start" ? "the warm start" : path) + " " +
               std::to_string(count);
    row("islands solved by", paths.empty() ? "none" : paths);
    row("not converged",
        std::to_string(s.unconverged) + " of " + std::to_string(s.islands) + " islands, in " +
            std::to_string(s.unconverged_steps) + " steps" +
            (s.capped > 0 ? "; " + std::to_string(s.capped) + " stopped at the limit of work"
                          : ""));
    std::string open;
    for (const OpenRow& one : s.held_rows)
      open += (open.empty() ? "" : ", ") + one.where + " by " + unit(one.open, one.unit.data());
    if (s.held > 0)
      row("held open", "in " + std::to_string(s.held_steps) + " steps; in the last one " + open);
  }
  row("state hash", hexadecimal(s.state_hash));
  table.print(std::cout);
}

void prepare_snapshots(const SimulateRequest& request, const Scene& scene,
                       SimulateOptions& options) {
  const bool snapshots = !request.save.empty() || !request.restore.empty();
  if (snapshots && request.engine != "perpend")
    throw UsageError("--save, --restore: only with --engine perpend");
  if (request.save_at >= 0 && request.save.empty())
    throw UsageError("--save-at: needs --save FILE");
  const Index steps = options.steps >= 0 ? options.steps : scene.steps;
  Index from = 0;
  if (!request.restore.empty()) {
    options.restore = io::read_snapshot(request.restore);
    from = options.restore->step;
    if (from > steps)
      throw UsageError("--restore: " + request.restore + " was saved after step " +
                       std::to_string(from) + ", but the run ends at step " +
                       std::to_string(steps));
    if (options.restore->scene != scene.name)
      throw io::InputError(request.restore + ": scene: \"" + options.restore->scene + "\", not \"" +
                           scene.name + "\"");
  }
  if (request.save.empty()) return;
  if (request.save_at > steps || (request.save_at >= 0 && request.save_at < from))
    throw UsageError("--save-at: the run goes from step " + std::to_string(from) + " to " +
                     std::to_string(steps));
  claim(io::destination_of(request.save));
  options.save_at = request.save_at;
  options.save = [path = request.save](const Snapshot& state) {
    if (const std::string why = invalid(state); !why.empty())
      throw io::InputError(path + ": " + why);
    write_output(path, io::to_json(state));
  };
}

std::string what(const std::exception& error) {
  return dynamic_cast<const std::bad_alloc*>(&error) ? "out of memory" : error.what();
}

// Of a step of the scene, for a budget in milliseconds: those at the start, or as many as bodies
// have that lie in a heap.
Index expected_contacts(const Scene& scene) {
  constexpr Index kEach = 4;
  Index moving = 0;
  for (const Body& body : scene.bodies) moving += body.mass > 0;
  return std::max(first_frame(scene).contacts.count(), kEach * moving);
}

ContactModel contacts(const SimulateRequest& request) {
  const int given = (request.contacts.empty() ? 0 : 1) + (request.nonconvex ? 1 : 0) +
                    (request.conjunctive ? 1 : 0);
  if (given > 1) throw UsageError("give only one of --contacts, --nonconvex and --conjunctive");
  if (request.nonconvex) return ContactModel::nonconvex;
  if (request.conjunctive) return ContactModel::conjunctive;
  if (request.contacts.empty()) return StepOptions().contacts;
  if (const auto model = contact_model(request.contacts)) return *model;
  throw UsageError("--contacts: '" + request.contacts +
                   "' is not one-direction, nonconvex or conjunctive");
}

// What belongs together is there.
void check_watching(const SimulateRequest& request) {
  if (!request.picture.asked() && request.picture.any())
    throw UsageError("--at, --strobe: need --picture FILE");
  if (!request.animate.asked() && request.animate.any())
    throw UsageError("--fps, --slow, --from, --width: need --animate FILE");
  if (!request.picture.asked() && !request.animate.asked() && request.look.any())
    throw UsageError("--view, --show, --solid: need --picture FILE or --animate FILE");
  if (!request.watched() && !request.beside.empty())
    throw UsageError("--beside: needs --picture FILE, --animate FILE or --plot-over-time");
  if (!request.beside.empty() && (!request.save.empty() || !request.restore.empty()))
    throw UsageError("--beside makes two runs; --save and --restore need a single one");
  if (request.over_time.asked() && request.refine.plot.empty())
    throw UsageError("--plot-over-time: needs --plot FILE.svg");
  if (!request.refine.plot.empty() && request.refine.halvings == 0 && !request.over_time.asked())
    throw UsageError("--plot: needs --refine N or --plot-over-time WHAT");
}

using Watchers = std::vector<std::unique_ptr<Watcher>>;

Watchers watchers(const SimulateRequest& request, const Scene& scene,
                  const SimulateOptions& options, const Globals& globals) {
  const Look look = look_of(request.look);
  const double h = options.h > 0 ? options.h : scene.step;
  const auto steps = static_cast<double>(options.steps >= 0 ? options.steps : scene.steps);
  Watchers out;
  if (request.picture.asked())
    out.push_back(std::make_unique<Pictures>(request.picture, look, scene, options));
  if (request.animate.asked())
    out.push_back(std::make_unique<Animation>(request.animate, look, h * steps, globals));
  if (request.over_time.asked())
    out.push_back(std::make_unique<TimePlot>(request.over_time, request.refine.plot, globals));
  return out;
}

void watch(SimulateOptions& options, const Watchers& watching, const Scene& scene,
           const std::string& title) {
  if (watching.empty()) return;
  for (const auto& one : watching) one->run(scene, title);
  options.watch = [&watching](const Moment& moment) {
    for (const auto& one : watching) one->see(moment);
  };
}

// What stock Bullet keeps to itself.
void tell_unknown(const SimulateRequest& request, const SimulateOptions& options,
                  const Globals& globals) {
  if (options.engine != "bullet" || request.look.show.find("error") == std::string::npos) return;
  note(globals, "stock Bullet does not tell the errors of its contacts: their marks are grey");
}

int run_simulate(SimulateRequest& request, const Globals& globals) {
  const Patient patient;
  Impatient building;  // until a step is being solved
  SimulateOptions options;
  options.engine = request.engine;
  if (request.engine != "perpend" && request.engine != "bullet")
    throw UsageError("--engine: unknown engine '" + request.engine + "'; choose perpend or bullet");
  if (request.stepper != "st" && request.stepper != "ap")
    throw UsageError("--stepper: '" + request.stepper + "' is neither st nor ap");
  const std::vector<const SolverInfo*> chosen = request.solver.chosen();
  if (chosen.size() != 1) throw UsageError("--solver: simulate takes one solver");
  options.step.solver = chosen.front()->name;
  options.step.solve = request.solver.options(*chosen.front(), globals, chosen);
  options.step.solve.cancelled = [&] {
    building.end();
    return interrupted();
  };
  options.step.stepper = request.stepper == "ap" ? Stepper::ap : Stepper::st;
  options.step.correct = request.correct;
  options.step.contacts = contacts(request);
  options.step.warm = !request.cold;
  if (request.max_push > 0) options.step.max_push = request.max_push;
  options.h = request.h;
  options.threads = globals.threads;
  options.steps = request.steps;
  if (request.scene == "-" && request.restore == "-")
    throw UsageError("-: standard input can be read only once");
  const Scene scene = scene_argument(request.scene, globals, request.scene_options);
  options.step.effort =
      effort_of(request.effort, globals, [&] { return expected_contacts(scene); });
  if (!chosen.front()->joints && !scene.joints.empty())
    throw UsageError(options.step.solver + " does not accept joints, and " + scene.name +
                     " has them");

  check_watching(request);
  if (request.refine.halvings > 0) {
    if (!request.out.empty() || request.watched() || !request.share.page.empty())
      throw UsageError(
          "--refine makes several runs; --out, --share, --picture, --animate and --plot-over-time "
          "need a single one");
    if (!request.save.empty() || !request.restore.empty() || request.hash_every > 0)
      throw UsageError(
          "--refine makes several runs; --save, --restore and --hash-every need a "
          "single one");
    return run_refine(request.refine, scene, options, request.json, globals);
  }

  options.hash_every = request.hash_every;
  prepare_snapshots(request, scene, options);
  std::unique_ptr<Recording> file;
  if (!request.out.empty()) {
    if (request.engine != "perpend")
      throw UsageError("--out: to record Bullet, use perpend capture bullet");
    check_target(request.out);
    file = std::make_unique<Recording>(request.out, Recording::Writer::here);
    options.out = file->path();
  }
  std::unique_ptr<SharedPage> page;
  std::unique_ptr<ScratchRecording> scratch;
  if (!request.share.page.empty()) {
    if (request.engine != "perpend")
      throw UsageError(
          "--share: to share a run of Bullet, use perpend capture bullet, then perpend view "
          "--share");
    page = std::make_unique<SharedPage>(request.share);
    if (!file) {
      scratch = std::make_unique<ScratchRecording>();
      options.out = scratch->path();
    }
  }
  const Watchers watching = watchers(request, scene, options, globals);
  std::string title;
  if (!request.beside.empty()) {
    SimulateOptions other = other_run(request.beside, options);
    title = title_of(options, other);
    ProgressBar bar(globals, "steps of the run beside it",
                    request.steps >= 0 ? request.steps : scene.steps);
    watch(other, watching, scene, title_of(other, options));
    other.progress = [&](Index done, Index) {
      building.end();
      bar.show(done);
      return !interrupted();
    };
    tell_unknown(request, other, globals);
    simulate(scene, other);
  }
  watch(options, watching, scene, title);
  tell_unknown(request, options, globals);
  Summary summary;
  {
    ProgressBar bar(globals, "steps", request.steps >= 0 ? request.steps : scene.steps);
    options.progress = [&](Index done, Index) {
      if (file) file->has_frames();  // the first one is flushed at once
      building.end();
      bar.show(done);
      return !interrupted();
    };
    try {
      summary = simulate(scene, options);
      building.end();
    } catch (const SnapshotError& error) {
      throw io::InputError(request.restore + ": " + error.what());
    } catch (const std::exception& error) {
      if (!file) throw;
      throw Failure(file->about_target(what(error)) + "; " + file->end());
    }
  }
  std::string kept;
  if (file && summary.stopped)
    kept = "; " + file->end();
  else if (file)
    file->commit();
  for (const auto& one : watching) one->write();
  if (page && summary.steps > summary.first_step && !interrupted())
    page->write({{scratch ? scratch->path() : request.out, scene.name, {}}}, globals);
  request.json ? print(run_document(summary)) : print_run(summary);
  for (const std::string& told : summary.notes) note(globals, told);
  if (summary.unconverged_steps > 0)
    note(globals, std::to_string(summary.unconverged_steps) + " of " +
                      std::to_string(summary.steps) +
                      " steps did not converge; the last one: " + summary.message);
  if (interrupted()) {
    note(globals, "stopped by " + stopped_by() + " after " + std::to_string(summary.steps) +
                      " steps" + kept);
    return kInterrupted;
  }
  if (summary.stopped) {
    std::cerr << "perpend: " << summary.message << kept << '\n';
    return kFailed;
  }
  const bool limited = options.step.solve.time_limit > 0;
  return limited && summary.unconverged_steps > 0 ? kFailed : kSuccess;
}

}  // namespace

void add_simulate(CLI::App& program, const Globals& globals, int& exit) {
  CLI::App* command = program.add_subcommand("simulate", "Simulate a scene and measure the run");
  const auto request = std::make_shared<SimulateRequest>();
  command
      ->add_option("SCENE", request->scene,
                   "Built-in scene (perpend scenes), a scene file or a model (perpend import); -: "
                   "standard input")
      ->required();
  add_steps(*command, request->steps);
  add_dt(*command, request->h);
  add_scene_options(*command, request->scene_options);
  add_stepper(*command, request->stepper);
  command
      ->add_option(
          "--contacts", request->contacts,
          "At an edge or corner, enforce one-direction (one face, chosen before the step), "
          "nonconvex (one face, found in the step) or conjunctive (every face at once: the common "
          "model, which sticks at cracks) [one-direction]")
      ->type_name("CHOICE");
  // Old words for two of its choices.
  command->add_flag("--nonconvex", request->nonconvex)->group("");
  command->add_flag("--conjunctive", request->conjunctive)->group("");
  add_correct(*command, request->correct);
  add_effort(*command, request->effort);
  command
      ->add_option("--max-push", request->max_push,
                   "Push overlapping bodies apart at most this fast [1]")
      ->check(positive())
      ->type_name("M/S");
  command->add_flag("--cold", request->cold, "Start every solve from zero");
  command
      ->add_option("--engine", request->engine,
                   "perpend, or bullet (Bullet's own world with its defaults)")
      ->type_name("NAME")
      ->capture_default_str();
  command->add_option("--out", request->out, "Record every step in a standard file")
      ->type_name("FILE.h5");
  command
      ->add_option("--hash-every", request->hash_every,
                   "Print a hash of the state every N steps; equal runs have equal hashes")
      ->transform(cli::whole(1))
      ->type_name("N");
  command->add_option("--save", request->save, "Save the state, to continue later")
      ->type_name("FILE.json");
  command->add_option("--save-at", request->save_at, "Save after this step [the last]")
      ->transform(cli::whole(0))
      ->type_name("STEP");
  command
      ->add_option(
          "--restore", request->restore,
          "Continue from a saved state of this scene; --steps counts from the start of the run")
      ->type_name("FILE.json");
  add_picture_options(*command, request->picture);
  add_animate_options(*command, request->animate);
  add_look_options(*command, request->look);
  command
      ->add_option("--beside", request->beside,
                   "Also show another run: bullet, or a contact model (one-direction, nonconvex, "
                   "conjunctive)")
      ->type_name("WHAT");
  add_time_plot_options(*command, request->over_time);
  add_share_options(*command, request->share);
  add_refine_options(*command, request->refine);
  add_json(*command, request->json);
  request->solver.add(*command);
  command->footer(
      "Example:\n  perpend simulate stack:10\n"
      "  perpend simulate stack:10 --engine bullet\n"
      "  perpend simulate ragdolls --steps 300 --out ragdolls.h5\n"
      "  perpend simulate wall --steps 100 --share wall.html\n"
      "  perpend simulate wall --steps 100 --save wall.json\n"
      "  perpend simulate wall --steps 200 --restore wall.json\n"
      "  perpend simulate tower --at 2,4,6,8 --beside bullet --picture tower.png\n"
      "  perpend simulate crates:8 --steps 600 --beside bullet --animate crates.mp4\n"
      "  perpend simulate stack:5 --show forces,error --animate stack.gif\n"
      "  perpend simulate crates:8 --plot-over-time energy,force:ball --plot crates.svg\n"
      "  perpend simulate tower --steps 60 --refine 6 --plot tower.svg");
  command->callback([request, &globals, &exit] { exit = run_simulate(*request, globals); });
}

}  // namespace perpend::app
