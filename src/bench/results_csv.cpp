// results.csv (docs/results.md): one line per row, for spreadsheets and data frames.
#include <cmath>
#include <functional>

#include "bench/json.hpp"
#include "perpend/base/csv_text.hpp"
#include "perpend/bench.hpp"

namespace perpend::bench {
namespace {

// What stands in a line: fields of the row and of its problem; a group is all its columns.
constexpr std::string_view kColumns[] = {
    "solver",   "file",        "frame",        "status",          "path",   "iterations",
    "seconds",  "seconds_low", "seconds_high", "reproducible",    "errors", "work",
    "contacts", "joint_rows",  "message",      "transfer_seconds"};

std::string text(const std::string& value) { return csv_text(value); }
std::string text(Status value) { return std::string(name(value)); }
std::string text(bool value) { return value ? "true" : "false"; }
std::string text(double value) { return std::isfinite(value) ? exact(value) : ""; }
template <class Whole>
std::string text(Whole value) {
  return std::to_string(value);
}

struct Cell {
  std::string group, name;
  std::function<std::string(const Row&)> text;
};

// Every column that there is, and from it those of a line in their order.
std::vector<Cell> cells(const Results& results) {
  std::vector<Cell> all{
      {"", "solver", [&](const Row& row) { return text(results.solvers[row.solver].name); }}};
  for_each_column<Row>([&](const std::string& group, const std::string& name, const auto& get) {
    all.push_back({group, name, [get](const Row& row) { return text(get(row)); }});
  });
  for_each_column<ProblemEntry>(
      [&](const std::string& group, const std::string& name, const auto& get) {
        if constexpr (!std::is_same_v<FieldValue<decltype(get), const ProblemEntry>,
                                      decltype(ProblemEntry::tags)>)
          all.push_back({group, name, [get, &results](const Row& row) {
                           return text(get(results.problems[row.problem]));
                         }});
      });
  std::vector<Cell> line;
  for (const std::string_view column : kColumns)
    for (const Cell& cell : all) {
      const bool single = cell.group.empty() && cell.name == column;
      if (single || cell.group == column) line.push_back(cell);
      if (single) break;  // the solver's name, not its index
    }
  return line;
}

}  // namespace

std::string to_csv(const Results& results) {
  const std::vector<Cell> line = cells(results);
  std::string out;
  for (const Cell& cell : line) out.append(out.empty() ? "" : ",").append(cell.name);
  out += '\n';
  for (const Row& row : results.rows) {
    for (std::size_t i = 0; i < line.size(); ++i)
      out.append(i == 0 ? "" : ",").append(line[i].text(row));
    out += '\n';
  }
  return out;
}

}  // namespace perpend::bench
