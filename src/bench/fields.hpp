// The fields of a campaign's results, described once (perpend/base/fields.hpp): results.h5,
// results.json, results.csv, the journal, the report, comparisons and docs/results.md read these
// tables.
#pragma once

#include <string>

#include "perpend/bench.hpp"
#include "perpend/solve/fields.hpp"

namespace perpend {

template <>
inline constexpr auto kFields<bench::Machine> =
    std::tuple{Field{"cpu", "", "the processor's name", &bench::Machine::cpu},
               Field{"cores", "", "processors that the system shows", &bench::Machine::cores},
               Field{"memory_bytes", "bytes", "memory", &bench::Machine::memory_bytes},
               Field{"os", "", "operating system and kernel", &bench::Machine::os},
               Field{"compiler", "", "the compiler of perpend", &bench::Machine::compiler},
               Field{"flags", "", "the compiler's options", &bench::Machine::flags},
               Field{"version", "", "version of perpend", &bench::Machine::version},
               Field{"commit", "", "commit of perpend", &bench::Machine::commit},
               Field{"date", "", "start time: UTC, ISO 8601", &bench::Machine::date, Role::told},
               Field{"load", "", "load of the last 1, 5 and 15 minutes at the start",
                     &bench::Machine::load, Role::told}};

template <>
inline constexpr auto kFields<bench::Settings> = std::tuple{
    Field{described<Options>("tolerance"), &bench::Settings::tolerance},
    Field{described<Options>("error"), &bench::Settings::error},
    Field{described<Options>("max_iterations"), &bench::Settings::max_iterations},
    Field{described<Options>("time_limit"), &bench::Settings::time_limit},
    Field{described<Options>("memory_limit"), &bench::Settings::memory_limit},
    Field{"warm_start", "", "started from the recorded answers", &bench::Settings::warm_start},
    Field{"repeat", "", "number of timed runs", &bench::Settings::repeat},
    Field{described<Options>("facets"), &bench::Settings::facets},
    Field{described<Options>("seed"), &bench::Settings::seed},
    Field{described<Options>("set"), &bench::Settings::set},
    Field{"history_measures", "", "what a point of a history holds: names of measures",
          &bench::Settings::history_measures},
    Field{"jobs", "", "solves at the same time", &bench::Settings::jobs, Role::told},
    Field{"command", "", "the command line", &bench::Settings::command, Role::told}};

template <>
inline constexpr auto kFields<bench::SolverEntry> = std::tuple{
    Field{"name", "", "formulation/method", &bench::SolverEntry::name},
    Field{"formulation", "", "the problem that it solves", &bench::SolverEntry::formulation},
    Field{"title", "", "the method in words", &bench::SolverEntry::title},
    Field{"reference", "", "where it was published", &bench::SolverEntry::reference},
    Field{"friction", "", "`cone`, `pyramid`, `box` or `none`; `engine`: of a recorded answer",
          &bench::SolverEntry::friction},
    Field{"origin", "",
          "`perpend`, a peer with its version, a plugin's file, or `the file` of a recorded answer",
          &bench::SolverEntry::origin}};

template <>
inline constexpr auto kFields<io::FrameCounts> =
    std::tuple{Field{"bodies", "", "bodies", &io::FrameCounts::bodies},
               Field{"contacts", "", "contacts", &io::FrameCounts::contacts},
               Field{"joints", "", "joints", &io::FrameCounts::joints},
               Field{"joint_rows", "", "rows of all joints", &io::FrameCounts::joint_rows}};

template <>
inline constexpr auto kFields<bench::ProblemEntry> = std::tuple{
    Field{"file", "", "name as in the command", &bench::ProblemEntry::file},
    Field{"frame", "", "number of the frame in the file", &bench::ProblemEntry::frame},
    Field{"title", "", "one line, if the file has one", &bench::ProblemEntry::title},
    Field{"tags", "", "`cold`: --warm-start was given, but the file has no answer",
          &bench::ProblemEntry::tags},
    Field{"counts", "", "", &bench::ProblemEntry::counts},
    Field{"hash", "", "hash of the problem, 16 hexadecimal digits", &bench::ProblemEntry::hash},
    Field{"ordinal", "", "number in the whole campaign; a shard has only some",
          &bench::ProblemEntry::ordinal, Role::stored}};

template <>
inline constexpr auto kFields<bench::Point> = std::tuple{
    Field{described<HistoryPoint>("iteration"), &bench::Point::iteration},
    Field{"seconds", "s", "the solver's own time until then, the median of the timed runs",
          &bench::Point::seconds},
    Field{described<HistoryPoint>("restart"), &bench::Point::restart},
    Field{"errors", "", "the measures of `history_measures`, each under its own name",
          &bench::Point::errors, Role::stored}};

template <>
inline constexpr auto kFields<bench::Row> = std::tuple{
    Field{"solver", "", "index into `solvers`", &bench::Row::solver},
    Field{"problem", "", "index into `problems`", &bench::Row::problem},
    Field{"machine", "", "index into `machines`", &bench::Row::machine},
    Field{described<Result>("status"), &bench::Row::status},
    Field{described<Result>("message"), &bench::Row::message},
    Field{described<Result>("path"), &bench::Row::path},
    Field{described<Result>("iterations"), &bench::Row::iterations},
    Field{"seconds", "s", "the solver's own time, the median of the timed runs",
          &bench::Row::seconds},
    Field{"seconds_low", "s", "the least of the timed runs", &bench::Row::seconds_low},
    Field{"seconds_high", "s", "the largest of the timed runs", &bench::Row::seconds_high},
    Field{described<Result>("formulation_seconds"), &bench::Row::formulation_seconds},
    Field{described<Result>("transfer_seconds"), &bench::Row::transfer_seconds},
    Field{"reproducible", "", "no time limit ended a run, and all runs agree",
          &bench::Row::reproducible},
    Field{described<Result>("work"), &bench::Row::work},
    Field{described<Result>("errors"), &bench::Row::errors},
    Field{"runs", "s", "time of each timed run", &bench::Row::runs, Role::stored},
    Field{described<Result>("history"), &bench::Row::history, Role::stored}};

}  // namespace perpend

