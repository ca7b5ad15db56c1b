#include "results_show.hpp"

#include <iostream>

#include "perpend/bench.hpp"
#include "perpend/io/files.hpp"
#include "table.hpp"

namespace perpend::app {

void print_summary(const bench::Results& results, const std::string& folder) {
  const bench::Summary all = bench::summary(results);
  Table table;
  table.column("solver", Table::Align::left);
  table.column("friction", Table::Align::left);
  table.column("solved");
  table.column("reached");
  table.column("of");
  table.column("time/best");
  table.column("worst velocity_error");
  table.column("does not apply");
  const bool transfers = all.transfers();
  if (transfers) table.column("transfer [s]");
  table.column("not solved", Table::Align::left);
  for (std::size_t s = 0; s < all.solvers.size(); ++s) {
    const bench::SolverSummary& line = all.solvers[s];
    std::string failures;
    for (const auto& [status, times] : line.failures)
      failures += (failures.empty() ? "" : ", ") + std::to_string(times) + " " + status;
    std::vector<std::string> cells{
        results.solvers[s].name,          results.solvers[s].friction,
        std::to_string(line.solved),      std::to_string(all.reached(line)),
        std::to_string(line.problems),    brief(line.time_over_best),
        brief(line.worst_velocity_error), std::to_string(line.refused)};
    if (transfers) cells.push_back(brief(line.transfer_seconds));
    cells.push_back(failures);
    table.row(std::move(cells));
  }
  table.print(std::cout);
  std::cout << "\nsolved: ended with " << name(results.settings.error)
            << " <= " << brief(results.settings.tolerance);
  if (!results.tolerances.empty())
    std::cout << "; reached: " << name(all.error)
              << " <= " << brief(results.tolerances[all.tolerance]) << " at some moment";
  std::cout << "\ntime/best: time to reach it, divided by that of the fastest solver (median)";
  if (transfers)
    std::cout << "\ntransfer: time to convert data and send it to another process (median); not "
                 "part of the solver's time";
  std::cout << "\nresults: " << io::printable(folder)
            << "/results.h5, .csv, .json\nreport: " << io::printable(folder)
            << "/report.html, .md\n";
}

Json summary_document(const bench::Results& results, const std::string& folder) {
  Json document = {{"format_version", kJsonVersion},
                   {"out", folder},
                   {"title", results.title},
                   {"rows", results.rows.size()},
                   {"rows_planned", results.rows_planned}};
  Json list = Json::array();
  const bench::Summary all = bench::summary(results);
  for (std::size_t s = 0; s < all.solvers.size(); ++s) {
    const bench::SolverSummary& line = all.solvers[s];
    Json failures = Json::object();
    for (const auto& [status, times] : line.failures) failures[status] = times;
    list.push_back({{"solver", results.solvers[s].name},
                    {"friction", results.solvers[s].friction},
                    {"rows", line.problems + line.refused},
                    {"solved", line.solved},
                    {"reached", all.reached(line)},
                    {"does_not_apply", line.refused},
                    {"time_relative_to_best", number(line.time_over_best)},
                    {"transfer_seconds", number(line.transfer_seconds)},
                    {"worst_velocity_error", number(line.worst_velocity_error)},
                    {"not_solved", failures}});
  }
  document["solvers"] = std::move(list);
  return document;
}

}  // namespace perpend::app
