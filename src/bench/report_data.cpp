#include "bench/report_data.hpp"

#include <algorithm>
#include <limits>

#include "bench/json.hpp"
#include "bench/options.hpp"
#include "bench/pack.hpp"
#include "bench/report_figures.hpp"
#include "bench/texts.hpp"
#include "perpend/base.hpp"
#include "perpend/io/files.hpp"

namespace perpend::bench {
namespace {

constexpr std::uint32_t kNever = 0xFFFFFFFF;
constexpr std::size_t kPointsOfAll = 2'000'000;  // histories are thinned beyond that
constexpr std::size_t kPointsOfChunk = 20'000;   // what one convergence plot unpacks

std::uint32_t count(long number) {
  return number < 0 ? kNever : static_cast<std::uint32_t>(std::min<long>(number, kNever - 1));
}

// The columns' names and types, and their bytes.
class Columns {
 public:
  template <class Value>
  void add(const std::string& name, const char* type, const std::vector<Value>& values) {
    names_.push_back({{"name", name}, {"type", type}, {"length", values.size()}});
    bytes_ += shuffled(values);
  }
  const Json& names() const { return names_; }
  const std::string& bytes() const { return bytes_; }

 private:
  Json names_ = Json::array();
  std::string bytes_;
};

// When each row first reached the tolerances, and the least cost on each problem.
void add_moments(Columns& columns, const Results& results, const std::string& name,
                 const Moments& moments) {
  std::vector<std::uint32_t> iterations;
  std::vector<float> seconds, best_seconds, best_iterations;
  for (std::size_t t = 0; t < results.tolerances.size(); ++t) {
    for (std::size_t i = 0; i < results.rows.size(); ++i) {
      iterations.push_back(count(moments.at(i, t).iteration));
      seconds.push_back(brief(moments.at(i, t).seconds));
    }
    for (const double best : moments.costs(t, Cost::seconds).best)
      best_seconds.push_back(brief(best));
    for (const double best : moments.costs(t, Cost::iterations).best)
      best_iterations.push_back(brief(best));
  }
  columns.add("first." + name + ".iterations", "u32", iterations);
  columns.add("first." + name + ".seconds", "f32", seconds);
  columns.add("best." + name + ".iterations", "f32", best_iterations);
  columns.add("best." + name + ".seconds", "f32", best_seconds);
}

Columns columns_of(const Results& results, Texts& texts) {
  Columns columns;
  const auto number = [&](const auto& value) {
    using Value = std::remove_cvref_t<decltype(value)>;
    if constexpr (std::is_same_v<Value, double>)
      return brief(value);
    else if constexpr (std::is_same_v<Value, Status>)
      return static_cast<std::uint32_t>(texts.index(std::string(name(value))));
    else if constexpr (std::is_same_v<Value, std::string>)
      return static_cast<std::uint32_t>(texts.index(value));
    else
      return count(static_cast<long>(value));
  };
  for_each_column<Row>([&](const std::string& group, const std::string& column, const auto& get) {
    using Value = decltype(number(get(results.rows.front())));
    std::vector<Value> list;
    list.reserve(results.rows.size());
    for (const Row& row : results.rows) list.push_back(number(get(row)));
    columns.add(group.empty() ? column : group + "." + column,
                std::is_same_v<Value, float> ? "f32" : "u32", list);
  });
  return columns;
}

// The histories of consecutive problems.
class Chunk {
 public:
  void add(const std::vector<Point>& history) {
    counts_.push_back(static_cast<std::uint32_t>(history.size()));
    points_.insert(points_.end(), history.begin(), history.end());
  }
  std::size_t rows() const { return counts_.size(); }
  std::size_t points() const { return points_.size(); }
  // The counts, the numbers, the marks.
  std::string bytes() const {
    std::string numbers, marks;
    for_each_field<Point>([&](const auto& field) {
      using Value = FieldValue<decltype(field), const Point>;
      if constexpr (std::is_same_v<Value, bool>)
        marks += shuffled(column<std::uint8_t>([&](const Point& p) { return field(p) ? 1 : 0; }));
      else if constexpr (std::is_same_v<Value, double>)
        numbers += shuffled(
            differences(column<std::uint16_t>([&](const Point& p) { return log_code(field(p)); })));
      else
        numbers += shuffled(
            differences(column<std::uint32_t>([&](const Point& p) { return count(field(p)); })));
    });
    return shuffled(counts_) + numbers + marks;
  }

