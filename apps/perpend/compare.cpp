// perpend compare: what changed between two folders of results.
#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>

#include "command.hpp"
#include "common_options.hpp"
#include "json.hpp"
#include "perpend/bench.hpp"
#include "table.hpp"

namespace perpend::app {
namespace {

struct CompareRequest {
  std::string a, b;
  bool no_time = false, json = false;
};

struct Shown {
  std::string before, after, ratio;
};

Shown show(const bench::Change& change, const bench::Results& a, const bench::Results& b) {
  if (change.what == bench::Change::What::status)
    return {std::string(name(a.rows[change.a].status)), std::string(name(b.rows[change.b].status)),
            ""};
  const double ratio = change.before > 0 ? change.after / change.before : NAN;
  return {brief(change.before), brief(change.after), brief(ratio)};
}

std::string what(const bench::Change& change) {
  if (change.what == bench::Change::What::error) return std::string(name(change.measure));
  if (change.what == bench::Change::What::time) return "seconds";
  return std::string(bench::name(change.what));
}

void print_changes(const bench::Results& a, const bench::Results& b,
                   const bench::Comparison& comparison) {
  Table table;
  table.column("", Table::Align::left);
  table.column("solver", Table::Align::left);
  table.column("file", Table::Align::left);
  table.column("frame");
  table.column("what", Table::Align::left);
  table.column("A");
  table.column("B");
  table.column("B/A");
  for (const bool worse : {true, false})
    for (const bench::Change& change : comparison.changes) {
      if (change.worse != worse) continue;
      const bench::Row& row = a.rows[change.a];
      const Shown shown = show(change, a, b);
      table.row({worse ? "worse" : "better", a.solvers[row.solver].name,
                 a.problems[row.problem].file, std::to_string(a.problems[row.problem].frame),
                 what(change), shown.before, shown.after, shown.ratio});
    }
  if (!table.empty()) {
    table.print(std::cout);
    std::cout << "\n";
  }
  const auto worse = std::count_if(comparison.changes.begin(), comparison.changes.end(),
                                   [](const bench::Change& c) { return c.worse; });
  std::cout << comparison.common << " rows compared, " << worse << " worse, "
            << comparison.changes.size() - static_cast<std::size_t>(worse) << " better";
  if (comparison.refused > 0) std::cout << ", " << comparison.refused << " do not apply";
  if (comparison.only_a > 0) std::cout << ", " << comparison.only_a << " only in A";
  if (comparison.only_b > 0) std::cout << ", " << comparison.only_b << " only in B";
  std::cout << "\n";
  if (comparison.times_judged)
    std::cout << "noise of the repeated runs: " << brief(100 * comparison.noise)
              << " % (median of the spread)\n";
  else
    std::cout << "times are not compared\n";
}

Json compare_document(const CompareRequest& request, const bench::Results& a,
                      const bench::Results& b, const bench::Comparison& comparison) {
  Json list = Json::array();
  for (const bench::Change& change : comparison.changes) {
    const bench::Row &before = a.rows[change.a], &after = b.rows[change.b];
    const bench::ProblemEntry& problem = a.problems[before.problem];
    Json entry = {{"solver", a.solvers[before.solver].name},
                  {"file", problem.file},
                  {"frame", problem.frame},
                  {"hash", problem.hash},
                  {"what", what(change)},
                  {"worse", change.worse}};
    if (change.what == bench::Change::What::status) {
      entry["a"] = name(before.status);
      entry["b"] = name(after.status);
    } else {
      entry["a"] = number(change.before);
      entry["b"] = number(change.after);
    }
    list.push_back(std::move(entry));
  }
  return {{"format_version", kJsonVersion},
          {"a", request.a},
          {"b", request.b},
          {"common", comparison.common},
          {"does_not_apply", comparison.refused},
          {"only_a", comparison.only_a},
          {"only_b", comparison.only_b},
          {"times_judged", comparison.times_judged},
          {"noise", number(comparison.noise)},
          {"changes", std::move(list)}};
}

int run_compare(const CompareRequest& request, const Globals& globals) {
  const bench::Results a = bench::read_results(request.a), b = bench::read_results(request.b);
  const std::string differs = bench::different_settings(a.settings, b.settings);
  if (!differs.empty())
    throw UsageError(request.b + ": has other settings than " + request.a + ": " + differs);
  bench::Comparison comparison = bench::compare(a, b);
  if (request.no_time) {
    comparison.times_judged = false;
    std::erase_if(comparison.changes, [](const bench::Change& change) {
      return change.what == bench::Change::What::time;
    });
  }
  if (comparison.common == 0)
    throw UsageError(request.a + " and " + request.b + " have no solver and problem in common");
  if (request.json)
    print(compare_document(request, a, b, comparison));
  else
    print_changes(a, b, comparison);
  if (!comparison.times_judged && !request.no_time)
    note(globals, "the processors or --jobs differ, or there is only one timed run (--repeat)");
  return std::any_of(comparison.changes.begin(), comparison.changes.end(),
                     [](const bench::Change& change) { return change.worse; })
             ? kFailed
             : kSuccess;
}

}  // namespace

void add_compare(CLI::App& program, const Globals& globals, int& exit) {
  CLI::App* command =
      program.add_subcommand("compare", "Compare two folders of results: what got worse or better");
  const auto request = std::make_shared<CompareRequest>();
  command->add_option("A", request->a, "Folder with the old results")->required();
  command->add_option("B", request->b, "Folder with the new results")->required();
  command->add_flag("--no-time", request->no_time, "Do not compare times");
  add_json(*command, request->json);
  command->footer(
      "Exits 1 if something got worse by more than the noise of repeated runs.\n\n"
      "Example:\n  perpend compare results-old results-new");
  command->callback([request, &globals, &exit] { exit = run_compare(*request, globals); });
}

}  // namespace perpend::app
