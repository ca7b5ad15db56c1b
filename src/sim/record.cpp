#include "sim/record.hpp"

#include <charconv>
#include <cmath>

#include "perpend/measure.hpp"
#include "perpend/sim/recording.hpp"

namespace perpend::sim {
namespace {

// The shortest digits that read back to the same bits.
std::string text(double value) {
  char buffer[32];
  const std::to_chars_result end = std::to_chars(buffer, buffer + sizeof buffer, value);
  return std::string(buffer, end.ptr);
}

constexpr std::string_view kOwnOption = "set:";  // before the names of a solver's own options

class Ingredients {
 public:
  Ingredients(std::map<std::string, std::string> options, std::string where)
      : options_(std::move(options)), where_(std::move(where)) {}

  bool has(const std::string& name) const { return options_.count(name) > 0; }
  std::string take(const std::string& name) {
    const auto found = options_.find(name);
    if (found == options_.end()) fail(name, "is missing");
    std::string value = std::move(found->second);
    options_.erase(found);
    return value;
  }
  template <class Number>
  Number number(const std::string& name) {
    const std::string value = take(name);
    Number out{};
    const std::from_chars_result end =
        std::from_chars(value.data(), value.data() + value.size(), out);
    if (end.ec != std::errc() || end.ptr != value.data() + value.size())
      fail(name, "'" + value + "' is not a number that fits");
    return out;
  }
  double positive(const std::string& name) {
    const auto value = number<double>(name);
    if (!(value > 0)) fail(name, "not positive");
    return value;
  }
  template <class List>
  auto one_of(const std::string& option, const List& known) {
    const std::string value = take(option);
    for (const auto one : known)
      if (name(one) == value) return one;
    fail(option, "'" + value + "' is unknown");
  }
  // What is left: the solver's own.
  std::map<std::string, std::string> own() {
    std::map<std::string, std::string> out;
    for (const auto& [name, value] : options_) {
      if (name.rfind(kOwnOption, 0) != 0) fail(name, "is unknown");
      out[name.substr(kOwnOption.size())] = value;
    }
    return out;
  }
  [[noreturn]] void fail(const std::string& name, const std::string& what) const {
    throw io::InputError(where_ + ": " + name + ": " + what);
  }

