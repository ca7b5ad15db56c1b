// perpend solvers: the registry, as a table or as JSON.
#include <iostream>
#include <memory>

#include "command.hpp"
#include "common_options.hpp"
#include "json.hpp"
#include "solver_options.hpp"
#include "table.hpp"

namespace perpend::app {
namespace {

Json describe(const OptionInfo& option) {
  Json object = {{"name", option.name}, {"meaning", option.meaning}, {"default", option.fallback}};
  if (option.choices.empty()) {
    object["lowest"] = number(option.lowest);
    object["highest"] = number(option.highest);
  } else {
    object["choices"] = option.choices;
  }
  return object;
}

std::string range(const OptionInfo& option) {
  if (option.choices.empty()) return brief(option.lowest) + " to " + brief(option.highest);
  std::string words;
  for (const std::string& choice : option.choices) words += (words.empty() ? "" : "|") + choice;
  return words;
}

void print_solvers_json(const std::vector<const SolverInfo*>& chosen) {
  Json list = Json::array();
  for (const SolverInfo* one : chosen) {
    const SolverInfo& info = *one;
    Json options = Json::array();
    for (const OptionInfo& option : info.options) options.push_back(describe(option));
    list.push_back({{"name", info.name},
                    {"formulation", info.formulation()},
                    {"title", info.title},
                    {"reference", info.reference},
                    {"joints", info.joints},
                    {"origin", info.origin},
                    {"options", options}});
  }
  print(Json{{"format_version", kJsonVersion}, {"solvers", list}});
}

void print_tables(const std::vector<const SolverInfo*>& chosen) {
  Table table, options;
  table.column("solver", Table::Align::left);
  table.column("joints", Table::Align::left);
  table.column("title", Table::Align::left);
  table.column("reference", Table::Align::left);
  options.column("solver", Table::Align::left);
  options.column("--set", Table::Align::left);
  options.column("default", Table::Align::left);
  options.column("range", Table::Align::left);
  options.column("meaning", Table::Align::left);
  for (const SolverInfo* one : chosen) {
    const SolverInfo& info = *one;
    table.row({info.name, info.joints ? "yes" : "no", info.title, info.reference});
    for (const OptionInfo& option : info.options)
      options.row({info.name, option.name, option.fallback, range(option), option.meaning});
  }
  table.print(std::cout);
  if (options.empty()) return;
  std::cout << "\nOptions of single solvers (--set NAME=VALUE):\n";
  options.print(std::cout);
}

}  // namespace

void add_solvers(CLI::App& program, const Globals&, int&) {
  struct Request {
    std::string pattern = "*";
    bool json = false;
  };
  const auto request = std::make_shared<Request>();
  CLI::App* command = program.add_subcommand("solvers", "List the solvers and their options");
  command->add_option("pattern", request->pattern, "A name, or a pattern like ncp/*")
      ->type_name("NAME");
  add_json(*command, request->json);
  command->footer("Example:\n  perpend solvers 'ncp/*'");
  command->callback([request] {
    const std::vector<const SolverInfo*> list = solvers_called(request->pattern);
    if (list.empty()) throw UsageError("solvers: no solver is called '" + request->pattern + "'");
    request->json ? print_solvers_json(list) : print_tables(list);
  });
}

}  // namespace perpend::app
