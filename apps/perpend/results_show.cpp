#include "results_show.hpp"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>
#include <map>

#include "perpend/base.hpp"
#include "perpend/bench/report.hpp"
#include "perpend/io/printable.hpp"
#include "table.hpp"

namespace perpend::app {
namespace {

struct SolverSummary {
  std::size_t rows = 0, solved = 0;
  std::size_t refused = 0;     // rows of problems that it does not take; not among `failures`
  std::vector<double> ratios;  // seconds relative to the quickest solver of the problem
  double worst = 0;            // velocity_error of solved rows
  std::map<std::string, std::size_t> failures;
};

std::vector<SolverSummary> summarize(const bench::Results& results) {
  std::vector<double> best(results.problems.size(), std::numeric_limits<double>::infinity());
  for (const bench::Row& row : results.rows)
    if (row.status == Status::converged)
      best[row.problem] = std::min(best[row.problem], row.seconds);
  std::vector<SolverSummary> all(results.solvers.size());
  for (const bench::Row& row : results.rows) {
    SolverSummary& one = all[row.solver];
    ++one.rows;
    if (row.status == Status::invalid_input) {
      ++one.refused;
      continue;
    }
    if (row.status != Status::converged) {
      ++one.failures[std::string(name(row.status))];
      continue;
    }
    ++one.solved;
    if (best[row.problem] > 0) one.ratios.push_back(row.seconds / best[row.problem]);
    if (row.errors.has(Measure::velocity_error))
      one.worst = std::max(one.worst, row.errors[Measure::velocity_error]);
  }
  return all;
}

}  // namespace

void print_summary(const bench::Results& results, const std::string& folder) {
  const std::vector<SolverSummary> all = summarize(results);
  Table table;
  table.column("solver", Table::Align::left);
  table.column("friction", Table::Align::left);
  table.column("solved");
  table.column("of");
  table.column("time/best");
  table.column("worst velocity_error");
  table.column("does not apply");
  table.column("not solved", Table::Align::left);
  for (std::size_t s = 0; s < all.size(); ++s) {
    std::string failures;
    for (const auto& [status, times] : all[s].failures)
      failures += (failures.empty() ? "" : ", ") + std::to_string(times) + " " + status;
    table.row({results.solvers[s].name, results.solvers[s].friction, std::to_string(all[s].solved),
               std::to_string(all[s].rows - all[s].refused), brief(median(all[s].ratios)),
               all[s].solved > 0 ? brief(all[s].worst) : "-", std::to_string(all[s].refused),
               failures});
  }
  table.print(std::cout);
  std::cout << "\nsolved: " << name(results.settings.error)
            << " <= " << brief(results.settings.tolerance)
            << "; time/best: median over solved problems of the time relative to the quickest "
               "solver\nresults: "
            << io::printable(folder)
            << "/results.h5, .csv, .json\nreport: " << io::printable(folder)
            << (bench::has_report_page() ? "/report.html, .md\n" : "/report.md\n");
}

Json summary_document(const bench::Results& results, const std::string& folder) {
  Json document = {{"format_version", kJsonVersion},
                   {"out", folder},
                   {"title", results.title},
                   {"rows", results.rows.size()},
                   {"rows_planned", results.rows_planned}};
  Json list = Json::array();
  const std::vector<SolverSummary> all = summarize(results);
  for (std::size_t s = 0; s < all.size(); ++s) {
    Json failures = Json::object();
    for (const auto& [status, times] : all[s].failures) failures[status] = times;
    list.push_back(
        {{"solver", results.solvers[s].name},
         {"friction", results.solvers[s].friction},
         {"rows", all[s].rows},
         {"solved", all[s].solved},
         {"does_not_apply", all[s].refused},
         {"time_relative_to_best", number(median(all[s].ratios))},
         {"worst_velocity_error", all[s].solved > 0 ? number(all[s].worst) : Json(nullptr)},
         {"not_solved", failures}});
  }
  document["solvers"] = std::move(list);
  return document;
}

}  // namespace perpend::app
