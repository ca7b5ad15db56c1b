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

// A list of value(item).
template <class List, class Value>
Json array(const List& list, Value value) {
  Json::array_t out;
  out.reserve(list.size());
  for (const auto& item : list) out.emplace_back(value(item));
  return out;
}

Json settings(const Settings& s) {
  return {{"tolerance", s.tolerance},
          {"error", name(s.error)},
          {"max_iterations", s.max_iterations},
          {"time_limit", s.time_limit},
          {"memory_limit", s.memory_limit},
          {"warm_start", s.warm_start},
          {"repeat", s.repeat},
          {"facets", s.facets},
          {"seed", s.seed},
          {"set", s.set},
          {"jobs", s.jobs},
          {"command", s.command}};
}

Json solver(const SolverEntry& s) {
  return {{"name", s.name},           {"formulation", s.formulation}, {"title", s.title},
          {"reference", s.reference}, {"friction", s.friction},       {"origin", s.origin}};
}

Json problem(const ProblemEntry& p) {
  return {{"file", p.file},
          {"frame", p.frame},
          {"title", p.title},
          {"tags", p.tags},
          {"bodies", p.counts.bodies},
          {"contacts", p.counts.contacts},
          {"joints", p.counts.joints},
          {"joint_rows", p.counts.joint_rows},
          {"hash", p.hash}};
}

Json measure(const MeasureInfo& m) {
  return {{"name", m.name}, {"unit", m.unit}, {"question", m.question}};
}

// When each row first met the tolerances.
Json first(const Results& results, double Point::*error) {
  Json::array_t iterations, seconds;
  for (const Row& row : results.rows) {
    const std::vector<Moment> moments = first_moments(row.history, error, results.tolerances);
    iterations.push_back(array(
        moments, [](const Moment& m) { return m.iteration < 0 ? Json() : Json(m.iteration); }));
    seconds.push_back(array(moments, [](const Moment& m) { return rounded(m.seconds, kDrawn); }));
  }
  return {{"iterations", std::move(iterations)}, {"seconds", std::move(seconds)}};
}

Json table(const Results& results, Texts& texts) {
  const auto column = [&](auto value) { return array(results.rows, value); };
  Json work = Json::object(), errors = Json::object();
  for (std::size_t w = 0; w < kWorks; ++w)
    work[std::string(name(static_cast<Work>(w)))] = column([&](const Row& r) { return r.work[w]; });
  for (const MeasureInfo& m : measures())
    errors[std::string(m.name)] = column([&](const Row& r) { return r.errors[m.measure]; });
  return {{"solver", column([](const Row& r) { return r.solver; })},
          {"problem", column([](const Row& r) { return r.problem; })},
          {"machine", column([](const Row& r) { return r.machine; })},
          {"status", column([](const Row& r) { return name(r.status); })},
          {"message", column([&](const Row& r) { return texts.index(r.message); })},
          {"path", column([&](const Row& r) { return texts.index(r.path); })},
          {"iterations", column([](const Row& r) { return r.iterations; })},
          {"seconds", column([](const Row& r) { return r.seconds; })},
          {"seconds_low", column([](const Row& r) { return r.seconds_low; })},
          {"seconds_high", column([](const Row& r) { return r.seconds_high; })},
          {"formulation_seconds", column([](const Row& r) { return r.formulation_seconds; })},
          {"reproducible", column([](const Row& r) { return r.reproducible; })},
          {"work", std::move(work)},
          {"errors", std::move(errors)},
          {"first",
           {{"own_error", first(results, &Point::own_error)},
            {"velocity_error", first(results, &Point::velocity_error)}}}};
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
  const auto drawn = [&](double Point::*member) {
    return array(points, [&](const Point& p) { return rounded(p.*member, kDrawn); });
  };
  return {{"offset", offset},
          {"iteration", array(points, [](const Point& p) { return p.iteration; })},
          {"seconds", drawn(&Point::seconds)},
          {"own_error", drawn(&Point::own_error)},
          {"velocity_error", drawn(&Point::velocity_error)},
          {"normal_error", drawn(&Point::normal_error)},
          {"friction_error", drawn(&Point::friction_error)},
          {"restart", array(points, [](const Point& p) { return p.restart ? 1 : 0; })}};
}

}  // namespace

std::string to_json(const Results& results) {
  Texts texts;
  Json rows = table(results, texts);
  const auto machine = [](const Machine& m) { return record_of(m); };
  const Json document = {
      {"format", "perpend-results"},
      {"format_version", kFormatVersion},
      {"title", results.title},
      {"campaign", results.campaign},
      {"machine", machine(results.machines.empty() ? Machine() : results.machines[0])},
      {"machines", array(results.machines, machine)},
      {"settings", settings(results.settings)},
      {"tolerances", results.tolerances},
      {"measures", array(measures(), measure)},
      {"solvers", array(results.solvers, solver)},
      {"problems", array(results.problems, problem)},
      {"rows_planned", results.rows_planned},
      {"texts", texts.list()},
      {"results", std::move(rows)},
      {"histories", histories(results)}};
  return document.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace perpend::bench
