// results.json (docs/results.md): columns, because a report of many rows has to open quickly.
#include <algorithm>

#include "bench/json.hpp"
#include "bench/texts.hpp"
#include "perpend/bench.hpp"

namespace perpend::bench {
namespace {

constexpr int kFormatVersion = 1;
// Points of a history that are shown: so many of a row, fewer when there are very many rows.
constexpr std::size_t kPointsOfRow = 60, kLeastOfRow = 12, kPointsInAll = 1000000;
// Digits of what is only drawn.
constexpr int kDrawn = 5;

// A list of value(item).
template <class List, class Value>
Json array(const List& list, Value value) {
  Json::array_t out;
  out.reserve(list.size());
  for (const auto& item : list) out.emplace_back(value(item));
  return out;
}

Json measure(const MeasureInfo& m) {
  return {{"name", m.name}, {"unit", m.unit}, {"question", m.question}};
}

// When each row first met the tolerances.
Json first(const Results& results, Measure error) {
  Json::array_t iterations, seconds;
  const std::size_t column = history_column(results.settings, error);
  for (const Row& row : results.rows) {
    const std::vector<Moment> moments = first_moments(row.history, column, results.tolerances);
    iterations.push_back(array(
        moments, [](const Moment& m) { return m.iteration < 0 ? Json() : Json(m.iteration); }));
    seconds.push_back(array(moments, [](const Moment& m) { return rounded(m.seconds, kDrawn); }));
  }
  return {{"iterations", std::move(iterations)}, {"seconds", std::move(seconds)}};
}

Json table(const Results& results, Texts& texts) {
  Json out = Json::object();
  for_each_column<Row>([&](const std::string& group, const std::string& column, const auto& get) {
    Json& into = group.empty() ? out : out[group];
    into[column] = array(results.rows, [&](const Row& row) -> Json {
      using Value = FieldValue<decltype(get), const Row>;
      if constexpr (std::is_same_v<Value, std::string>)
        return texts.index(get(row));
      else if constexpr (std::is_same_v<Value, Status>)
        return name(get(row));
      else
        return get(row);
    });
  });
  out["first"] = {{"own_error", first(results, Measure::own_error)},
                  {"velocity_error", first(results, Measure::velocity_error)}};
  return out;
}

Json histories(const Results& results) {
  const std::size_t rows = std::max<std::size_t>(1, results.rows.size());
  const std::size_t most = std::clamp(kPointsInAll / rows, kLeastOfRow, kPointsOfRow);
  std::vector<Point> points;
  std::vector<std::size_t> offset{0};
  for (const Row& row : results.rows) {
    const std::vector<Point> shown = thinned(row.history, most);
    points.insert(points.end(), shown.begin(), shown.end());
    offset.push_back(points.size());
  }
  // The numbers, then the marks.
  Json out = {{"offset", offset}}, marks = Json::object();
  const auto& listed = results.settings.history_measures;
  for_each_point_column(listed, [&](const std::string& column, const auto& get) {
    using Value = FieldValue<decltype(get), const Point>;
    if constexpr (std::is_same_v<Value, bool>)
      marks[column] = array(points, [&](const Point& p) { return get(p) ? 1 : 0; });
    else if constexpr (std::is_same_v<Value, double>)
      out[column] = array(points, [&](const Point& p) { return rounded(get(p), kDrawn); });
    else
      out[column] = array(points, [&](const Point& p) { return get(p); });
  });
  out.update(marks);
  return out;
}

}  // namespace

std::string to_json(const Results& results) {
  Texts texts;
  Json rows = table(results, texts);
  const auto objects = [](const auto& list) {
    return array(list, [](const auto& one) { return object_of(one); });
  };
  const Json document = {
      {"format", "perpend-results"},
      {"format_version", kFormatVersion},
      {"title", results.title},
      {"campaign", results.campaign},
      {"machine", object_of(results.machines.empty() ? Machine() : results.machines[0])},
      {"machines", objects(results.machines)},
      {"settings", object_of(results.settings)},
      {"tolerances", results.tolerances},
      {"measures", array(measures(), measure)},
      {"solvers", objects(results.solvers)},
      {"problems", objects(results.problems)},
      {"rows_planned", results.rows_planned},
      {"texts", texts.list()},
      {"results", std::move(rows)},
      {"histories", histories(results)}};
  return document.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace perpend::bench
