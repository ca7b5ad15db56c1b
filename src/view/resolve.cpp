#include "view/resolve.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "perpend/measure.hpp"
#include "perpend/measure/velocity_errors.hpp"
#include "view/recording.hpp"

namespace perpend::view {
namespace {

constexpr double kMostBytes = 64e6;  // of all iterates of a solve
constexpr double kMostPoints = 4000;

// Iterations grow by this factor from one that is kept to the next: 1 where there is room for all.
double ratio_of(double bytes_each, double iterations) {
  const double room = std::clamp(kMostBytes / std::max(bytes_each, 1.0), 10.0, kMostPoints);
  return iterations <= room ? 1 : std::exp(std::log(iterations) / (room / 2));
}

float plain(double value) { return static_cast<float>(value); }

// In the order of the frame; -1: not known.
std::vector<float> contact_errors(const System& system, const Impulses& impulses, Index contacts) {
  std::vector<float> out(static_cast<std::size_t>(contacts), -1);
  const VectorXd errors = velocity_errors(system, impulses);
  for (std::size_t i = 0; i < system.frame_contact.size(); ++i)
    out[static_cast<std::size_t>(system.frame_contact[i])] = plain(errors[static_cast<Index>(i)]);
  return out;
}

io::Case case_of(const io::Record& record, const std::string& where) {
  io::Case out;
  out.counts = counts_of(record);
  out.answer = record.answer;
  out.timing = record.timing;
  out.system = io::system_of(record, where);
  return out;
}

// What was recorded; without impulses where there is no answer. Throws io::InputError.
struct Answered {
  System system;
  Impulses impulses;
};
Answered answered(const io::Record& record) {
  io::Case problem = case_of(record, "frame");
  Impulses impulses = io::recorded(problem);
  if (!impulses.allFinite()) impulses.resize(0);
  return {std::move(*problem.system), std::move(impulses)};
}

}  // namespace

Resolved::Resolved(io::Record record, const SolveFrame& asked, std::function<bool()> cancelled)
    : record_(std::move(record)), asked_(asked) {
  const bool as_recorded = asked.solver == io::recorded_solver().name;
  const SolverInfo* info = as_recorded ? &io::recorded_solver() : solver_named(asked.solver);
  result_.status = Status::invalid_input;
  if (!info) {
    result_.message = "no solver is called '" + asked.solver + "'";
    return;
  }
  try {
    system_ = io::system_of(record_, "this frame");
  } catch (const io::InputError& error) {
    result_.message = error.what();
    return;
  }
  if (as_recorded) {
    Options options;
    options.tolerance = std::clamp(asked.tolerance, 0.0, 1.0);
    result_ = io::recorded_result(case_of(record_, "this frame"), options);
    return;
  }
  if (!info->joints && system_->joint_rows() > 0) {
    result_.message = asked.solver + " does not accept joints";
    return;
  }
  Options options;
  options.max_iterations = static_cast<long>(std::clamp(asked.iterations, 1.0, 1e6));
  options.tolerance = std::clamp(asked.tolerance, 0.0, 1.0);
  options.cancelled = std::move(cancelled);
  options.history = true;
  options.history_measures = {Measure::velocity_error, Measure::own_error};
  options.history_ratio = ratio_of(8.0 * static_cast<double>(system_->rows()),
                                   static_cast<double>(options.max_iterations));
  std::string why;
  const std::unique_ptr<Problem> problem =
      formulate(*system_, info->formulation(), {options.facets, Level::velocity}, why);
  long next = 1, last = 0;
  VectorXd last_z;
  const auto keep = [&](long iteration, const VectorXd& z) {
    kept_.push_back({iteration, problem->impulses(z)});
  };
  if (problem)
    options.observer = [&](const Iteration& now) {
      if (now.z.size() != problem->size()) return true;
      last = now.iteration;
      last_z = now.z;
      if (last < next) return true;
      keep(last, last_z);
      next =
          std::max(last + 1, static_cast<long>(options.history_ratio * static_cast<double>(last)));
      return true;
    };
  result_ = solve(*system_, asked.solver, options);
  if (last > 0 && kept_.back().iteration != last) keep(last, last_z);
}

template <class What>
void Resolved::show(const Impulses& impulses, What& message) const {
  const Index count = record_.frame.contacts.count();
  Rows3 z = Rows3::Zero(count, 3);
  message.contact_errors.assign(static_cast<std::size_t>(count), -1);
  message.modes.assign(static_cast<std::size_t>(count), 0);
  if (system_ && impulses.size() == system_->rows()) {
    const Rows3 rows = contact_rows(*system_, impulses);
    if (rows.rows() == z.rows()) z = rows;
    message.contact_errors = contact_errors(*system_, impulses, count);
    const std::vector<std::int8_t> modes = slide_or_stick(*system_, impulses);
    for (std::size_t i = 0; i < system_->frame_contact.size(); ++i)
      message.modes[static_cast<std::size_t>(system_->frame_contact[i])] =
          static_cast<std::uint8_t>(modes[i]);
    const Frame& frame = record_.frame;
    if (system_->dynamics &&
        static_cast<Index>(system_->dynamics->body_column.size()) == frame.bodies.count()) {
      const Rows6 velocities = velocity_plus(frame, *system_, impulses);
      message.velocities.clear();
      for (Index i = 0; i < velocities.size(); ++i)
        message.velocities.push_back(plain(velocities.data()[i]));
    }
  }
  message.forces = forces_of(record_.frame, z);
}

SolvedMessage Resolved::message() const {
  SolvedMessage out;
  out.recording = asked_.recording;
  out.frame = asked_.frame;
  nlohmann::ordered_json about{
      {"solver", asked_.solver},          {"status", name(result_.status)},
      {"message", result_.message},       {"path", result_.path},
      {"iterations", result_.iterations}, {"milliseconds", 1e3 * result_.seconds}};
  if (const double error = result_.errors[Measure::velocity_error]; std::isfinite(error))
    about["error"] = error;
  about["errors"] = errors_json(result_.errors);
  out.json = about.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  show(result_.impulses, out);
  for (const HistoryPoint& point : result_.history) {
    out.iterations.push_back(static_cast<float>(point.iteration));
    out.errors.push_back(plain(point.errors[Measure::velocity_error]));
    out.own.push_back(plain(point.errors[Measure::own_error]));
    out.restarts.push_back(point.restart ? 1 : 0);
  }
  return out;
}

IterateMessage Resolved::iterate(double point) const {
  IterateMessage out;
  const std::vector<HistoryPoint>& history = result_.history;
  if (history.empty() || kept_.empty()) {
    show(result_.impulses, out);
    return out;
  }
  const auto at =
      static_cast<std::size_t>(std::clamp(point, 0.0, static_cast<double>(history.size() - 1)));
  out.point = static_cast<double>(at);
  out.iteration = static_cast<double>(history[at].iteration);
  const auto behind =
      std::upper_bound(kept_.begin(), kept_.end(), history[at].iteration,
                       [](long iteration, const Kept& one) { return iteration < one.iteration; });
  const bool start = behind == kept_.begin();  // from zero
  show(start ? Impulses(Impulses::Zero(system_->rows())) : std::prev(behind)->impulses, out);
  return out;
}

nlohmann::ordered_json errors_json(const Errors& errors) {
  nlohmann::ordered_json out = nlohmann::ordered_json::object();
  for (const MeasureInfo& info : measures())
    if (const double value = errors[info.measure]; std::isfinite(value))
      out[std::string(info.name)] = value;
  return out;
}

double recorded_error(const io::Record& record) {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  try {
    const Answered was = answered(record);
    if (was.impulses.size() == 0) return was.system.rows() == 0 ? 0 : kNaN;
    return measure(was.system, was.impulses, Measure::velocity_error);
  } catch (const io::InputError&) {
    return kNaN;
  }
}

std::vector<float> recorded_contact_errors(const io::Record& record) {
  const Index count = record.frame.contacts.count();
  try {
    const Answered was = answered(record);
    if (was.impulses.size() > 0) return contact_errors(was.system, was.impulses, count);
  } catch (const io::InputError&) {
    // A frame that cannot be assembled has none.
  }
  return std::vector<float>(static_cast<std::size_t>(count), -1);
}

}  // namespace perpend::view
