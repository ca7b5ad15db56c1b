// A recording simulated again and compared with itself, frame by frame and bit for bit: every
// column of the list (perpend/io/columns.hpp) but the times.
#include "perpend/io/columns.hpp"
#include "sim/build.hpp"
#include "sim/record.hpp"

namespace perpend {
namespace sim {

std::string_view version() { return PERPEND_VERSION; }

}  // namespace sim

Rerun rerun(const std::string& path, int threads,
            const std::function<bool(Index done, Index of)>& progress) {
  const io::FrameReader reader(path);
  const io::Header& header = reader.header();
  if (header.simulate.empty() || header.scene_json.empty())
    throw io::InputError(path +
                         ": does not say how it was made (attributes scene_json and simulate), so "
                         "it cannot be simulated again; recordings of perpend simulate --out can");
  const SimulateOptions options =
      sim::from_recipe(io::recipe_of(header, path), path + ": attribute simulate");
  const Scene scene = io::scene_from_json(header.scene_json, path + ": attribute scene_json");
  if (!solver_named(options.step.solver)->joints && !scene.joints.empty())
    throw io::InputError(path + ": attribute simulate: solver: " + options.step.solver +
                         " does not accept the scene's joints");

  Rerun out;
  out.scene = scene.name;
  out.version = sim::version();
  out.recorded_version = header.engine_version;
  sim::Built built(scene, options.h, sim::Built::Engine::perpend);
  ThreadPool pool(threads);
  built.ours()->set_executor(pool);
  built.ours()->options() = options.step;
  double time = 0;
  built.ours()->on_step([&](const StepProblem& problem, const StepReport& report) {
    if (out.frames < reader.frames()) {
      const io::Record old = reader.read(out.frames);
      if (old.frame.time == time) {  // a recording may leave steps out
        const io::Record now =
            sim::record_of(time, problem, report, sim::measured(problem, report));
        if (const auto found = io::difference(old, now))
          out.first = {out.frames, found->column, found->row, found->recorded, found->now};
        ++out.frames;
      } else if (old.frame.time < time) {
        out.first = {out.frames, "/time", -1, old.frame.time, time};
      }
    }
    time += problem.frame.step;
  });
  // A run that was interrupted has fewer frames than steps, and no hash.
  const bool whole = !header.state_hash.empty();
  while (!out.first && (whole ? out.steps < options.steps : out.frames < reader.frames())) {
    if (out.steps >= options.steps) {
      out.first = {out.frames, "/time", -1, reader.read(out.frames).frame.time, time};
      break;
    }
    built.step();
    ++out.steps;
    if (progress && !progress(out.steps, options.steps)) {
      out.stopped = true;
      return out;
    }
  }
  if (!out.first && out.frames < reader.frames())
    out.first = {out.frames, "/time", -1, reader.read(out.frames).frame.time, time};
  out.state_hash = built.hash();
  if (whole) out.recorded_hash = header.state_hash;
  return out;
}

}  // namespace perpend
