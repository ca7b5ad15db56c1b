// What `perpend solve` prints: a row per frame, a row per solver, or one JSON document.
#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>
#include <map>

#include "interrupt.hpp"
#include "perpend/solve/fields.hpp"
#include "solve.hpp"
#include "table.hpp"

namespace perpend::app {
namespace {

// What stands behind the numbers: who answered, or why nobody did.
std::string remark(const Result& result) {
  return result.status == Status::converged ? result.path : result.message;
}

// "0.0123 m/s: knee2, lower limit". Where an answer meets the tolerance, the place is chance.
std::string told(const io::Worst& worst, double tolerance) {
  if (worst.unit < 0 || worst.residual <= tolerance) return "-";
  return brief(worst.residual) + " " + std::string(worst.unit_of_residual) + ": " + worst.where;
}

bool any_joints(const std::vector<Outcome>& outcomes) {
  return std::any_of(outcomes.begin(), outcomes.end(),
                     [](const Outcome& outcome) { return outcome.counts.joint_rows > 0; });
}

void print_frames(const std::vector<Outcome>& outcomes, double tolerance) {
  const bool joints = any_joints(outcomes);
  const bool titles = std::any_of(outcomes.begin(), outcomes.end(),
                                  [](const Outcome& outcome) { return !outcome.title.empty(); });
  Table table;
  table.column("frame");
  table.column("contacts");
  table.column("joints");
  table.column("status", Table::Align::left);
  table.column("iterations");
  table.column("seconds");
  table.column("own_error [m/s]");
  table.column("velocity_error [m/s]");
  if (joints) {
    table.column("joint_error [m/s]");
    table.column("joint_turn_error [rad/s]");
  }
  table.column("worst", Table::Align::left);
  if (titles) table.column("what", Table::Align::left);
  table.column("path or reason", Table::Align::left);
  for (const Outcome& outcome : outcomes)
    for (const SolverAnswer& answered : outcome.answers) {
      const Result& result = answered.result;
      std::vector<std::string> cells = {std::to_string(outcome.frame),
                                        std::to_string(outcome.counts.contacts),
                                        std::to_string(outcome.counts.joints),
                                        std::string(name(result.status)),
                                        std::to_string(result.iterations),
                                        brief(result.seconds),
                                        brief(result.errors[Measure::own_error]),
                                        brief(result.errors[Measure::velocity_error])};
      if (joints)
        for (const Measure m : {Measure::joint_error, Measure::joint_turn_error})
          cells.push_back(brief(result.errors[m]));
      cells.push_back(told(answered.worst, tolerance));
      if (titles) cells.push_back(outcome.title);
      cells.push_back(remark(result));
      table.row(std::move(cells));
    }
  table.print(std::cout);
}

// The larger of two, where NaN is "not known" and infinity is known.
double worse(double a, double b) { return std::isnan(a) || b > a ? b : a; }

struct Summary {
  long accepted = 0, solved = 0;
  double own_error = std::numeric_limits<double>::quiet_NaN();
  double velocity_error = own_error, joint_error = own_error, joint_turn_error = own_error;
  io::Worst worst;
  Index worst_frame = -1;
  std::vector<long> iterations;
  double seconds = 0;
  std::map<Status, long> statuses;

