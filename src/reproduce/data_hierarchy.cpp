// Lu et al. 2013, Fig. 3 and Table 1: the hierarchy of the file. A run with contacts and joints is
// recorded, written in the layout of Fig. 3 (a group for every frame), listed by HDF5's own program
// h5ls, and read back.
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <cstring>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>

#include "perpend/host.hpp"
#include "perpend/io.hpp"
#include "perpend/io/columns.hpp"
#include "reproduce/kit.hpp"

namespace perpend::reproduce {
namespace {

constexpr std::array<const char*, 24> kFields{"bodies/forces",
                                              "bodies/ids",
                                              "bodies/inertia",
                                              "bodies/masses",
                                              "bodies/positions",
                                              "bodies/quaternions",
                                              "bodies/velocities",
                                              "constraints/jacobian",
                                              "constraints/bounds",
                                              "constraints/pairs",
                                              "constraints/rows",
                                              "constraints/violation",
                                              "contacts/gap",
                                              "contacts/mu",
                                              "contacts/normals",
                                              "contacts/pairs",
                                              "contacts/points",
                                              "solution/z",
                                              "solution/total_error",
                                              "solution/normal_error",
                                              "solution/friction_error",
                                              "solution/iterations",
                                              "solution/slide_or_stick",
                                              "step"};

const io::Column* column_named(std::string_view wanted) {
  for (const io::Column& one : io::columns())
    if (one.name == wanted) return &one;
  return nullptr;
}

// The bytes of a column in a record.
std::string bytes_of(const io::Column& column, const io::Record& record) {
  const io::Column::View view = column.view(record);
  return {static_cast<const char*>(view.data),
          static_cast<std::size_t>(view.rows) * column.row_bytes()};
}

constexpr std::array<const char*, 4> kGroups{"bodies", "constraints", "contacts", "solution"};
constexpr Index kFrames = 6;

using Listing = std::map<std::string, std::string>;

// What `h5ls -r` lists: "Group" or "Dataset {8, 6}" by path. Empty if it fails, none if it is not
// installed.
std::optional<Listing> listed(const std::string& file, const OwnFolder& folder) {
  const std::string program = host::program_on_path("h5ls"), answer = folder.path / "h5ls";
  if (program.empty()) return {};
  Listing out;
  const int to = ::open(answer.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  if (to < 0) return out;
  host::Environment environment;
  host::Child child;
  const int failed = child.start({program, "-r", file}, environment, -1, to);
  ::close(to);
  if (failed != 0 || child.wait().code() != 0) return out;
  std::ifstream lines(answer);
  for (std::string line, path, kind; std::getline(lines, line);) {
    std::istringstream words(line);
    if (words >> path && std::getline(words >> std::ws, kind)) out[path] = kind;
  }
  return out;
}

// Each frame of Fig. 3 has the groups and datasets of Table 1.
void add_listing(Outcome& out, const std::optional<Listing>& found) {
  const Listing paths = found.value_or(Listing{});
  Index frames = 0, whole_frames = 0;
  std::string lacking;
  Table table{"data-hierarchy-h5ls", "Frame 0 as h5ls lists it", {"path", "what"}, {}};
  for (const auto& entry : paths) {
    const std::string &path = entry.first, &kind = entry.second;  // a lambda takes no binding
    const std::size_t slash = path.rfind('/');
    if (path.substr(0, slash) != "/frames") continue;
    ++frames;
    const auto is = [&](const std::string& name, const char* what) {
      const auto at = paths.find(path + "/" + name);
      const bool there = at != paths.end() && at->second.starts_with(what);
      if (!there) lacking += (lacking.empty() ? "" : ", ") + path + "/" + name;
      return there;
    };
    bool all = kind == "Group";
    for (const char* group : kGroups) all = is(group, "Group") && all;
    for (const char* field : kFields) all = is(field, "Dataset") && all;
    whole_frames += all;
    if (frames == 1)
      for (const auto& [below, what] : paths)
        if (below.starts_with(path + "/")) table.rows.push_back({below, what});
  }
  Claim claim{"Fig. 3",
              "frames in which h5ls lists the four groups and the 24 datasets",
              exactly(static_cast<double>(kFrames)),
              static_cast<double>(whole_frames),
              std::to_string(frames) + " groups below /frames, " + std::to_string(paths.size()) +
                  " paths in all.",
              "Lacking: " + lacking + ".",
              ""};
  if (!found) claim.missing = "The program h5ls is not installed (hdf5-tools).";
  out.claims.push_back(claim);
  if (!table.rows.empty()) out.tables.push_back(std::move(table));
}

Outcome run_data_hierarchy(const Settings& settings) {
  const OwnFolder folder;
  const std::string plain = folder.path / "columns.h5", frames = folder.path / "frames.h5";
  SimulateOptions options;
  options.steps = 60;
  options.out = plain;
  options.record = [](Index step, const Frame&) { return step % 10 == 9; };
  simulated(built_in("hose"), options, settings);
  const io::FrameReader recorded_run(plain);
  io::write_frames_layout(recorded_run, frames);
  const io::FrameReader again(frames);

  Outcome out;
  out.text =
      "Scene hose, which has contacts and joints: six steps of a run, written in the layout "
      "of Fig. 3, listed by h5ls and read back. A field counts if it is there with at least one "
      "row.";
  Table table{"data-hierarchy", "Table 1", {"field", "unit", "rows", "same after reading"}, {}};
  double present = 0, same = 0;
  std::string missing;
  const Index last = again.frames() - 1;
  const io::Record first = recorded_run.read(last), second = again.read(last);
  for (const char* field : kFields) {
    const io::Column* column = column_named(field);
    const Index rows = column ? column->view(second).rows : 0;
    const bool equal = rows > 0 && bytes_of(*column, first) == bytes_of(*column, second);
    present += rows > 0;
    same += equal;
    if (rows == 0) missing += (missing.empty() ? "" : ", ") + std::string(field);
    table.rows.push_back({field, column ? std::string(column->unit) : "", std::to_string(rows),
                          equal ? "yes" : "no"});
  }
  out.claims.push_back({"Table 1", "fields that the file has",
                        exactly(static_cast<double>(kFields.size())), present,
                        missing.empty() ? "" : "Missing: " + missing + ".", "", ""});
  add_listing(out, listed(frames, folder));
  out.claims.push_back({"Section 5", "fields with the same bits after writing and reading",
                        exactly(static_cast<double>(kFields.size())), same,
                        "“All the data needed to reconstruct the time-stepping subproblem.”", "",
                        ""});
  out.tables.push_back(std::move(table));
  return out;
}

}  // namespace

Experiment data_hierarchy() {
  return {"data-hierarchy", kInterfacePaper, "Fig. 3, Table 1", "what the file holds",
          run_data_hierarchy};
}

}  // namespace perpend::reproduce
