// results.h5 (docs/results.md): everything, lossless, as named columns; and the folder of results.
#include <filesystem>

#include "bench/fields.hpp"
#include "bench/texts.hpp"
#include "perpend/bench.hpp"
#include "perpend/io/files.hpp"

namespace perpend::bench {
namespace {

constexpr const char* kFormat = "perpend-results";
constexpr std::int64_t kFormatVersion = 1;
// Not in the first files, where a list has its default.
constexpr std::array<std::string_view, 4> kLater{"transfer_seconds", "history_measures",
                                                 "joint_error", "joint_turn_error"};
constexpr std::size_t kLongest = 60000;  // of a text; HDF5 texts are read up to 64 kB

using Reals = std::vector<double>;
using Whole = std::vector<std::int64_t>;
using Words = std::vector<std::string>;

// One column of a list of things.
template <class Column, class List, class Get>
Column column(const List& list, Get get) {
  Column out;
  out.reserve(list.size());
  for (const auto& item : list) out.push_back(static_cast<typename Column::value_type>(get(item)));
  return out;
}

std::string cut(std::string text) {
  if (text.size() > kLongest) text.replace(kLongest, std::string::npos, "...");
  return text;
}

std::string joined(const Words& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : "\n") + word;
  return text;
}

Words split(const std::string& text) {
  Words words;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

std::string at(const std::string& group, const std::string& member) { return group + "/" + member; }
std::string at(const std::string& group, const std::string& part, const std::string& member) {
  return at(part.empty() ? group : at(group, part), member);
}

// How a value stands in a column.
std::string element(const std::string& value) { return cut(value); }
std::string element(const Words& value) { return cut(joined(value)); }
std::string element(const std::vector<HistoryMeasure>& value) {
  Words names;
  for (const HistoryMeasure& one : value) names.push_back(name(one));
  return joined(names);
}
std::string element(Status value) { return std::string(name(value)); }
std::string element(Measure value) { return std::string(name(value)); }
double element(double value) { return value; }
template <class Number>
std::int64_t element(Number value) {
  return static_cast<std::int64_t>(value);
}
template <class Value>
using ColumnOf = std::vector<decltype(element(std::declval<const Value&>()))>;

using Map = decltype(Settings::set);
constexpr const char *kMapNames = "_names", *kMapValues = "_values";
// Texts of rows are kept once: what stands in the column is their place in /texts.
template <class T, class Value>
constexpr bool kShared = std::is_same_v<T, Row>&& std::is_same_v<Value, std::string>;

// The columns of a list of things, under the names of their fields.
template <class T>
void put(const std::vector<T>& list, const std::string& group, io::ColumnFile& file,
         Texts* texts = nullptr) {
  for_each_column<T>([&](const std::string& part, const std::string& member, const auto& get) {
    using Value = FieldValue<decltype(get), const T>;
    const std::string path = at(group, part, member);
    if constexpr (std::is_same_v<Value, Map>) {
      const Map& map = get(list.front());
      file.columns[path + kMapNames] = column<Words>(map, [](const auto& e) { return e.first; });
      file.columns[path + kMapValues] = column<Words>(map, [](const auto& e) { return e.second; });
    } else if constexpr (kShared<T, Value>) {
      file.columns[path] =
          column<Whole>(list, [&](const T& one) { return texts->index(element(get(one))); });
    } else {
      file.columns[path] =
          column<ColumnOf<Value>>(list, [&](const T& one) { return element(get(one)); });
    }
  });
}

void put_first(const Results& results, Measure error, io::ColumnFile& file) {
  Whole iterations;
  Reals seconds;
  const std::string group = at("/results/first", std::string(name(error)));
  const std::size_t column = history_column(results.settings, error);
  for (const Row& row : results.rows)
    for (const Moment& m : first_moments(row.history, column, results.tolerances)) {
      iterations.push_back(m.iteration);
      seconds.push_back(m.seconds);
    }
  file.columns[at(group, "iterations")] = std::move(iterations);
  file.columns[at(group, "seconds")] = std::move(seconds);
}

io::ColumnFile columns_of(const Results& results) {
  io::ColumnFile file;
  file.format = kFormat;
  file.version = kFormatVersion;
  auto& c = file.columns;
  c["/title"] = Words{cut(results.title)};
  c["/campaign"] = Words{results.campaign};
  c["/rows_planned"] = Whole{results.rows_planned};
  c["/tolerances"] = results.tolerances;
  put(results.machines, "/machines", file);
  put(std::vector<Settings>{results.settings}, "/settings", file);
  put(results.solvers, "/solvers", file);
  put(results.problems, "/problems", file);
  Texts texts;
  put(results.rows, "/results", file, &texts);
  c["/texts"] = texts.list();
  put_first(results, Measure::own_error, file);
  put_first(results, Measure::velocity_error, file);

  Whole run_offset{0}, offset{0};
  Reals runs;
  std::vector<Point> points;
  for (const Row& row : results.rows) {
    runs.insert(runs.end(), row.runs.begin(), row.runs.end());
    run_offset.push_back(static_cast<std::int64_t>(runs.size()));
    points.insert(points.end(), row.history.begin(), row.history.end());
    offset.push_back(static_cast<std::int64_t>(points.size()));
  }
  c["/runs/offset"] = std::move(run_offset);
  c["/runs/seconds"] = std::move(runs);
  c["/histories/offset"] = std::move(offset);
  for_each_point_column(
      results.settings.history_measures, [&](const std::string& member, const auto& get) {
        using Value = FieldValue<decltype(get), const Point>;
        c[at("/histories", member)] =
            column<ColumnOf<Value>>(points, [&](const Point& one) { return element(get(one)); });
      });
  return file;
}

// Columns by name, with the lengths they must have.
class Reader {
 public:
  Reader(const io::ColumnFile& file, std::string path) : file_(file), path_(std::move(path)) {}

  const Words& words(const std::string& name, std::size_t size) const {
    return get<Words>(name, size);
  }
  const Whole& whole(const std::string& name, std::size_t size) const {
    return get<Whole>(name, size);
  }
  const Reals& reals(const std::string& name, std::size_t size) const {
    return get<Reals>(name, size);
  }
  bool has(const std::string& name) const { return file_.columns.count(name) > 0; }
  template <class List>
  const List& get(const std::string& name, std::size_t size) const {
    const List* list = std::get_if<List>(&find(name));
    if (!list) fail(name, std::string("is not a column of ") + kind(List()));
    if (list->size() != size)
      fail(name, "has " + std::to_string(list->size()) + " rows, expected " + std::to_string(size));
    return *list;
  }
  std::size_t size(const std::string& name) const {
    return std::visit([](const auto& list) { return list.size(); }, find(name));
  }
  // Offsets that begin at 0, ascend, and end at `end`.
  const Whole& offsets(const std::string& name, std::size_t size, std::size_t end) const {
    const Whole& list = whole(name, size);
    bool good = !list.empty() && list.front() == 0 && list.back() == static_cast<std::int64_t>(end);
    for (std::size_t i = 1; i < list.size(); ++i) good = good && list[i] >= list[i - 1];
    if (!good) fail(name, "is not a list of offsets");
    return list;
  }
  [[noreturn]] void fail(const std::string& name, const std::string& what) const {
    throw io::InputError(path_ + ": " + name + ": " + what);
  }

 private:
  const io::ColumnFile::Column& find(const std::string& name) const {
    const auto found = file_.columns.find(name);
    if (found == file_.columns.end()) fail(name, "is missing");
    return found->second;
  }
  static const char* kind(const Reals&) { return "numbers"; }
  static const char* kind(const Whole&) { return "whole numbers"; }
  static const char* kind(const Words&) { return "texts"; }

  const io::ColumnFile& file_;
  std::string path_;
};

// An element back to its value; what no writer writes is refused.
class Taker {
 public:
  Taker(const Reader& in, std::string path) : in_(in), path_(std::move(path)) {}

  void operator()(double from, double& into) const { into = from; }
  void operator()(std::int64_t from, bool& into) const { into = from != 0; }
  void operator()(std::int64_t from, std::size_t& into) const {
    if (from < 0) in_.fail(path_, "has an index out of range");
    into = static_cast<std::size_t>(from);
  }
  template <class Number>
  requires std::is_integral_v<Number>
  void operator()(std::int64_t from, Number& into) const { into = static_cast<Number>(from); }
  void operator()(const std::string& from, std::string& into) const { into = from; }
  void operator()(const std::string& from, Words& into) const { into = split(from); }
  void operator()(const std::string& from, std::vector<HistoryMeasure>& into) const {
    into.clear();
    for (const std::string& word : split(from)) {
      const auto measure = history_measure_named(word);
      if (!measure) in_.fail(path_, "has the unknown measure '" + word + "'");
      into.push_back(*measure);
    }
  }
  void operator()(const std::string& from, Measure& into) const {
    const auto measure = measure_named(from);
    if (!measure) in_.fail(path_, "has the unknown measure '" + from + "'");
    into = *measure;
  }
  void operator()(const std::string& from, Status& into) const {
    for (int s = 0; s <= static_cast<int>(Status::crashed); ++s)
      if (into = static_cast<Status>(s); name(into) == from) return;
    in_.fail(path_, "has the unknown status '" + from + "'");
  }

 private:
  const Reader& in_;
  std::string path_;
};

// What put() has written; the list has its length.
template <class T>
void take(const Reader& in, const std::string& group, std::vector<T>& list,
          const Words* texts = nullptr) {
  for_each_column<T>([&](const std::string& part, const std::string& member, const auto& get) {
    using Value = FieldValue<decltype(get), T>;
    const std::string path = at(group, part, member);
    if constexpr (std::is_same_v<Value, Map>) {
      const std::size_t n = in.size(path + kMapNames);
      const Words &names = in.words(path + kMapNames, n), &values = in.words(path + kMapValues, n);
      for (std::size_t i = 0; i < n; ++i) get(list.front())[names[i]] = values[i];
    } else if constexpr (kShared<T, Value>) {
      const Whole& places = in.whole(path, list.size());
      for (std::size_t i = 0; i < list.size(); ++i) {
        const auto place = static_cast<std::size_t>(places[i]);
        if (places[i] < 0 || place >= texts->size()) in.fail(path, "has an index out of range");
        get(list[i]) = (*texts)[place];
      }
    } else {
      const bool later = std::find(kLater.begin(), kLater.end(), member) != kLater.end();
      if (later && !in.has(path)) return;
      const auto& elements = in.get<ColumnOf<Value>>(path, list.size());
      const Taker taker(in, path);
      for (std::size_t i = 0; i < list.size(); ++i) taker(elements[i], get(list[i]));
    }
  });
}

void get_rows(const Reader& in, Results& results) {
  const std::size_t n = in.size("/results/solver"), runs = in.size("/runs/seconds");
  const Words& texts = in.words("/texts", in.size("/texts"));
  results.rows.resize(n);
  take(in, "/results", results.rows, &texts);
  const std::vector<HistoryMeasure>& listed = results.settings.history_measures;
  std::vector<Point> points(in.size("/histories/iteration"));
  for (Point& point : points) point.errors.resize(listed.size());
  for_each_point_column(listed, [&](const std::string& member, const auto& get) {
    using Value = FieldValue<decltype(get), Point>;
    const std::string path = at("/histories", member);
    const auto& elements = in.get<ColumnOf<Value>>(path, points.size());
    const Taker taker(in, path);
    for (std::size_t i = 0; i < points.size(); ++i) taker(elements[i], get(points[i]));
  });
  const Reals& seconds = in.reals("/runs/seconds", runs);
  const Whole &offset = in.offsets("/histories/offset", n + 1, points.size()),
              &run_offset = in.offsets("/runs/offset", n + 1, runs);
  for (std::size_t i = 0; i < n; ++i) {
    Row& row = results.rows[i];
    const auto check = [&](const char* column, bool inside) {
      if (!inside) in.fail(column, "has an index out of range");
    };
    check("/results/solver", row.solver < results.solvers.size());
    check("/results/problem", row.problem < results.problems.size());
    check("/results/machine", row.machine < results.machines.size());
    row.runs.assign(seconds.begin() + run_offset[i], seconds.begin() + run_offset[i + 1]);
    row.history.assign(points.begin() + offset[i], points.begin() + offset[i + 1]);
  }
}

}  // namespace

void write_results(const Results& results, const std::string& folder) {
  const std::filesystem::path path(folder);
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (!std::filesystem::is_directory(path))
    throw io::InputError(folder + ": cannot make this folder" +
                         (error ? ": " + error.message() : ""));
  io::write_columns(columns_of(results), (path / "results.h5").string());
  io::write_text((path / "results.csv").string(), to_csv(results));
  io::write_text((path / "results.json").string(), to_json(results));
}

Results read_results(const std::string& path) {
  std::error_code ignored;
  const bool folder = std::filesystem::is_directory(path, ignored);
  const std::string file = folder ? (std::filesystem::path(path) / "results.h5").string() : path;
  if (!std::filesystem::exists(file, ignored))
    throw io::InputError(folder ? path + ": has no results.h5" : path + ": no such file");
  const io::ColumnFile columns = io::read_columns(file, kFormat);
  const Reader in(columns, file);
  if (columns.version != kFormatVersion)
    throw io::InputError(file + ": format_version " + std::to_string(columns.version) +
                         " is unknown; this program reads " + std::to_string(kFormatVersion));
  Results results;
  results.title = in.words("/title", 1)[0];
  results.campaign = in.words("/campaign", 1)[0];
  results.rows_planned = in.whole("/rows_planned", 1)[0];
  results.tolerances = in.reals("/tolerances", in.size("/tolerances"));
  std::vector<Settings> settings(1);
  take(in, "/settings", settings);
  results.settings = settings.front();
  for (const Measure needed : {Measure::own_error, Measure::velocity_error})
    if (history_column(results.settings, needed) == results.settings.history_measures.size())
      in.fail("/settings/history_measures", "lacks " + std::string(name(needed)));
  results.machines.resize(in.size("/machines/cpu"));
  take(in, "/machines", results.machines);
  results.solvers.resize(in.size("/solvers/name"));
  take(in, "/solvers", results.solvers);
  results.problems.resize(in.size("/problems/file"));
  take(in, "/problems", results.problems);
  get_rows(in, results);
  return results;
}

}  // namespace perpend::bench
