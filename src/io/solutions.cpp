// Solutions stored beside the frames: /solutions/<formulation>/<method>/ (docs/format.md).
//
// They are added to closed files only, in a copy that is renamed over the original: what is created
// in a file after its writer went into SWMR mode would be lost with the process. From the copy to
// the renaming the folder is locked, so that two who add at once lose nothing.
#include <algorithm>
#include <cmath>
#include <limits>

#include "io/hdf5.hpp"
#include "io/layouts.hpp"
#include "io/probe.hpp"
#include "perpend/io.hpp"
#include "perpend/io/files.hpp"

namespace perpend::io {
namespace {

// Rows of /solutions/<name>/offsets: where each covered frame begins, and how many rows it has.
enum Part : std::size_t { kContacts, kJointRows, kOwn, kHistory, kParts };
using Row = std::array<std::int64_t, 2 * kParts>;

std::string group_of(const std::string& path, const std::string& name) {
  const std::size_t slash = name.find('/');
  if (slash == 0 || slash == std::string::npos || slash + 1 == name.size() ||
      name.find('/', slash + 1) != std::string::npos || name.find('.') != std::string::npos)
    h5::fail(path, "", "the name of a solution is formulation/method, not \"" + name + "\"");
  return "/solutions/" + name;
}

template <class T, class Member>
std::vector<T> gather(const std::vector<Result>& results, Member member) {
  std::vector<T> values;
  values.reserve(results.size());
  for (const Result& result : results) values.push_back(static_cast<T>(member(result)));
  return values;
}

template <class T>
void write_column(const h5::File& file, const std::string& name, const std::vector<T>& values,
                  hsize_t width = 0) {
  std::vector<hsize_t> shape{values.size()};
  if (width) shape = {values.size() / width, width};
  h5::write(file, name, shape, values.data());
}

void check(const std::string& path, const StoredSolution& s, const FrameReader& reader) {
  const std::size_t n = s.frames.size();
  if (s.z.size() != n || s.z_joints.size() != n || s.results.size() != n)
    h5::fail(path, "/solutions/" + s.name, "has columns of different lengths");
  for (std::size_t i = 0; i < n; ++i) {
    if (s.frames[i] < 0 || s.frames[i] >= reader.frames())
      h5::fail(path, "/solutions/" + s.name,
               "covers frame " + std::to_string(s.frames[i]) + ", which the file does not have");
    FrameCounts counts = reader.counts(s.frames[i]);
    if (counts.bodies == 0) {  // a system that comes without bodies
      const SystemColumns system = reader.read(s.frames[i]).system;
      counts.contacts = system.mu.size();
      counts.joint_rows = system.bounds.rows();
    }
    if (s.z[i].rows() != counts.contacts || s.z_joints[i].size() != counts.joint_rows)
      h5::fail(path, "/solutions/" + s.name,
               "does not fit frame " + std::to_string(s.frames[i]) + " with " +
                   std::to_string(counts.contacts) + " contacts and " +
                   std::to_string(counts.joint_rows) + " joint rows");
  }
}

void write_results(const h5::File& file, const std::string& at,
                   const std::vector<Result>& results) {
  const auto column = [&]<class T>(const char* name, T, auto member) {
    write_column(file, at + name, gather<T>(results, member));
  };
  column("iterations", std::int64_t{}, [](const Result& r) { return r.iterations; });
  column("seconds", double{}, [](const Result& r) { return r.seconds; });
  column("formulation_seconds", double{}, [](const Result& r) { return r.formulation_seconds; });
  column("transfer_seconds", double{}, [](const Result& r) { return r.transfer_seconds; });
  column("reproducible", std::int8_t{}, [](const Result& r) { return r.reproducible; });
  for (const MeasureInfo& info : measures())
    column(("errors/" + std::string(info.name)).c_str(), double{},
           [&](const Result& r) { return r.errors[info.measure]; });
  std::vector<std::int64_t> work;
  for (const Result& r : results) work.insert(work.end(), r.work.begin(), r.work.end());
  write_column(file, at + "work", work, kWorks);
  h5::write_strings(file, at + "status",
                    gather<std::string>(results, [](const Result& r) { return name(r.status); }));
  h5::write_strings(file, at + "message",
                    gather<std::string>(results, [](const Result& r) { return r.message; }));
  h5::write_strings(file, at + "path",
                    gather<std::string>(results, [](const Result& r) { return r.path; }));

  std::vector<HistoryPoint> points;
  for (const Result& r : results) points.insert(points.end(), r.history.begin(), r.history.end());
  std::vector<std::int64_t> iterations;
  std::vector<double> seconds, errors;
  std::vector<std::int8_t> restarts;
  for (const HistoryPoint& p : points) {
    iterations.push_back(p.iteration);
    seconds.push_back(p.seconds);
    restarts.push_back(p.restart);
  }
  write_column(file, at + "history/iteration", iterations);
  write_column(file, at + "history/seconds", seconds);
  write_column(file, at + "history/restart", restarts);
  for (const MeasureInfo& info : measures()) {
    errors.clear();
    for (const HistoryPoint& p : points) errors.push_back(p.errors[info.measure]);
    write_column(file, at + "history/" + std::string(info.name), errors);
  }
  // At lambda^k only what was asked for.
  for (const MeasureInfo& info : measures()) {
    errors.clear();
    for (const HistoryPoint& p : points) errors.push_back(p.iterate[info.measure]);
    if (std::all_of(errors.begin(), errors.end(), [](double e) { return std::isnan(e); })) continue;
    write_column(file, at + "history/" + name(HistoryMeasure(info.measure, true)), errors);
  }
}

void write_solution(const h5::File& file, const std::string& group, const StoredSolution& s) {
  const std::string at = group + "/";
  std::vector<std::int64_t> offsets;
  std::vector<double> z, z_joints, z_own;
  std::int64_t points = 0;
  for (std::size_t i = 0; i < s.frames.size(); ++i) {
    const VectorXd& own = s.results[i].z;
    const std::int64_t history = static_cast<std::int64_t>(s.results[i].history.size());
    const Row row{static_cast<std::int64_t>(z.size() / 3),
                  static_cast<std::int64_t>(z_joints.size()),
                  static_cast<std::int64_t>(z_own.size()),
                  points,
                  s.z[i].rows(),
                  s.z_joints[i].size(),
                  own.size(),
                  history};
    offsets.insert(offsets.end(), row.begin(), row.end());
    z.insert(z.end(), s.z[i].data(), s.z[i].data() + s.z[i].size());
    z_joints.insert(z_joints.end(), s.z_joints[i].begin(), s.z_joints[i].end());
    z_own.insert(z_own.end(), own.begin(), own.end());
    points += history;
  }
  write_column(file, at + "frames", s.frames);
  write_column(file, at + "offsets", offsets, 2 * kParts);
  write_column(file, at + "z", z, 3);
  write_column(file, at + "z_joints", z_joints);
  write_column(file, at + "z_own", z_own);
  write_results(file, at, s.results);
  const std::string formulation = s.name.substr(0, s.name.find('/'));
  for (const std::string& object : {group, at + "z_own"}) {
    h5::write_attribute(file, object, "formulation", formulation);
    h5::write_attribute(file, object, "n_d", s.facets);
  }
}

Status status_named(const h5::File& file, const std::string& dataset, const std::string& text) {
  for (int i = 0; i <= static_cast<int>(Status::crashed); ++i)
    if (name(static_cast<Status>(i)) == text) return static_cast<Status>(i);
  h5::fail(file.path(), dataset, "has the unknown status \"" + text + "\"");
}

// Columns of a stored solution, each checked against the number of its rows.
class SolutionColumns {
 public:
  SolutionColumns(const h5::File& file, std::string at) : file_(file), at_(std::move(at)) {}

