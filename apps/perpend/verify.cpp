// perpend verify: motions known in closed form, with smaller and smaller steps, and the order at
// which the error vanishes.
#include "perpend/verify.hpp"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>

#include "command.hpp"
#include "common_options.hpp"
#include "interrupt.hpp"
#include "json.hpp"
#include "perpend/cli.hpp"
#include "progress_bar.hpp"
#include "solver_options.hpp"
#include "table.hpp"

namespace perpend::app {
namespace {

struct VerifyRequest {
  std::vector<std::string> cases;
  std::string stepper = "st", effort = name(StepOptions().effort);
  SolverOptions solver{StepOptions().solver, StepOptions().solve};
  int halvings = 5, correct = StepOptions().correct;
  bool json = false, markdown = false;
};

std::string expected(const verify::Quantity& quantity) {
  return quantity.order > 0 ? "order " + brief(quantity.order) : "<= " + brief(quantity.bound);
}

Json verify_document(const std::vector<verify::Outcome>& outcomes, const StepOptions& step) {
  Json list = Json::array();
  for (const verify::Outcome& one : outcomes) {
    Json rows = Json::array();
    for (std::size_t q = 0; q < one.rows.size(); ++q) {
      const verify::Quantity& quantity = one.what->quantities[q];
      const verify::Row& row = one.rows[q];
      Json entry = {
          {"quantity", quantity.name}, {"unit", quantity.unit}, {"reference", quantity.reference}};
      if (quantity.order > 0)
        entry["expected_order"] = quantity.order;
      else
        entry["bound"] = quantity.bound;
      Json errors = Json::array();
      for (double error : row.errors) errors.push_back(number(error));
      entry["errors"] = errors;
      if (quantity.order > 0) entry["order"] = number(row.order);
      entry["met"] = row.met;
      rows.push_back(entry);
    }
    list.push_back(Json{{"case", one.what->name},
                        {"title", one.what->title},
                        {"dt", one.steps},
                        {"steps", one.taken},
                        {"unconverged_steps", one.unconverged},
                        {"met", one.met()},
                        {"rows", rows}});
  }
  return Json{{"format_version", kJsonVersion}, {"solver", step.solver},
              {"stepper", name(step.stepper)},  {"correct", step.correct},
              {"effort", name(step.effort)},    {"cases", list}};
}

void print_cases(const std::vector<verify::Outcome>& outcomes, int halvings) {
  Table table;
  table.column("case", Table::Align::left);
  table.column("quantity", Table::Align::left);
  for (int i = 0; i <= halvings; ++i) table.column(i == 0 ? "h" : "h/" + std::to_string(1L << i));
  table.column("order");
  table.column("expected", Table::Align::left);
  table.column("", Table::Align::left);
  for (const verify::Outcome& one : outcomes)
    for (std::size_t q = 0; q < one.rows.size(); ++q) {
      const verify::Quantity& quantity = one.what->quantities[q];
      const verify::Row& row = one.rows[q];
      std::vector<std::string> cells{q == 0 ? one.what->name : "",
                                     quantity.name + " (" + quantity.unit + ")"};
      for (int i = 0; i <= halvings; ++i) {
        const auto at = static_cast<std::size_t>(i);
        cells.push_back(at < row.errors.size() ? brief(row.errors[at]) : "-");
      }
      cells.push_back(quantity.order > 0 ? brief(row.order) : "");
      cells.push_back(expected(quantity));
      cells.emplace_back(row.met ? "met" : "MISSED");
      table.row(cells);
    }
  table.print(std::cout);
}

std::vector<const verify::Case*> chosen(const std::vector<std::string>& names) {
  std::vector<const verify::Case*> list;
  if (names.empty())
    for (const verify::Case& one : verify::cases()) list.push_back(&one);
  for (const std::string& text : names) {
    const verify::Case* one = verify::case_named(text);
    if (!one) {
      std::string known;
      for (const verify::Case& other : verify::cases())
        known += (known.empty() ? "" : ", ") + other.name;
      throw UsageError("unknown case '" + text + "'; choose one of: " + known);
    }
    list.push_back(one);
  }
  return list;
}

int run_verify(VerifyRequest& request, const Globals& globals) {
  const Patient patient;
  const std::vector<const verify::Case*> list = chosen(request.cases);
  StepOptions step;
  if (request.stepper != "st" && request.stepper != "ap")
    throw UsageError("--stepper: '" + request.stepper + "' is neither st nor ap");
  if (request.json && request.markdown) throw UsageError("give only one of --json and --markdown");
  const std::vector<const SolverInfo*> solvers = request.solver.chosen();
  if (solvers.size() != 1) throw UsageError("--solver: verify takes one solver");
  if (!solvers.front()->joints)
    throw UsageError(solvers.front()->name + " does not accept joints, and some cases have them");
  step.solver = solvers.front()->name;
  step.solve = request.solver.options(*solvers.front(), globals, solvers);
  step.solve.cancelled = interrupted;
  step.stepper = request.stepper == "ap" ? Stepper::ap : Stepper::st;
  step.correct = request.correct;
  const std::optional<Effort> effort = effort_named(request.effort);
  if (!effort) throw UsageError("--effort: '" + request.effort + "' is not exact, real-time or N");
  step.effort = *effort;

  std::vector<verify::Outcome> outcomes;
  Index unconverged = 0, taken = 0;
  {
    ProgressBar bar(globals, "cases", static_cast<long>(list.size()));
    for (const verify::Case* one : list) {
      bar.show(static_cast<long>(outcomes.size()));
      outcomes.push_back(verify::run(*one, step, request.halvings, [] { return !interrupted(); }));
      unconverged += outcomes.back().unconverged;
      taken += outcomes.back().taken;
      if (outcomes.back().stopped) break;
    }
  }
  if (interrupted()) {
    outcomes.pop_back();
    if (!request.json && !request.markdown) print_cases(outcomes, request.halvings);
    note(globals, "stopped by " + stopped_by() + " after " + std::to_string(outcomes.size()) +
                      " of " + std::to_string(list.size()) + " cases");
    return kInterrupted;
  }
  if (request.json)
    print(verify_document(outcomes, step));
  else if (request.markdown)
    std::cout << verify::page(outcomes, step);
  else
    print_cases(outcomes, request.halvings);
  if (unconverged > 0)
    note(globals,
         std::to_string(unconverged) + " of " + std::to_string(taken) + " steps did not converge");
  bool met = true;
  for (const verify::Outcome& one : outcomes) met &= one.met();
  return met ? kSuccess : kFailed;
}

}  // namespace

void add_verify(CLI::App& program, const Globals& globals, int& exit) {
  CLI::App* command = program.add_subcommand(
      "verify", "Simulate motions with a known solution and check that errors vanish with h");
  const auto request = std::make_shared<VerifyRequest>();
  command->add_option("CASE", request->cases, "Names of cases, listed below [all]");
  command->add_option("--refine", request->halvings, "How many times h is halved")
      ->transform(cli::whole(1, 10))
      ->type_name("N")
      ->capture_default_str();
  add_stepper(*command, request->stepper);
  add_correct(*command, request->correct);
  command
      ->add_option("--effort", request->effort,
                   "Work of a step: exact, real-time, or N sweeps over all contacts")
      ->type_name("EFFORT")
      ->capture_default_str();
  add_json(*command, request->json);
  command->add_flag("--markdown", request->markdown,
                    "Print the results as a page, with the derivation of every case");
  request->solver.add(*command);
  std::string list = "Cases:\n";
  for (const verify::Case& one : verify::cases()) {
    std::string line = "  " + one.name;
    line.resize(std::max<std::size_t>(line.size() + 1, 30), ' ');
    list += line + one.title + "\n";
  }
  command->footer(list +
                  "\nExample:\n  perpend verify slope sliding-block\n"
                  "  perpend verify --markdown > verification.md");
  command->callback([request, &globals, &exit] { exit = run_verify(*request, globals); });
}

}  // namespace perpend::app