  void add(Index frame, const SolverAnswer& answered) {
    const Result& result = answered.result;
    ++accepted;
    if (result.status == Status::converged) ++solved;
    own_error = worse(own_error, result.errors[Measure::own_error]);
    velocity_error = worse(velocity_error, result.errors[Measure::velocity_error]);
    joint_error = worse(joint_error, result.errors[Measure::joint_error]);
    joint_turn_error = worse(joint_turn_error, result.errors[Measure::joint_turn_error]);
    if (answered.worst.unit >= 0 && (worst_frame < 0 || answered.worst.residual > worst.residual)) {
      worst = answered.worst;
      worst_frame = frame;
    }
    iterations.push_back(result.iterations);
    seconds += result.seconds;
    ++statuses[result.status];
  }
  std::string median() {
    if (iterations.empty()) return "-";
    const auto middle = iterations.begin() + static_cast<long>(iterations.size() / 2);
    std::nth_element(iterations.begin(), middle, iterations.end());
    return std::to_string(*middle);
  }
  std::string words() const {
    std::string text;
    for (const auto& [status, count] : statuses)
      text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + std::string(name(status));
    return text.empty() ? "accepts none of the frames" : text;
  }
};

void print_solvers(const std::vector<ChosenSolver>& chosen, const std::vector<Outcome>& outcomes) {
  std::vector<Summary> summaries(chosen.size());
  for (const Outcome& outcome : outcomes)
    for (const SolverAnswer& answered : outcome.answers)
      summaries[answered.solver].add(outcome.frame, answered);
  const bool joints = any_joints(outcomes);
  Table table;
  table.column("solver", Table::Align::left);
  table.column("solved");
  table.column("worst own_error [m/s]");
  table.column("worst velocity_error [m/s]");
  if (joints) {
    table.column("worst joint_error [m/s]");
    table.column("worst joint_turn_error [rad/s]");
  }
  table.column("iterations (median)");
  table.column("seconds (total)");
  table.column("statuses", Table::Align::left);
  table.column("worst", Table::Align::left);
  for (std::size_t s = 0; s < chosen.size(); ++s) {
    Summary& summary = summaries[s];
    std::vector<std::string> cells = {
        chosen[s].info->name,
        std::to_string(summary.solved) + "/" + std::to_string(summary.accepted),
        brief(summary.own_error), brief(summary.velocity_error)};
    if (joints)
      for (const double error : {summary.joint_error, summary.joint_turn_error})
        cells.push_back(brief(error));
    for (const std::string& cell : {summary.median(), brief(summary.seconds), summary.words()})
      cells.push_back(cell);
    const std::string worst = told(summary.worst, chosen[s].options.tolerance);
    cells.push_back(worst == "-" ? worst
                                 : worst + ", frame " + std::to_string(summary.worst_frame));
    table.row(std::move(cells));
  }
  table.print(std::cout);
}

Json json(const io::Worst& worst) {
  Json out{{"where", worst.where}};
  if (worst.contact >= 0) out["contact"] = worst.contact;
  if (worst.joint_row >= 0) out["joint_row"] = worst.joint_row;
  out["residual"] = number(worst.residual);
  out["unit"] = worst.unit_of_residual;
  return out;
}

}  // namespace

Json describe(const Options& options) {
  Json document = Json::object();
  for_each_field(options, [&](const auto& field, const auto& value) {
    using Value = std::remove_cvref_t<decltype(value)>;
    const std::string called(field.name);
    if (field.role != Role::compared) return;
    if constexpr (std::is_same_v<Value, double>)
      document[called] = number(value);
    else if constexpr (std::is_same_v<Value, Measure>)
      document[called] = name(value);
    else if constexpr (std::is_integral_v<Value> || std::is_same_v<Value, decltype(options.set)>)
      document[called] = value;
  });
  return document;
}

Json solver_names(const SolveRequest& request, const std::vector<ChosenSolver>& chosen) {
  if (!request.options.several()) return chosen.front().info->name;
  Json list = Json::array();
  for (const ChosenSolver& entry : chosen) list.push_back(entry.info->name);
  return list;
}

Json document(const SolveRequest& request, io::Kind kind, const std::vector<ChosenSolver>& chosen,
              const std::vector<Outcome>& outcomes) {
  Json results = Json::array(), refused = Json::array();
  for (const Outcome& outcome : outcomes) {
    for (const SolverAnswer& answered : outcome.answers) {
      Json entry = {{"frame", outcome.frame}};
      if (request.options.several()) entry["solver"] = chosen[answered.solver].info->name;
      if (!outcome.title.empty()) entry["name"] = outcome.title;
      entry["contacts"] = outcome.counts.contacts;
      entry["joints"] = outcome.counts.joints;
      entry["joint_rows"] = outcome.counts.joint_rows;
      add_result(entry, answered.result);
      if (answered.worst.unit >= 0) entry["worst"] = json(answered.worst);
      results.push_back(std::move(entry));
    }
    for (const Refusal& entry : outcome.refused)
      refused.push_back({{"frame", outcome.frame},
                         {"solver", chosen[entry.solver].info->name},
                         {"message", entry.why}});
  }
  Json options = describe(chosen.front().options);
  if (chosen.size() > 1) {
    // What a solver was given of --set differs from solver to solver.
    options["set"] = Json::object();
    for (const ChosenSolver& entry : chosen)
      for (const auto& [option, value] : entry.options.set) options["set"][option] = value;
  }
  options["warm_start"] = request.options.warm_start();
  Json document = {{"format_version", kJsonVersion}, {"file", request.file},
                   {"format", name(kind)},           {"solver", solver_names(request, chosen)},
                   {"options", std::move(options)},  {"results", std::move(results)}};
  if (!refused.empty()) document["refused"] = std::move(refused);
  if (interrupted()) document["interrupted"] = true;
  return document;
}

void print_tables(const std::vector<ChosenSolver>& chosen, bool several,
                  const std::vector<Outcome>& outcomes) {
  if (several)
    print_solvers(chosen, outcomes);
  else
    print_frames(outcomes, chosen.front().options.tolerance);
}

}  // namespace perpend::app
