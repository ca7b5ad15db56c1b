// A recording simulated again and compared with itself, frame by frame and bit for bit.
#include <bit>
#include <cstring>

#include "perpend/io.hpp"
#include "sim/build.hpp"
#include "sim/record.hpp"

namespace perpend {
namespace {

// The first number of two columns that differs; both are written as `field` in the file.
class Comparison {
 public:
  explicit Comparison(Index frame) : frame_(frame) {}

  void count(const char* field, Index recorded, Index now) {
    if (!first_ && recorded != now)
      first_ = {frame_, field, -1, static_cast<double>(recorded), static_cast<double>(now)};
  }
  template <class Column>
  void column(const char* field, const Column& recorded, const Column& now) {
    if (first_) return;
    const auto rows = static_cast<Index>(recorded.rows());
    count(field, rows, static_cast<Index>(now.rows()));
    for (Index i = 0; i < rows && !first_; ++i)
      for (Index k = 0; k < recorded.cols() && !first_; ++k)
        number(field, i, recorded(i, k), now(i, k));
  }
  void column(const char* field, const Integers& recorded, const Integers& now) {
    if (first_) return;
    count(field, static_cast<Index>(recorded.size()), static_cast<Index>(now.size()));
    for (std::size_t i = 0; i < recorded.size() && !first_; ++i)
      if (recorded[i] != now[i])
        first_ = {frame_, field, static_cast<Index>(i), static_cast<double>(recorded[i]),
                  static_cast<double>(now[i])};
  }
  std::optional<Rerun::Difference> first() const { return first_; }

 private:
  void number(const char* field, Index row, double recorded, double now) {
    if (std::bit_cast<std::uint64_t>(recorded) != std::bit_cast<std::uint64_t>(now))
      first_ = {frame_, field, row, recorded, now};
  }
  void number(const char* field, Index row, std::int64_t recorded, std::int64_t now) {
    if (recorded != now)
      first_ = {frame_, field, row, static_cast<double>(recorded), static_cast<double>(now)};
  }

  Index frame_;
  std::optional<Rerun::Difference> first_;
};

std::optional<Rerun::Difference> compare(Index number, const io::Record& old,
                                         const io::Record& now) {
  Comparison c(number);
  const Frame &a = old.frame, &b = now.frame;
  c.column("/step", VectorXd::Constant(1, a.step), VectorXd::Constant(1, b.step));
  c.column("/bodies/ids", a.bodies.ids, b.bodies.ids);
  c.column("/bodies/masses", a.bodies.masses, b.bodies.masses);
  c.column("/bodies/positions", a.bodies.positions, b.bodies.positions);
  c.column("/bodies/quaternions", a.bodies.quaternions, b.bodies.quaternions);
  c.column("/bodies/velocities", a.bodies.velocities, b.bodies.velocities);
  c.column("/bodies/inertia", a.bodies.inertia, b.bodies.inertia);
  c.column("/bodies/forces", a.bodies.forces, b.bodies.forces);
  c.column("/contacts/pairs", a.contacts.pairs, b.contacts.pairs);
  c.column("/contacts/ids", a.contacts.ids, b.contacts.ids);
  c.column("/contacts/gap", a.contacts.gap, b.contacts.gap);
  c.column("/contacts/normals", a.contacts.normals, b.contacts.normals);
  c.column("/contacts/points", a.contacts.points, b.contacts.points);
  c.column("/contacts/mu", a.contacts.mu, b.contacts.mu);
  c.column("/constraints/pairs", a.joints.pairs, b.joints.pairs);
  c.column("/constraints/jacobian", a.joints.jacobian, b.joints.jacobian);
  c.column("/constraints/violation", a.joints.violation, b.joints.violation);
  c.column("/solution/z", old.answer.z, now.answer.z);
  c.column("/solution/z_joints", old.answer.z_joints, now.answer.z_joints);
  c.column("/bodies/velocities_plus", old.answer.velocities_plus, now.answer.velocities_plus);
  return c.first();
}

}  // namespace

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
  sim::Built built(scene, options.h, sim::Built::Engine::perpend);
  ThreadPool pool(threads);
  built.ours()->set_executor(pool);
  built.ours()->options() = options.step;
  double time = 0;
  built.ours()->on_step([&](const StepProblem& problem, const StepReport& report) {
    if (out.frames < reader.frames()) {
      const io::Record old = reader.read(out.frames);
      if (old.frame.time == time) {  // a recording may leave steps out
        out.first = compare(out.frames, old,
                            sim::record_of(time, problem, report, sim::measured(problem, report)));
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
