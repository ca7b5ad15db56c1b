// report.md: the summary of report.html as tables that any terminal shows.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "perpend/base.hpp"
#include "perpend/base/html_text.hpp"
#include "perpend/bench.hpp"
#include "perpend/io/files.hpp"

namespace perpend::bench {
namespace {

std::string digits(double number, const char* unit = "") {
  if (std::isnan(number)) return "–";
  return short_number(number) + unit;
}

std::string time(double seconds) {
  if (std::isnan(seconds)) return "–";
  if (seconds < 1e-3) return digits(seconds * 1e6, " µs");
  if (seconds < 1) return digits(seconds * 1e3, " ms");
  return digits(seconds, " s");
}

bool is_word(char letter) { return std::isalnum(static_cast<unsigned char>(letter)) != 0; }

// Text of others as it is: neither Markdown nor HTML. An underline within a word is no markup.
std::string cell(const std::string& text) {
  const std::string shown = html_text(io::printable(text));
  std::string safe;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const bool inside =
        i > 0 && i + 1 < shown.size() && is_word(shown[i - 1]) && is_word(shown[i + 1]);
    if (std::strchr("\\`*[]|~#$!", shown[i]) || (shown[i] == '_' && !inside)) safe += '\\';
    safe += shown[i];
  }
  return safe;
}

// Text of others as code: between more backticks than it has in a row. What looks like HTML stays
// none where somebody takes it without its backticks.
std::string code(const std::string& text) {
  if (text.find_first_of("<>&") != std::string::npos) return "<code>" + cell(text) + "</code>";
  const std::string shown = io::printable(text);
  std::size_t most = 0, run = 0;
  for (const char letter : shown) {
    run = letter == '`' ? run + 1 : 0;
    most = std::max(most, run);
  }
  const std::string fence(most + 1, '`');
  const std::string_view blank = most > 0 ? " " : "";
  return fence + std::string(blank) + shown + std::string(blank) + fence;
}

std::string row(const std::vector<std::string>& cells) {
  std::string line = "|";
  for (const std::string& one : cells) line += " " + one + " |";
  return line + "\n";
}

// The line below the head: the first column to the left, the others to the right, except those
// named.
std::string rule(std::size_t columns, const std::vector<std::size_t>& left = {}) {
  std::vector<std::string> cells(columns, "---:");
  cells[0] = "---";
  for (const std::size_t column : left) cells[column] = "---";
  return row(cells);
}

std::string counted(const std::map<std::string, std::size_t>& counts) {
  std::string text;
  for (const auto& [what, times] : counts)
    text += (text.empty() ? "" : ", ") + std::to_string(times) + " " + cell(what);
  return text.empty() ? "–" : text;
}

std::string of(std::size_t number, const SolverSummary& line) {
  return std::to_string(number) + "/" + std::to_string(line.problems);
}

std::string summary_table(const Results& results, const Summary& all) {
  std::vector<std::string> head{"solver",
                                "friction",
                                "solved",
                                "reached, own error",
                                "reached, Coulomb error",
                                "time / best (median)",
                                "time (median)",
                                "worst own_error [m/s]",
                                "worst velocity_error [m/s]",
                                "failures",
                                "does not apply",
                                "path"};
  const bool transfers = all.transfers();
  if (transfers) head.emplace_back("converting, sending (median)");
  std::string text = row(head) + rule(head.size(), {1, 9, 11});
  for (std::size_t s = 0; s < all.solvers.size(); ++s) {
    const SolverSummary& line = all.solvers[s];
    std::vector<std::string> cells(
        {cell(results.solvers[s].name), cell(results.solvers[s].friction), of(line.solved, line),
         of(line.own_error[all.tolerance], line), of(line.velocity_error[all.tolerance], line),
         digits(line.time_over_best), time(line.seconds), digits(line.worst_own_error),
         digits(line.worst_velocity_error), line.failures.empty() ? "none" : counted(line.failures),
         std::to_string(line.refused), counted(line.paths)});
    if (transfers) cells.push_back(time(line.transfer_seconds));
    text += row(cells);
  }
  return text;
}

std::string tolerance_table(const Results& results, const Summary& all,
                            std::vector<std::size_t> SolverSummary::*reached) {
  std::vector<std::string> head{"solver"};
  for (const double tolerance : results.tolerances) head.push_back(digits(tolerance));
  std::string text = row(head) + rule(head.size());
  for (std::size_t s = 0; s < all.solvers.size(); ++s) {
    std::vector<std::string> cells{cell(results.solvers[s].name)};
    for (const std::size_t number : all.solvers[s].*reached)
      cells.push_back(of(number, all.solvers[s]));
    text += row(cells);
  }
  return text;
}

std::string setup(const Results& results) {
  std::string text;
  for (const Machine& machine : results.machines)
    text += "- " + cell(machine.cpu) + ", " + std::to_string(machine.cores) + " cores, " +
            digits(machine.memory_bytes / 1073741824.0) + " GiB; " + cell(machine.os) + "; " +
            cell(machine.compiler) + " " + code(machine.flags) + "; perpend " +
            cell(machine.version) + ", commit " + cell(machine.commit) + "; " + cell(machine.date) +
            "; load " + digits(machine.load[0]) + ", " + digits(machine.load[1]) + ", " +
            digits(machine.load[2]) + "\n";
  const Settings& settings = results.settings;
  text += "- every solve stops at " + std::string(name(settings.error)) + " ≤ " +
          digits(settings.tolerance) + ", after " + std::to_string(settings.max_iterations) +
          " iterations" +
          (settings.time_limit > 0 ? ", or after " + digits(settings.time_limit, " s") : "") +
          "; " + (settings.warm_start ? "warm" : "cold") + " start; " +
          (settings.repeat > 0 ? "the median of " + std::to_string(settings.repeat) + " timed runs"
                               : "no timed runs; times of the run that measured errors") +
          "\n";
  if (!settings.command.empty()) text += "- " + code(settings.command) + "\n";
  return text;
}

}  // namespace