 private:
  template <class Value, class Of>
  std::vector<Value> column(Of of) const {
    std::vector<Value> list;
    list.reserve(points_.size());
    for (const Point& point : points_) list.push_back(static_cast<Value>(of(point)));
    return list;
  }

  std::vector<std::uint32_t> counts_;
  std::vector<Point> points_;
};

// The columns of a point in the order of Chunk::bytes, and how their numbers are written.
Json columns_of_points() {
  Json numbers = Json::array(), marks = Json::array();
  for_each_field<Point>([&](const auto& field) {
    using Value = FieldValue<decltype(field), const Point>;
    constexpr bool kMark = std::is_same_v<Value, bool>;
    (kMark ? marks : numbers)
        .push_back({{"name", field.name},
                    {"type", kMark                           ? "mark"
                             : std::is_same_v<Value, double> ? "log"
                                                             : "count"}});
  });
  numbers.insert(numbers.end(), marks.begin(), marks.end());
  return numbers;
}

// One line per chunk, and what each holds: [first row, rows, points]. Rows are sorted by problem,
// and a chunk ends with a problem.
std::string histories_of(const Results& results, Json& chunks) {
  const std::vector<Row>& rows = results.rows;
  std::size_t points = 0;
  for (const Row& row : rows) points += row.history.size();
  std::size_t most = std::numeric_limits<std::size_t>::max();
  if (points > kPointsOfAll) most = std::max<std::size_t>(kPointsOfAll / rows.size(), 16);

  std::string text;
  chunks = Json::array();
  Chunk chunk;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    chunk.add(rows[i].history.size() > most ? thinned(rows[i].history, most) : rows[i].history);
    const bool problem_ends = i + 1 == rows.size() || rows[i + 1].problem != rows[i].problem;
    if (!problem_ends || (chunk.points() < kPointsOfChunk && i + 1 < rows.size())) continue;
    chunks.push_back({i + 1 - chunk.rows(), chunk.rows(), chunk.points()});
    text += base64(deflated(chunk.bytes())) + "\n";
    chunk = {};
  }
  return text;
}

Json names_of(const Results& results, const Pages& pages) {
  Json meta{{"title", results.title},
            {"rows", results.rows.size()},
            {"rows_planned", results.rows_planned},
            {"tolerances", results.tolerances}};
  for (const Machine& machine : results.machines) meta["machines"].push_back(object_of(machine));
  meta["settings"] = object_of(results.settings);
  for (const MeasureInfo& info : measures())
    meta["measures"].push_back(
        {{"name", info.name}, {"unit", info.unit}, {"question", info.question}});
  for (const char* list : {"solvers", "problems"}) meta[list] = Json::array();
  for (const SolverEntry& solver : results.solvers) {
    Json entry = object_of(solver), set = Json::array();
    for (const auto& [option, value] : own_options(results.settings, solver.name))
      set.push_back(option + "=" + value);
    entry["set"] = std::move(set);
    meta["solvers"].push_back(std::move(entry));
  }
  for (const ProblemEntry& problem : results.problems) {
    meta["problems"].push_back(object_of(problem));
    if (const auto page = pages.find(problem.file); page != pages.end())
      meta["problems"].back()["page"] = page->second;
  }
  return meta;
}

// Names and messages come from anywhere: no mark of writing direction reaches the page.
void make_printable(Json& value) {
  if (value.is_string()) value = io::printable(value.get<std::string>());
  if (value.is_structured())
    for (Json& one : value) make_printable(one);
}

}  // namespace

ReportData report_data(const Results& results, const Pages& pages) {
  Texts texts;
  Columns columns = columns_of(results, texts);
  const Moments own(results, Measure::own_error), velocity(results, Measure::velocity_error);
  add_moments(columns, results, "own_error", own);
  add_moments(columns, results, "velocity_error", velocity);
  const std::vector<Group> shown = groups(results);
  Json meta = names_of(results, pages);
  for (const Group& group : shown)
    meta["groups"].push_back(
        {{"kind", group.kind}, {"name", group.name}, {"figures", group.figures}});
  meta["texts"] = texts.list();
  make_printable(meta);
  meta["columns"] = columns.names();
  meta["points"] = columns_of_points();
  ReportData data;
  data.histories = histories_of(results, meta["chunks"]);
  data.columns = base64(deflated(columns.bytes()));
  data.figures = figures_of(results, shown, own, velocity);
  // Texts come from files: bytes that are no UTF-8 become the replacement character.
  data.meta = base64(deflated(meta.dump(-1, ' ', false, Json::error_handler_t::replace)));
  return data;
}

}  // namespace perpend::bench
