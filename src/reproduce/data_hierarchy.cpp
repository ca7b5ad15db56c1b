// Lu et al. 2013, Fig. 3 and Table 1: the hierarchy of the file. A run with contacts and joints is
// recorded, written in the layout of Fig. 3 (a group for every frame) and read back.
#include <array>
#include <cmath>
#include <cstring>

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
      "of Fig. 3 and read back. A field counts if it is there with at least one row.";
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
  out.claims.push_back({"Fig. 3", "frames in the layout of a group for every frame", exactly(6),
                        again.layout() == "frames" ? static_cast<double>(again.frames()) : 0.0, "",
                        "", ""});
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