  template <class T>
  std::vector<T> column(const std::string& name, std::size_t rows,
                        const std::vector<hsize_t>& width = {}) const {
    std::vector<T> values = h5::read_all<T>(file_, at_ + name, width);
    std::size_t size = rows;
    for (hsize_t w : width) size *= static_cast<std::size_t>(w);
    if (values.size() != size) wrong_length(name, rows);
    return values;
  }
  std::vector<std::string> texts(const std::string& name, std::size_t rows) const {
    std::vector<std::string> values = h5::read_strings(file_, at_ + name);
    if (values.size() != rows) wrong_length(name, rows);
    return values;
  }
  std::size_t rows(const std::string& name) const {
    return static_cast<std::size_t>(h5::Dataset(file_, at_ + name).rows());
  }
  const h5::File& file() const { return file_; }
  const std::string& at() const { return at_; }
  [[noreturn]] void wrong_length(const std::string& name, std::size_t rows) const {
    h5::fail(file_.path(), at_ + name, "does not have " + std::to_string(rows) + " rows");
  }

 private:
  const h5::File& file_;
  std::string at_;
};

void read_results(const SolutionColumns& stored, std::size_t n, std::vector<Result>& results) {
  results.resize(n);
  const auto iterations = stored.column<std::int64_t>("iterations", n);
  const auto seconds = stored.column<double>("seconds", n);
  const auto formulation_seconds = stored.column<double>("formulation_seconds", n);
  const bool transfer =  // older files lack it
      h5::find(stored.file(), stored.at() + "transfer_seconds") != h5::Found::nothing;
  const auto transfer_seconds =
      transfer ? stored.column<double>("transfer_seconds", n) : std::vector<double>(n);
  const auto reproducible = stored.column<std::int8_t>("reproducible", n);
  const auto work = stored.column<std::int64_t>("work", n, {kWorks});
  const auto status = stored.texts("status", n);
  const auto message = stored.texts("message", n);
  const auto path = stored.texts("path", n);
  for (std::size_t i = 0; i < n; ++i) {
    Result& r = results[i];
    r.status = status_named(stored.file(), stored.at() + "status", status[i]);
    r.message = message[i];
    r.path = path[i];
    r.iterations = static_cast<long>(iterations[i]);
    r.seconds = seconds[i];
    r.formulation_seconds = formulation_seconds[i];
    r.transfer_seconds = transfer_seconds[i];
    r.reproducible = reproducible[i] != 0;
    for (std::size_t k = 0; k < kWorks; ++k) r.work[k] = static_cast<long>(work[i * kWorks + k]);
  }
  for (const MeasureInfo& info : measures()) {
    const auto errors = stored.column<double>("errors/" + std::string(info.name), n);
    for (std::size_t i = 0; i < n; ++i) results[i].errors[info.measure] = errors[i];
  }
}

std::vector<HistoryPoint> read_history(const SolutionColumns& stored, std::size_t n) {
  std::vector<HistoryPoint> points(n);
  const auto iterations = stored.column<std::int64_t>("history/iteration", n);
  const auto seconds = stored.column<double>("history/seconds", n);
  const auto restarts = stored.column<std::int8_t>("history/restart", n);
  for (std::size_t i = 0; i < n; ++i) {
    points[i].iteration = static_cast<long>(iterations[i]);
    points[i].seconds = seconds[i];
    points[i].restart = restarts[i] != 0;
  }
  for (const MeasureInfo& info : measures()) {
    const auto errors = stored.column<double>("history/" + std::string(info.name), n);
    for (std::size_t i = 0; i < n; ++i) points[i].errors[info.measure] = errors[i];
    const std::string at_iterate = "history/" + name(HistoryMeasure(info.measure, true));
    if (h5::find(stored.file(), stored.at() + at_iterate) == h5::Found::nothing) continue;
    const auto iterate = stored.column<double>(at_iterate, n);
    for (std::size_t i = 0; i < n; ++i) points[i].iterate[info.measure] = iterate[i];
  }
  return points;
}

}  // namespace

std::vector<std::string> stored_solutions(const h5::File& file) {
  std::vector<std::string> names;
  if (h5::find(file, "/solutions") != h5::Found::group) return names;
  for (const std::string& formulation : h5::members(file, "/solutions")) {
    const std::string group = "/solutions/" + formulation;
    if (h5::find(file, group) != h5::Found::group) continue;
    for (const std::string& method : h5::members(file, group))
      if (h5::find(file, group + "/" + method) == h5::Found::group)
        names.push_back(formulation + "/" + method);
  }
  return names;
}

void put_solution(const std::string& path, const StoredSolution& solution,
                  const std::string& called) {
  const h5::Silence quiet;
  const std::string& named = called.empty() ? path : called;
  const std::string group = group_of(named, solution.name);
  {
    const FrameReader reader(path);
    check(named, solution, reader);
    if (h5::File::open(path).unclosed())
      h5::fail(named, "", "was not closed by its writer; repair it before you add solutions");
  }
  h5::File file = h5::File::open_for_writing(path, named);
  if (h5::find(file, group) != h5::Found::nothing &&
      H5Ldelete(file, group.c_str(), H5P_DEFAULT) < 0)
    h5::fail(named, group, "cannot be replaced (" + h5::reason() + ")");
  h5::make_group(file, group);
  write_solution(file, group, solution);
  file.finish();
}

void add_solution(const std::string& path, const StoredSolution& solution) {
  { const FrameReader sound(path); }  // what is wrong with it is told under its own name
  OutputFile replacement(path, OutputFile::Content::hdf5);
  const FolderLock turn(replacement.place().path);
  replacement.copy(path);
  put_solution(replacement.path(), solution, path);
  replacement.commit();
}

StoredSolution read_solution(const std::string& path, const std::string& name) {
  const h5::Silence quiet;
  const std::string group = group_of(path, name);
  probe(path);
  const h5::File file = h5::File::open(path);
  if (h5::find(file, group) != h5::Found::group) h5::fail(path, group, "is missing");
  const SolutionColumns stored(file, group + "/");
  StoredSolution s;
  s.name = name;
  std::string formulation = name.substr(0, name.find('/'));
  h5::read_attribute(file, group, "formulation", formulation);
  h5::read_attribute(file, group, "n_d", s.facets);
  s.frames = h5::read_all<std::int64_t>(file, group + "/frames");
  const std::size_t n = s.frames.size();
  const auto offsets = stored.column<std::int64_t>("offsets", n, {2 * kParts});
  const std::array<std::size_t, kParts> rows{stored.rows("z"), stored.rows("z_joints"),
                                             stored.rows("z_own"),
                                             stored.rows("history/iteration")};
  const auto z = stored.column<double>("z", rows[kContacts], {3});
  const auto z_joints = stored.column<double>("z_joints", rows[kJointRows]);
  const auto z_own = stored.column<double>("z_own", rows[kOwn]);
  const std::vector<HistoryPoint> points = read_history(stored, rows[kHistory]);
  read_results(stored, n, s.results);
  for (std::size_t i = 0; i < n; ++i) {
    std::array<std::size_t, kParts> first{}, count{};
    for (std::size_t k = 0; k < kParts; ++k) {
      const std::int64_t begin = offsets[i * 2 * kParts + k],
                         size = offsets[i * 2 * kParts + kParts + k],
                         there = static_cast<std::int64_t>(rows[k]);
      if (begin < 0 || size < 0 || begin > there || size > there - begin)
        h5::fail(path, group + "/offsets", "row " + std::to_string(i) + " is out of range");
      first[k] = static_cast<std::size_t>(begin);
      count[k] = static_cast<std::size_t>(size);
    }
    s.z.push_back(Eigen::Map<const Rows3>(z.data() + 3 * first[kContacts],
                                          static_cast<Index>(count[kContacts]), 3));
    s.z_joints.push_back(Eigen::Map<const VectorXd>(z_joints.data() + first[kJointRows],
                                                    static_cast<Index>(count[kJointRows])));
    Result& result = s.results[i];
    result.z =
        Eigen::Map<const VectorXd>(z_own.data() + first[kOwn], static_cast<Index>(count[kOwn]));
    result.formulation = formulation;
    result.history.assign(points.begin() + static_cast<long>(first[kHistory]),
                          points.begin() + static_cast<long>(first[kHistory] + count[kHistory]));
  }
  return s;
}

}  // namespace perpend::io