namespace perpend::bench {

// Lists whose lengths differ from object to object have columns of their own.
template <class Value>
inline constexpr bool kRagged =
    std::is_same_v<Value, std::vector<double>> || std::is_same_v<Value, std::vector<Point>>;

// Every column that a list of T is: visit(group, name, get). A field of several numbers is several
// columns: work and errors are groups of their own, loads are numbered, counts have their names.
template <class T, class Visit>
void for_each_column(Visit visit) {
  const std::string none;
  for_each_field<T>([&](const auto& field) {
    using Value = FieldValue<decltype(field), T>;
    const auto part = [&](const auto& of) {
      return [&field, of](auto& object) -> decltype(auto) { return of(field(object)); };
    };
    const std::string name(field.name);
    if constexpr (std::is_same_v<Value, io::FrameCounts>) {
      for_each_field<Value>(
          [&](const auto& count) { visit(none, std::string(count.name), part(count)); });
    } else if constexpr (std::is_same_v<Value, Errors>) {
      for (const MeasureInfo& m : measures())
        visit(name, std::string(m.name),
              part([&m](auto& errors) -> decltype(auto) { return errors[m.measure]; }));
    } else if constexpr (std::is_same_v<Value, decltype(Row::work)>) {
      for (std::size_t w = 0; w < kWorks; ++w)
        visit(name, std::string(perpend::name(static_cast<Work>(w))),
              part([w](auto& work) -> decltype(auto) { return work[w]; }));
    } else if constexpr (std::is_same_v<Value, decltype(Machine::load)>) {
      for (std::size_t i = 0; i < std::tuple_size_v<Value>; ++i)
        visit(none, name + "_" + std::to_string(i),
              part([i](auto& load) -> decltype(auto) { return load[i]; }));
    } else if constexpr (!kRagged<Value>) {
      visit(none, name, field);
    }
  });
}

// The same for points, whose measures are columns of their own.
template <class Visit>
void for_each_point_column(const std::vector<HistoryMeasure>& measures, Visit visit) {
  for_each_column<Point>(
      [&](const std::string&, const std::string& name, const auto& get) { visit(name, get); });
  for (std::size_t i = 0; i < measures.size(); ++i)
    visit(perpend::name(measures[i]),
          [i](auto& point) -> decltype(auto) { return (point.errors[i]); });
}

}  // namespace perpend::bench
