// A recording simulated again and compared with itself, frame by frame and bit for bit: every
// column of the list (perpend/io/columns.hpp) but the times.
#include "perpend/io/columns.hpp"
#include "perpend/sim/recording.hpp"
#include "sim/build.hpp"
#include "sim/record.hpp"

namespace perpend {
namespace sim {

std::string_view version() { return PERPEND_VERSION; }

}  // namespace sim

Repetition::Repetition(const std::string& path) : reader_(path) {
  const io::Header& header = reader_.header();
  if (header.simulate.empty() || header.scene_json.empty())
    throw io::InputError(path +
                         ": does not say how it was made (attributes scene_json and simulate), so "
                         "it cannot be simulated again; recordings of perpend simulate --out can");
  std::map<std::string, std::string> recipe = io::recipe_of(header, path);
  if (const auto found = recipe.find("hand"); found != recipe.end()) {
    hand_ = found->second;
    recipe.erase(found);
  }
  options_ = sim::from_recipe(std::move(recipe), path + ": attribute simulate");
  scene_ = io::scene_from_json(header.scene_json, path + ": attribute scene_json");
  if (!solver_named(options_.step.solver)->joints && !scene_.joints.empty())
    throw io::InputError(path + ": attribute simulate: solver: " + options_.step.solver +
                         " does not accept the scene's joints");
  out_.scene = scene_.name;
  out_.version = sim::version();
  out_.recorded_version = header.engine_version;
  whole_ = !header.state_hash.empty();  // else it was interrupted: fewer frames than steps
}

bool Repetition::goes_on() {
  if (out_.first || out_.stopped) return false;
  if (whole_ ? out_.steps >= options_.steps : out_.frames >= reader_.frames()) return false;
  if (out_.steps < options_.steps) return true;
  out_.first = {out_.frames, "/time", -1, reader_.read(out_.frames).frame.time, time_};
  return false;
}

void Repetition::add(double time, const StepProblem& problem, const StepReport& report) {
  time_ = time + problem.frame.step;
  if (out_.frames >= reader_.frames()) return;
  const io::Record old = reader_.read(out_.frames);
  if (old.frame.time < time) {
    out_.first = {out_.frames, "/time", -1, old.frame.time, time};
  } else if (old.frame.time == time) {  // a recording may leave steps out
    const io::Record now = recorded_step(time, problem, report);
    if (const auto found = io::difference(old, now))
      out_.first = {out_.frames, found->column, found->row, found->recorded, found->now};
    ++out_.frames;
  }
}

bool Repetition::made(const std::function<bool(Index done, Index of)>& progress) {
  ++out_.steps;
  out_.stopped = progress && !progress(out_.steps, options_.steps);
  return !out_.stopped;
}

Rerun Repetition::result(std::uint64_t state_hash) {
  if (out_.stopped) return out_;
  if (!out_.first && out_.frames < reader_.frames())
    out_.first = {out_.frames, "/time", -1, reader_.read(out_.frames).frame.time, time_};
  out_.state_hash = state_hash;
  if (whole_) out_.recorded_hash = reader_.header().state_hash;
  return out_;
}

Rerun rerun(const std::string& path, int threads,
            const std::function<bool(Index done, Index of)>& progress) {
  Repetition repetition(path);
  if (!repetition.hand().empty())
    throw io::InputError(path +
                         ": a hand was in this run; this program was built without perpend "
                         "view, which repeats it");
  sim::Built built(repetition.scene(), repetition.options().h, sim::Built::Engine::perpend);
  ThreadPool pool(threads);
  built.ours()->set_executor(pool);
  built.ours()->options() = repetition.options().step;
  double time = 0;
  built.ours()->on_step([&](const StepProblem& problem, const StepReport& report) {
    repetition.add(time, problem, report);
    time += problem.frame.step;
  });
  while (repetition.goes_on()) {
    built.step();
    if (!repetition.made(progress)) break;
  }
  return repetition.result(built.hash());
}

}  // namespace perpend
