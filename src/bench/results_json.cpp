// results.json (docs/results.md): columns, because a report of many rows has to open quickly.
#include <algorithm>

#include "bench/json.hpp"
#include "bench/records.hpp"
#include "bench/texts.hpp"
#include "perpend/bench.hpp"

namespace perpend::bench {
namespace {

constexpr int kFormatVersion = 1;
// Points of a history that are shown: so many of a row, fewer when there are very many rows.
constexpr std::size_t kPointsOfRow = 60, kLeastOfRow = 12, kPointsInAll = 1000000;
// Digits of what is only drawn.
constexpr int kDrawn = 5;

template <class List, class Write>
std::string array(const List& list, Write write) {
  std::string text = "[";
  for (const auto& item : list) {
    if (text.size() > 1) text += ',';
    text += write(item);
  }
  return text + "]";
}

std::string words(const std::vector<std::string>& list) { return array(list, quoted); }

// Objects are written member by member: "name":value,...
class Object {
 public:
  Object& add(std::string_view name, const std::string& json) {
    text_.append(text_.empty() ? "{\"" : ",\"").append(name).append("\":").append(json);
    return *this;
  }
  std::string text() const { return text_.empty() ? "{}" : text_ + "}"; }

 private:
  std::string text_;
};

std::string machine(const Machine& m) {
  return record_of(m).dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string settings(const Settings& s) {
  Object set;
  for (const auto& [name, value] : s.set) {
    const std::string key = quoted(name);
    set.add(key.substr(1, key.size() - 2), quoted(value));
  }
  return Object()
      .add("tolerance", exact(s.tolerance))
      .add("error", quoted(std::string(name(s.error))))
      .add("max_iterations", std::to_string(s.max_iterations))
      .add("time_limit", exact(s.time_limit))
      .add("memory_limit", exact(s.memory_limit))
      .add("warm_start", s.warm_start ? "true" : "false")
      .add("repeat", std::to_string(s.repeat))
      .add("facets", std::to_string(s.facets))
      .add("seed", std::to_string(s.seed))
      .add("set", set.text())
      .add("jobs", std::to_string(s.jobs))
      .add("command", quoted(s.command))
      .text();
}

std::string solver(const SolverEntry& s) {
  return Object()
      .add("name", quoted(s.name))
      .add("formulation", quoted(s.formulation))
      .add("title", quoted(s.title))
      .add("reference", quoted(s.reference))
      .add("friction", quoted(s.friction))
      .add("origin", quoted(s.origin))
      .text();
}

std::string problem(const ProblemEntry& p) {
  return Object()
      .add("file", quoted(p.file))
      .add("frame", std::to_string(p.frame))
      .add("title", quoted(p.title))
      .add("tags", words(p.tags))
      .add("bodies", std::to_string(p.counts.bodies))
      .add("contacts", std::to_string(p.counts.contacts))
      .add("joints", std::to_string(p.counts.joints))
      .add("joint_rows", std::to_string(p.counts.joint_rows))
      .add("hash", quoted(p.hash))
      .text();
}

std::string measure_list() {
  return array(measures(), [](const MeasureInfo& m) {
    return Object()
        .add("name", quoted(std::string(m.name)))
        .add("unit", quoted(std::string(m.unit)))
        .add("question", quoted(std::string(m.question)))
        .text();
  });
}

std::string first(const Results& results, double Point::*error) {
  std::string iterations = "[", seconds = "[";
  for (const Row& row : results.rows) {
    const std::vector<Moment> moments = first_moments(row.history, error, results.tolerances);
    if (iterations.size() > 1) iterations += ',', seconds += ',';
    iterations += array(moments, [](const Moment& m) {
      return m.iteration < 0 ? std::string("null") : std::to_string(m.iteration);
    });
    seconds += array(moments, [](const Moment& m) { return rounded(m.seconds, kDrawn); });
  }
  return Object().add("iterations", iterations + "]").add("seconds", seconds + "]").text();
}

template <class Write>
std::string column(const Results& results, Write write) {
  return array(results.rows, write);
}

std::string table(const Results& results, Texts& texts) {
  Object work, errors;
  for (std::size_t w = 0; w < kWorks; ++w)
    work.add(name(static_cast<Work>(w)),
             column(results, [&](const Row& r) { return std::to_string(r.work[w]); }));
  for (const MeasureInfo& m : measures())
    errors.add(m.name, column(results, [&](const Row& r) { return exact(r.errors[m.measure]); }));
  const auto text = [&](const std::string& t) { return std::to_string(texts.index(t)); };
  return Object()
      .add("solver", column(results, [](const Row& r) { return std::to_string(r.solver); }))
      .add("problem", column(results, [](const Row& r) { return std::to_string(r.problem); }))
      .add("machine", column(results, [](const Row& r) { return std::to_string(r.machine); }))
      .add("status",
           column(results, [](const Row& r) { return quoted(std::string(name(r.status))); }))
      .add("message", column(results, [&](const Row& r) { return text(r.message); }))
      .add("path", column(results, [&](const Row& r) { return text(r.path); }))
      .add("iterations", column(results, [](const Row& r) { return std::to_string(r.iterations); }))
      .add("seconds", column(results, [](const Row& r) { return exact(r.seconds); }))
      .add("seconds_low", column(results, [](const Row& r) { return exact(r.seconds_low); }))
      .add("seconds_high", column(results, [](const Row& r) { return exact(r.seconds_high); }))
      .add("formulation_seconds",
           column(results, [](const Row& r) { return exact(r.formulation_seconds); }))
      .add("reproducible",
           column(results,
                  [](const Row& r) { return std::string(r.reproducible ? "true" : "false"); }))
      .add("work", work.text())
      .add("errors", errors.text())
      .add("first", Object()
                        .add("own_error", first(results, &Point::own_error))
                        .add("velocity_error", first(results, &Point::velocity_error))
                        .text())
      .text();
}

std::string histories(const Results& results) {
  const std::size_t rows = std::max<std::size_t>(1, results.rows.size());
  const std::size_t most = std::clamp(kPointsInAll / rows, kLeastOfRow, kPointsOfRow);
  std::vector<Point> points;
  std::vector<std::size_t> offset{0};
  for (const Row& row : results.rows) {
    const std::vector<Point> shown = thinned(row.history, most);
    points.insert(points.end(), shown.begin(), shown.end());
    offset.push_back(points.size());
  }
  const auto drawn = [&](double Point::*member) {
    return array(points, [&](const Point& p) { return rounded(p.*member, kDrawn); });
  };
  return Object()
      .add("offset", array(offset, [](std::size_t o) { return std::to_string(o); }))
      .add("iteration", array(points, [](const Point& p) { return std::to_string(p.iteration); }))
      .add("seconds", drawn(&Point::seconds))
      .add("own_error", drawn(&Point::own_error))
      .add("velocity_error", drawn(&Point::velocity_error))
      .add("normal_error", drawn(&Point::normal_error))
      .add("friction_error", drawn(&Point::friction_error))
      .add("restart",
           array(points, [](const Point& p) { return std::string(p.restart ? "1" : "0"); }))
      .text();
}

}  // namespace

std::string to_json(const Results& results) {
  Texts texts;
  const std::string rows = table(results, texts);
  return Object()
             .add("format", "\"perpend-results\"")
             .add("format_version", std::to_string(kFormatVersion))
             .add("title", quoted(results.title))
             .add("campaign", quoted(results.campaign))
             .add("machine", machine(results.machines.empty() ? Machine() : results.machines[0]))
             .add("machines", array(results.machines, machine))
             .add("settings", settings(results.settings))
             .add("tolerances", array(results.tolerances, exact))
             .add("measures", measure_list())
             .add("solvers", array(results.solvers, solver))
             .add("problems", array(results.problems, problem))
             .add("rows_planned", std::to_string(results.rows_planned))
             .add("texts", words(texts.list()))
             .add("results", rows)
             .add("histories", histories(results))
             .text() +
         "\n";
}

}  // namespace perpend::bench