 private:
  std::map<std::string, std::string> options_;
  std::string where_;
};

}  // namespace

Measured measured(const StepProblem& problem, const StepReport& report) {
  Measured out;
  out.system = assemble(problem.frame);
  const Index m = problem.frame.contacts.count();
  Rows3 z(m, 3);
  for (Index i = 0; i < m; ++i) z.row(i) = problem.impulses.segment<3>(3 * i).transpose();
  out.impulses = from_rows(out.system, z, problem.impulses.tail(problem.frame.joints.row_count()));
  out.errors = measure(out.system, out.impulses);
  out.errors[Measure::own_error] = report.errors[Measure::own_error];
  return out;
}

io::Record record_of(double time, const StepProblem& problem, const StepReport& report,
                     const Measured& answer) {
  io::Record record;
  record.frame = problem.frame;
  record.frame.time = time;
  record.joint_ids = problem.joint_ids;
  const Index m = record.frame.contacts.count();
  record.answer.velocities_plus = problem.velocities_plus;
  record.answer.z = contact_rows(answer.system, answer.impulses);
  record.answer.z_joints = problem.impulses.tail(record.frame.joints.row_count());
  record.answer.iterations = report.iterations;
  record.answer.errors = answer.errors;
  const std::vector<std::int8_t> modes = slide_or_stick(answer.system, answer.impulses);
  record.answer.slide_or_stick.assign(static_cast<std::size_t>(m), 0);
  for (std::size_t i = 0; i < modes.size(); ++i)
    record.answer.slide_or_stick[static_cast<std::size_t>(answer.system.frame_contact[i])] =
        modes[i];
  record.timing.collision = report.collision_seconds;
  record.timing.formulation = report.formulation_seconds;
  record.timing.solver = report.solver_seconds;
  record.timing.total = report.total_seconds;
  return record;
}

std::map<std::string, std::string> recipe(const SimulateOptions& options, double h, Index steps) {
  const StepOptions& step = options.step;
  std::map<std::string, std::string> out{
      {"engine", options.engine},
      {"dt", text(h)},
      {"steps", std::to_string(steps)},
      {"solver", step.solver},
      {"effort", name(step.effort)},
      {"stepper", std::string(name(step.stepper))},
      {"contacts", std::string(name(step.contacts))},
      {"correct", std::to_string(step.correct)},
      {"max_push", text(step.max_push)},
      {"warm", step.warm ? "true" : "false"},
      {"tolerance", text(step.solve.tolerance)},
      {"error", std::string(name(step.solve.error))},
      {"max_iterations", std::to_string(step.solve.max_iterations)},
      {"time_limit", text(step.solve.time_limit)},
      {"memory_limit", text(step.solve.memory_limit)},
      {"facets", std::to_string(step.solve.facets)},
      {"seed", std::to_string(step.solve.seed)}};
  for (const auto& [name, value] : step.solve.set) out[std::string(kOwnOption) + name] = value;
  return out;
}

SimulateOptions from_recipe(std::map<std::string, std::string> options, const std::string& where) {
  Ingredients from(std::move(options), where);
  SimulateOptions out;
  StepOptions& step = out.step;
  out.engine = from.take("engine");
  if (out.engine != "perpend") from.fail("engine", "'" + out.engine + "' cannot be run again here");
  out.h = from.positive("dt");
  out.steps = from.number<Index>("steps");
  step.solver = from.take("solver");
  const SolverInfo* info = solver_named(step.solver);
  if (!info) from.fail("solver", "this program has no solver '" + step.solver + "'");
  if (from.has("effort")) {  // absent in older recordings
    const std::string text = from.take("effort");
    const std::optional<Effort> effort = effort_named(text);
    if (!effort) from.fail("effort", "'" + text + "' is neither exact, real-time nor a number");
    step.effort = *effort;
  }
  step.stepper = from.one_of("stepper", std::array{Stepper::st, Stepper::ap});
  step.contacts = from.one_of(
      "contacts",
      std::array{ContactModel::one_direction, ContactModel::nonconvex, ContactModel::conjunctive});
  step.correct = from.number<int>("correct");
  step.max_push = from.positive("max_push");
  const std::string warm = from.take("warm");
  if (warm != "true" && warm != "false") from.fail("warm", "neither true nor false");
  step.warm = warm == "true";
  step.solve.tolerance = from.number<double>("tolerance");
  const std::string error = from.take("error");
  bool known = false;
  for (const MeasureInfo& one : measures())
    if (one.name == error) {
      step.solve.error = one.measure;
      known = true;
    }
  if (!known) from.fail("error", "'" + error + "' is unknown");
  step.solve.max_iterations = from.number<long>("max_iterations");
  step.solve.time_limit = from.number<double>("time_limit");
  step.solve.memory_limit = from.number<double>("memory_limit");
  step.solve.facets = from.number<Index>("facets");
  step.solve.seed = from.number<std::uint64_t>("seed");
  step.solve.set = from.own();
  if (const std::string why = invalid(step.solve, *info); !why.empty()) from.fail("solver", why);
  return out;
}

}  // namespace perpend::sim

namespace perpend {
namespace {

// What the solver's formulation makes of Coulomb's cone.
std::string friction_model(const StepOptions& step) {
  const std::string_view formulation =
      std::string_view(step.solver).substr(0, step.solver.find('/'));
  if (formulation == "lcp" || formulation == "mlcp")
    return "pyramid, " + std::to_string(step.solve.facets) + " facets";
  if (formulation == "box") return "box";
  if (formulation == "normal") return "frictionless";
  return "coulomb";
}

}  // namespace

io::Header recording_header(const Scene& scene, const SimulateOptions& options, double h,
                            Index steps, const std::string& hand) {
  io::Header out;
  out.engine_version = sim::version();
  out.scene = scene.name;
  out.stepper = options.step.stepper;
  out.friction_model = friction_model(options.step);
  out.scene_json = io::to_json(scene);
  out.format_version = has_wide_mimic(scene) ? 3 : has_compliance(scene) ? 2 : 1;
  std::map<std::string, std::string> recipe = sim::recipe(options, h, steps);
  if (!hand.empty()) recipe["hand"] = hand;
  out.simulate = io::recipe_json(recipe);
  return out;
}

io::ModelColumns model_of(const Scene& scene, const Bodies& bodies, double time) {
  return io::model_of(scene, io::body_ids(scene, 1), bodies, time);
}

io::Record recorded_step(double time, const StepProblem& problem, const StepReport& report) {
  return sim::record_of(time, problem, report, sim::measured(problem, report));
}

}  // namespace perpend