std::string report_markdown(const Results& results) {
  std::string text = "# " +
                     (results.title.empty() ? "Comparison of solvers" : cell(results.title)) +
                     "\n\n" + std::to_string(results.solvers.size()) + " solvers, " +
                     std::to_string(results.problems.size()) + " problems, " +
                     std::to_string(results.rows.size()) + " results";
  if (static_cast<std::size_t>(results.rows_planned) > results.rows.size())
    text += " of " + std::to_string(results.rows_planned) + ": it was interrupted";
  text += ".\n\n";
  if (results.rows.empty() || results.tolerances.empty())
    return text + "There are no results yet.\n\n## Setup\n\n" + setup(results);

  const Summary all = summary(results);
  text += "## Summary at " + digits(results.tolerances[all.tolerance], " m/s") + "\n\n";
  text += summary_table(results, all);
  text +=
      "\nSolved: the status is converged. Problems that a solver does not accept (joints, no mass "
      "matrix) do not apply. Reached: at some moment the error was at most the tolerance, however "
      "the run ended. Own error: did the solver solve its own problem? Coulomb error: does the "
      "answer obey Coulomb's law? Time / best: on each problem, the time to reach the tolerance "
      "in ";
  text += all.error == Measure::velocity_error ? "Coulomb" : "own";
  text +=
      " error, divided by that of the fastest solver (times below 0.1 µs count as 0.1 µs); the "
      "median over the problems where the solver reached it.";
  if (all.transfers())
    text +=
        " For a solver in another process, time is only that of its own calls; converting and "
        "sending data is a separate column.";
  text += '\n';
  text += "\n## Reached at each tolerance, own error [m/s]\n\n" +
          tolerance_table(results, all, &SolverSummary::own_error);
  text += "\n## Reached at each tolerance, Coulomb error [m/s]\n\n" +
          tolerance_table(results, all, &SolverSummary::velocity_error);
  return text + "\n## Setup\n\n" + setup(results);
}

}  // namespace perpend::bench
