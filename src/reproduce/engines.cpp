#include "reproduce/engines.hpp"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <stdexcept>
#include <thread>

#include "perpend/host.hpp"
#include "perpend/io.hpp"

namespace perpend::reproduce {
namespace {

namespace fs = std::filesystem;

// What the recorder said last, in words: {"error": "..."}.
std::string complaint(const fs::path& said) {
  std::ifstream file(said);
  std::string line, last;
  while (std::getline(file, line)) last = line;
  const std::string begin = "{\"error\":\"";
  if (!last.starts_with(begin) || !last.ends_with("\"}")) return "";
  return last.substr(begin.size(), last.size() - begin.size() - 2);
}

// Returns why there is no file. The recorder's own errors count as that too: what an engine cannot
// run is a result.
std::string record_in_engine(const WorldTask& task, const fs::path& folder, const fs::path& out,
                             const Settings& settings) {
  const World& world = task.world;
  std::string program;
  try {
    if (!settings.recorder) throw std::runtime_error("no recorder of " + world.engine + " is set");
    program = settings.recorder(world.engine);
  } catch (const std::exception& error) {
    return error.what();
  }
  const fs::path scene = folder / "scene.json", said = folder / "said", noise = folder / "noise";
  io::write_scene(task.scene, scene);
  constexpr int kNew = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC;
  const int output = open(said.c_str(), kNew, 0600), error = open(noise.c_str(), kNew, 0600);
  host::Environment environment;
  host::Child child;
  const int failed =
      child.start({program, scene, "--out", out, "--solver", world.solver, "--steps",
                   std::to_string(task.steps), "--max-iterations", std::to_string(task.iterations)},
                  environment, -1, output, error);
  close(output);
  close(error);
  if (failed) return program + " cannot be started";
  host::ExitStatus how;
  while (!child.ended(how)) {
    if (settings.cancelled && settings.cancelled()) child.signal(SIGTERM);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  if (how.status == 0) return "";
  const std::string why = complaint(said);
  return "The recorder of " + world.engine + " ended: " + (why.empty() ? how.words() : why);
}

void record_ours(const WorldTask& task, const fs::path& out, const Settings& settings) {
  SimulateOptions options;
  options.step = limited(solver(settings, task.world.solver), task.iterations);
  options.step.correct = StepOptions().correct;  // engines are taken as they are, and so is ours
  options.step.max_push = std::numeric_limits<double>::infinity();  // sweeps alone: nothing is held
  options.steps = task.steps;
  options.out = out;
  simulated(task.scene, options, settings);
}

// What cannot be measured, as after an explosion, is infinitely wrong.
double error_of(const io::Record& record, Measure measure) {
  const double error = record.answer.errors[measure];
  return std::isfinite(error) ? error : std::numeric_limits<double>::infinity();
}

// Where the body is along gravity, m.
double depth(const Scene& scene, const io::Record& record, std::int64_t id) {
  const Bodies& bodies = record.frame.bodies;
  for (std::size_t i = 0; i < bodies.ids.size(); ++i)
    if (bodies.ids[i] == id)
      return bodies.positions.row(static_cast<Index>(i)).dot(scene.gravity.normalized());
  return std::numeric_limits<double>::quiet_NaN();
}

WorldRun errors_of(const WorldTask& task, const fs::path& file, const Settings& settings) {
  // Recorders count bodies from 0, our simulator from 1.
  const auto ids = io::body_ids(task.scene, task.world.engine.empty() ? 1 : 0);
  const io::FrameReader reader(file);
  WorldRun out;
  double start = 0;
  for (Index i = 0; i < reader.frames(); ++i) {
    go_on(settings);
    io::Record record = reader.read(i);
    out.times.push_back(record.frame.time);
    out.rms.push_back(error_of(record, Measure::rms_violation));
    out.own.push_back(error_of(record, Measure::own_error));
    out.open.push_back(left_open(record.frame));
    if (task.watched >= 0) {
      const double now = depth(task.scene, record, ids[static_cast<std::size_t>(task.watched)]);
      if (i == 0) start = now;
      out.sunk = now - start;
    }
    if (task.keep_every > 0 && i % task.keep_every == 0)
      out.kept.push_back(std::move(record.frame));
  }
  return out;
}

}  // namespace

double left_open(const Frame& frame) {
  double sum = frame.contacts.gap.cwiseMin(0).squaredNorm();
  Index rows = frame.contacts.count();
  for (Index i = 0; i < frame.joints.row_count(); ++i) {
    const double low = frame.joints.bounds(i, 0), high = frame.joints.bounds(i, 1);
    if (std::isfinite(low) && std::isfinite(high) && low < 0 && high > 0) continue;  // a motor
    double open = frame.joints.violation[i];
    if (low >= 0) open = std::min(open, 0.0);
    if (high <= 0) open = std::max(open, 0.0);
    sum += open * open;
    ++rows;
  }
  return rows > 0 ? std::sqrt(sum / static_cast<double>(rows)) : 0;
}

std::vector<WorldRun> runs(const std::vector<WorldTask>& tasks, const Settings& settings) {
  std::vector<WorldRun> out(tasks.size());
  const OwnFolder folder;
  const auto of = [&](std::size_t i) { return folder.path / std::to_string(i); };
  // Engines beside each other, each in a process of its own; files one by one: HDF5 is not
  // thread-safe.
  for_each(settings, tasks.size(), [&](std::size_t i) {
    fs::create_directory(of(i));
    if (!tasks[i].world.engine.empty())
      out[i].missing = record_in_engine(tasks[i], of(i), of(i) / "run.h5", settings);
  });
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (tasks[i].world.engine.empty()) record_ours(tasks[i], of(i) / "run.h5", settings);
    if (out[i].missing.empty()) out[i] = errors_of(tasks[i], of(i) / "run.h5", settings);
    fs::remove_all(of(i));
    go_on(settings);
  }
  return out;
}

}  // namespace perpend::reproduce
