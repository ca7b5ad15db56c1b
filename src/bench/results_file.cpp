// results.h5 (docs/results.md): everything, lossless, as named columns; and the folder of results.
#include <filesystem>

#include "bench/texts.hpp"
#include "perpend/bench.hpp"
#include "perpend/io/files.hpp"

namespace perpend::bench {
namespace {

constexpr const char* kFormat = "perpend-results";
constexpr std::int64_t kFormatVersion = 1;
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

// The columns of the points, written and read by one list.
struct PointColumn {
  const char* name;
  double Point::*member;
};
constexpr PointColumn kPointColumns[] = {{"seconds", &Point::seconds},
                                         {"own_error", &Point::own_error},
                                         {"velocity_error", &Point::velocity_error},
                                         {"normal_error", &Point::normal_error},
                                         {"friction_error", &Point::friction_error}};
struct RowColumn {
  const char* name;
  double Row::*member;
};
constexpr RowColumn kRowColumns[] = {{"seconds", &Row::seconds},
                                     {"seconds_low", &Row::seconds_low},
                                     {"seconds_high", &Row::seconds_high},
                                     {"formulation_seconds", &Row::formulation_seconds}};
struct MachineColumn {
  const char* name;
  std::string Machine::*member;
};
constexpr MachineColumn kMachineColumns[] = {
    {"cpu", &Machine::cpu},     {"os", &Machine::os},           {"compiler", &Machine::compiler},
    {"flags", &Machine::flags}, {"version", &Machine::version}, {"commit", &Machine::commit},
    {"date", &Machine::date}};
struct SolverColumn {
  const char* name;
  std::string SolverEntry::*member;
};
constexpr SolverColumn kSolverColumns[] = {
    {"name", &SolverEntry::name},         {"formulation", &SolverEntry::formulation},
    {"title", &SolverEntry::title},       {"reference", &SolverEntry::reference},
    {"friction", &SolverEntry::friction}, {"origin", &SolverEntry::origin}};

std::string at(const char* group, std::string_view member) {
  return std::string(group) + "/" + std::string(member);
}

void put_settings(const Settings& s, io::ColumnFile& file) {
  auto& c = file.columns;
  c["/settings/tolerance"] = Reals{s.tolerance};
  c["/settings/error"] = Words{std::string(name(s.error))};
  c["/settings/max_iterations"] = Whole{s.max_iterations};
  c["/settings/time_limit"] = Reals{s.time_limit};
  c["/settings/memory_limit"] = Reals{s.memory_limit};
  c["/settings/warm_start"] = Whole{s.warm_start ? 1 : 0};
  c["/settings/repeat"] = Whole{s.repeat};
  c["/settings/facets"] = Whole{s.facets};
  c["/settings/seed"] = Whole{static_cast<std::int64_t>(s.seed)};
  c["/settings/jobs"] = Whole{s.jobs};
  c["/settings/command"] = Words{cut(s.command)};
  c["/settings/set_names"] = column<Words>(s.set, [](const auto& e) { return e.first; });
  c["/settings/set_values"] = column<Words>(s.set, [](const auto& e) { return e.second; });
}

void put_first(const Results& results, double Point::*error, const char* group,
               io::ColumnFile& file) {
  Whole iterations;
  Reals seconds;
  for (const Row& row : results.rows)
    for (const Moment& m : first_moments(row.history, error, results.tolerances)) {
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
  for (const MachineColumn& m : kMachineColumns)
    c[at("/machines", m.name)] =
        column<Words>(results.machines, [&](const Machine& x) { return cut(x.*m.member); });
  c["/machines/cores"] = column<Whole>(results.machines, [](const Machine& x) { return x.cores; });
  c["/machines/memory_bytes"] =
      column<Reals>(results.machines, [](const Machine& x) { return x.memory_bytes; });
  for (std::size_t i = 0; i < 3; ++i)
    c["/machines/load_" + std::to_string(i)] =
        column<Reals>(results.machines, [&](const Machine& x) { return x.load[i]; });
  put_settings(results.settings, file);
  for (const SolverColumn& s : kSolverColumns)
    c[at("/solvers", s.name)] =
        column<Words>(results.solvers, [&](const SolverEntry& x) { return x.*s.member; });

  using P = ProblemEntry;
  const auto& problems = results.problems;
  c["/problems/file"] = column<Words>(problems, [](const P& p) { return cut(p.file); });
  c["/problems/frame"] = column<Whole>(problems, [](const P& p) { return p.frame; });
  c["/problems/title"] = column<Words>(problems, [](const P& p) { return cut(p.title); });
  c["/problems/tags"] = column<Words>(problems, [](const P& p) { return cut(joined(p.tags)); });
  c["/problems/bodies"] = column<Whole>(problems, [](const P& p) { return p.counts.bodies; });
  c["/problems/contacts"] = column<Whole>(problems, [](const P& p) { return p.counts.contacts; });
  c["/problems/joints"] = column<Whole>(problems, [](const P& p) { return p.counts.joints; });
  c["/problems/joint_rows"] =
      column<Whole>(problems, [](const P& p) { return p.counts.joint_rows; });
  c["/problems/hash"] = column<Words>(problems, [](const P& p) { return p.hash; });
  c["/problems/ordinal"] = column<Whole>(problems, [](const P& p) { return p.ordinal; });

  Texts texts;
  const auto& rows = results.rows;
  c["/results/solver"] = column<Whole>(rows, [](const Row& r) { return r.solver; });
  c["/results/problem"] = column<Whole>(rows, [](const Row& r) { return r.problem; });
  c["/results/machine"] = column<Whole>(rows, [](const Row& r) { return r.machine; });
  c["/results/status"] = column<Words>(rows, [](const Row& r) { return name(r.status); });
  c["/results/message"] =
      column<Whole>(rows, [&](const Row& r) { return texts.index(cut(r.message)); });
  c["/results/path"] = column<Whole>(rows, [&](const Row& r) { return texts.index(cut(r.path)); });
  c["/texts"] = texts.list();
  c["/results/iterations"] = column<Whole>(rows, [](const Row& r) { return r.iterations; });
  c["/results/reproducible"] =
      column<Whole>(rows, [](const Row& r) { return r.reproducible ? 1 : 0; });
  for (const RowColumn& one : kRowColumns)
    c[at("/results", one.name)] = column<Reals>(rows, [&](const Row& r) { return r.*one.member; });
  for (std::size_t w = 0; w < kWorks; ++w)
    c[at("/results/work", name(static_cast<Work>(w)))] =
        column<Whole>(rows, [&](const Row& r) { return r.work[w]; });
  for (const MeasureInfo& m : measures())
    c[at("/results/errors", m.name)] =
        column<Reals>(rows, [&](const Row& r) { return r.errors[m.measure]; });
  put_first(results, &Point::own_error, "/results/first/own_error", file);
  put_first(results, &Point::velocity_error, "/results/first/velocity_error", file);

  Whole run_offset{0}, offset{0}, iteration, restart;
  Reals runs;
  std::vector<Point> points;
  for (const Row& row : rows) {
    runs.insert(runs.end(), row.runs.begin(), row.runs.end());
    run_offset.push_back(static_cast<std::int64_t>(runs.size()));
    points.insert(points.end(), row.history.begin(), row.history.end());
    offset.push_back(static_cast<std::int64_t>(points.size()));
  }
  c["/runs/offset"] = std::move(run_offset);
  c["/runs/seconds"] = std::move(runs);
  c["/histories/offset"] = std::move(offset);
  c["/histories/iteration"] = column<Whole>(points, [](const Point& p) { return p.iteration; });
  c["/histories/restart"] = column<Whole>(points, [](const Point& p) { return p.restart ? 1 : 0; });
  for (const PointColumn& one : kPointColumns)
    c[at("/histories", one.name)] =
        column<Reals>(points, [&](const Point& p) { return p.*one.member; });
  return file;
}

// Columns by name, with the lengths they must have.
class Reader {
 public:
  Reader(const io::ColumnFile& file, std::string path) : file_(file), path_(std::move(path)) {}

  const Reals& reals(const std::string& name, std::size_t size) const {
    return get<Reals>(name, size, "numbers");
  }
  const Whole& whole(const std::string& name, std::size_t size) const {
    return get<Whole>(name, size, "whole numbers");
  }
  const Words& words(const std::string& name, std::size_t size) const {
    return get<Words>(name, size, "texts");
  }
  std::size_t size(const std::string& name) const {
    return std::visit([](const auto& list) { return list.size(); }, find(name));
  }
  // Whole numbers that are indices below `limit`.
  const Whole& indices(const std::string& name, std::size_t size, std::size_t limit) const {
    const Whole& list = whole(name, size);
    for (const std::int64_t i : list)
      if (i < 0 || static_cast<std::size_t>(i) >= limit) fail(name, "points outside");
    return list;
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
    if (found == file_.columns.end()) fail(name, "is not there");
    return found->second;
  }
  template <class List>
  const List& get(const std::string& name, std::size_t size, const char* what) const {
    const List* list = std::get_if<List>(&find(name));
    if (!list) fail(name, std::string("is no column of ") + what);
    if (list->size() != size)
      fail(name, "has " + std::to_string(list->size()) + " rows, expected " + std::to_string(size));
    return *list;
  }

  const io::ColumnFile& file_;
  std::string path_;
};

Settings get_settings(const Reader& in) {
  Settings s;
  s.tolerance = in.reals("/settings/tolerance", 1)[0];
  const std::string& error = in.words("/settings/error", 1)[0];
  if (const auto measure = measure_named(error))
    s.error = *measure;
  else
    in.fail("/settings/error", "no measure is called '" + error + "'");
  s.max_iterations = in.whole("/settings/max_iterations", 1)[0];
  s.time_limit = in.reals("/settings/time_limit", 1)[0];
  s.memory_limit = in.reals("/settings/memory_limit", 1)[0];
  s.warm_start = in.whole("/settings/warm_start", 1)[0] != 0;
  s.repeat = in.whole("/settings/repeat", 1)[0];
  s.facets = in.whole("/settings/facets", 1)[0];
  s.seed = static_cast<std::uint64_t>(in.whole("/settings/seed", 1)[0]);
  s.jobs = in.whole("/settings/jobs", 1)[0];
  s.command = in.words("/settings/command", 1)[0];
  const std::size_t n = in.size("/settings/set_names");
  for (std::size_t i = 0; i < n; ++i)
    s.set[in.words("/settings/set_names", n)[i]] = in.words("/settings/set_values", n)[i];
  return s;
}

Status status_named(const Reader& in, const std::string& text) {
  for (int s = 0; s <= static_cast<int>(Status::crashed); ++s)
    if (name(static_cast<Status>(s)) == text) return static_cast<Status>(s);
  in.fail("/results/status", "no status is called '" + text + "'");
}

void get_lists(const Reader& in, Results& results) {
  results.machines.resize(in.size("/machines/cpu"));
  const std::size_t machines = results.machines.size();
  for (std::size_t i = 0; i < machines; ++i) {
    Machine& m = results.machines[i];
    for (const MachineColumn& one : kMachineColumns)
      m.*one.member = in.words(at("/machines", one.name), machines)[i];
    m.cores = in.whole("/machines/cores", machines)[i];
    m.memory_bytes = in.reals("/machines/memory_bytes", machines)[i];
    for (std::size_t k = 0; k < 3; ++k)
      m.load[k] = in.reals("/machines/load_" + std::to_string(k), machines)[i];
  }
  results.solvers.resize(in.size("/solvers/name"));
  for (std::size_t i = 0; i < results.solvers.size(); ++i)
    for (const SolverColumn& one : kSolverColumns)
      results.solvers[i].*one.member =
          in.words(at("/solvers", one.name), results.solvers.size())[i];

  results.problems.resize(in.size("/problems/file"));
  const std::size_t n = results.problems.size();
  const Words &file = in.words("/problems/file", n), &title = in.words("/problems/title", n),
              &tags = in.words("/problems/tags", n), &hash = in.words("/problems/hash", n);
  const Whole &frame = in.whole("/problems/frame", n), &bodies = in.whole("/problems/bodies", n),
              &joints = in.whole("/problems/joints", n),
              &joint_rows = in.whole("/problems/joint_rows", n),
              &contacts = in.whole("/problems/contacts", n),
              &ordinal = in.whole("/problems/ordinal", n);
  for (std::size_t i = 0; i < n; ++i)
    results.problems[i] = {file[i],
                           frame[i],
                           title[i],
                           split(tags[i]),
                           {bodies[i], joints[i], joint_rows[i], contacts[i]},
                           hash[i],
                           ordinal[i]};
}

void get_rows(const Reader& in, Results& results) {
  const std::size_t n = in.size("/results/solver"), points = in.size("/histories/iteration"),
                    runs = in.size("/runs/seconds"), texts = in.size("/texts");
  const Words &text = in.words("/texts", texts), &status = in.words("/results/status", n);
  const Whole &solver = in.indices("/results/solver", n, results.solvers.size()),
              &problem = in.indices("/results/problem", n, results.problems.size()),
              &machine = in.indices("/results/machine", n, results.machines.size()),
              &message = in.indices("/results/message", n, texts),
              &path = in.indices("/results/path", n, texts),
              &iterations = in.whole("/results/iterations", n),
              &reproducible = in.whole("/results/reproducible", n),
              &offset = in.offsets("/histories/offset", n + 1, points),
              &run_offset = in.offsets("/runs/offset", n + 1, runs),
              &iteration = in.whole("/histories/iteration", points),
              &restart = in.whole("/histories/restart", points);
  const Reals& run_seconds = in.reals("/runs/seconds", runs);
  results.rows.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    Row& row = results.rows[i];
    row.solver = static_cast<std::size_t>(solver[i]);
    row.problem = static_cast<std::size_t>(problem[i]);
    row.machine = static_cast<std::size_t>(machine[i]);
    row.status = status_named(in, status[i]);
    row.message = text[static_cast<std::size_t>(message[i])];
    row.path = text[static_cast<std::size_t>(path[i])];
    row.iterations = iterations[i];
    row.reproducible = reproducible[i] != 0;
    row.runs.assign(run_seconds.begin() + run_offset[i], run_seconds.begin() + run_offset[i + 1]);
    for (std::int64_t p = offset[i]; p < offset[i + 1]; ++p) {
      Point point{};
      point.iteration = iteration[static_cast<std::size_t>(p)];
      point.restart = restart[static_cast<std::size_t>(p)] != 0;
      row.history.push_back(point);
    }
  }
  for (const RowColumn& one : kRowColumns) {
    const Reals& list = in.reals(at("/results", one.name), n);
    for (std::size_t i = 0; i < n; ++i) results.rows[i].*one.member = list[i];
  }
  for (std::size_t w = 0; w < kWorks; ++w) {
    const Whole& list = in.whole(at("/results/work", name(static_cast<Work>(w))), n);
    for (std::size_t i = 0; i < n; ++i) results.rows[i].work[w] = list[i];
  }
  for (const MeasureInfo& m : measures()) {
    const Reals& list = in.reals(at("/results/errors", m.name), n);
    for (std::size_t i = 0; i < n; ++i) results.rows[i].errors[m.measure] = list[i];
  }
  for (const PointColumn& one : kPointColumns) {
    const Reals& list = in.reals(at("/histories", one.name), points);
    std::size_t next = 0;
    for (Row& row : results.rows)
      for (Point& point : row.history) point.*one.member = list[next++];
  }
}

}  // namespace

void write_results(const Results& results, const std::string& folder) {
  const std::filesystem::path path(folder);
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (!std::filesystem::is_directory(path))
    throw io::InputError(folder + ": no such folder can be made" +
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
    throw io::InputError(folder ? path + ": holds no results.h5" : path + ": no such file");
  const io::ColumnFile columns = io::read_columns(file, kFormat);
  const Reader in(columns, file);
  if (columns.version != kFormatVersion)
    throw io::InputError(file + ": format_version " + std::to_string(columns.version) +
                         " is not known; this program reads " + std::to_string(kFormatVersion));
  Results results;
  results.title = in.words("/title", 1)[0];
  results.campaign = in.words("/campaign", 1)[0];
  results.rows_planned = in.whole("/rows_planned", 1)[0];
  results.tolerances = in.reals("/tolerances", in.size("/tolerances"));
  results.settings = get_settings(in);
  get_lists(in, results);
  get_rows(in, results);
  return results;
}

}  // namespace perpend::bench
