// Files: the standard HDF5 file (docs/format.md), FCLIB, JSON lines of frames, raw problems,
// scenes.
//
// Bad outside data throws InputError, one line that names the file and the field.
#pragma once

#include <cstdint>
#include <fstream>
#include <iosfwd>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "perpend/scene.hpp"
#include "perpend/solve.hpp"

namespace perpend::io {

class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// What somebody answered to a frame: an engine, a solver, or a hand. Columns may be absent (empty).
struct Answer {
  Rows6 velocities_plus;                    // (n)
  Rows3 z;                                  // (m) impulses n, t, o, N s
  VectorXd z_joints;                        // (R)
  std::int64_t iterations = -1;             // -1: unknown
  std::string answered;                     // who: one of Header::answerers; empty: unknown
  std::vector<std::int8_t> slide_or_stick;  // (m) 0 open, 1 stick, 2 slide
  Errors errors;                            // NaN: unknown
};

struct Timing {  // seconds; NaN: unknown
  double collision, formulation, solver, total;
  Timing();
};

// Generalized coordinates as the file holds them: M and J, or A, row by row; absent when empty.
struct SystemColumns {
  struct Matrix {
    Integers rows;     // number of entries of each row
    Integers columns;  // of each entry
    VectorXd values;
  };
  Matrix M, J, A;  // (nv x nv), (3m + r x nv), (3m + r x 3m + r)
  VectorXd v, f;   // (nv) velocities, forces
  VectorXd b;      // (3m + r) m/s
  VectorXd mu;     // (m)
  Rows<2> bounds;  // (r) N s
};

struct Record {
  Frame frame;
  Answer answer;
  Timing timing;
  SystemColumns system;
  // Columns of the list (perpend/io/columns.hpp) that have no member: numbers of all rows, by name.
  std::map<std::string, VectorXd, std::less<>> more;
  std::string name;        // JSON lines only: what the frame shows
  std::string derivation;  // JSON lines only: how the expected velocity was found
  // JSON lines only: for whom the expected velocity holds, what it costs (docs/json.md).
  std::vector<std::string> tags;
};

struct FrameCounts {
  std::int64_t bodies, joints, joint_rows, contacts;
};
// A system without bodies is counted by its columns.
FrameCounts counts_of(const Record&);

// A system that comes without bodies, as columns: M, J, v, f and b where it has dynamics, else A
// and b.
SystemColumns to_columns(const System&);
// The rigid system of a record: of its SystemColumns where there are any, else of its frame. Throws
// InputError, a line that opens with `where`.
System system_of(const Record&, const std::string& where);

// Root attributes of the standard file.
struct Header {
  std::string engine = "perpend", engine_version, scene, created, friction_model = "coulomb",
              omitted;
  std::string units = "SI";
  std::int64_t scalar_bytes = 8;
  // Who may have answered, so that a frame can tell (Answer::answered); empty: nobody is told.
  std::vector<std::string> answerers;
  Stepper stepper = Stepper::st;
  // How perpend simulate made it, so that it can be made again; empty: unknown.
  std::string scene_json;  // the scene (docs/scene.md)
  std::string simulate;    // options by name, as JSON: recipe_json()
  std::string state_hash;  // at the end of the run; empty: it did not end
};
// Names and texts as one JSON object, and back. `where` opens the complaint of an InputError.
std::string recipe_json(const std::map<std::string, std::string>&);
std::map<std::string, std::string> recipe_of(const Header&, const std::string& where);
inline constexpr std::int64_t kFormatVersion = 1;

// Writes the standard file in the columns layout, appending frames, SWMR from the first frame on.
// A frame is safe after flush(), which append() calls when half a second has passed since the last.
class FrameWriter {
 public:
  // `chunk_rows`: rows per chunk of a dataset; few for small files, which are never smaller than
  // one chunk per dataset in use.
  FrameWriter(const std::string& path, const Header&, Index chunk_rows = 4096);
  ~FrameWriter();  // closes; errors are swallowed: call close() to see them
  FrameWriter(FrameWriter&&) noexcept;
  void append(const Record&);
  void flush();
  void close();
  void close(const std::string& state_hash);  // of a run that ended

 private:
  struct File;
  std::unique_ptr<File> file_;
};

// Solutions stored beside the frames (/solutions/<name>/).
struct StoredSolution {
  std::string name;                  // the solver's name, with its slash
  std::vector<std::int64_t> frames;  // the frames it covers
  std::vector<Rows3> z;              // per covered frame
  std::vector<VectorXd> z_joints;
  std::vector<Result> results;  // status, iterations, seconds, errors, history, z as z_own
  std::int64_t facets = 0;      // n_d
};

enum class Kind { standard, fclib, json_lines, raw_problem, scene };
std::string_view name(Kind);

// A file that was opened to see what it holds: by content, not by name. Whoever reads it is given
// the open file. HDF5 files are first opened in a child process, whose crash means "damaged file".
class OpenFile {
 public:
  explicit OpenFile(const std::string& path);
  OpenFile(OpenFile&&) noexcept;
  ~OpenFile();
  Kind kind() const;

  struct Handle;
  Handle& handle() const { return *handle_; }

 private:
  std::unique_ptr<Handle> handle_;
};
Kind kind_of(const std::string& path);

// Reads both layouts, every older version, and files a killed writer left behind.
class FrameReader {
 public:
  explicit FrameReader(const std::string& path);
  explicit FrameReader(OpenFile);
  ~FrameReader();
  FrameReader(FrameReader&&) noexcept;
  const std::string& path() const;
  const Header& header() const;
  std::int64_t format_version() const;
  std::string_view layout() const;  // "columns" or "frames"
  Index frames() const;
  FrameCounts counts(Index frame) const;
  Record read(Index frame) const;  // one frame in memory at a time
  std::vector<std::string> solutions() const;

 private:
  struct File;
  std::unique_ptr<File> file_;
};

// Adds /solutions/<name>/, or replaces it, in a copy that is renamed over the original.
void add_solution(const std::string& path, const StoredSolution&);
// One of FrameReader::solutions(). The results' `impulses` are not stored: z and z_joints are.
StoredSolution read_solution(const std::string& path, const std::string& name);
// Clears the mark a killed writer left; returns the number of frames that are safe.
Index repair(const std::string& path);
// Every complaint about a standard file; empty when it is sound.
std::vector<std::string> validate(const std::string& path);
// Writes the hierarchy of Lu et al. 2013, Figure 3 literally: /frames/000000/bodies/forces ...
void write_frames_layout(const FrameReader&, const std::string& path);

// FCLIB. A local problem gives A and b, a global one M, H, f, w; both become a System.
struct FclibProblem {
  System system;
  bool global = false;
  std::string title, description;
};
bool is_fclib(const std::string& path);
FclibProblem read_fclib(const std::string& path);
FclibProblem read_fclib(OpenFile);
// Written from a system: global when it has dynamics and `global` is wanted, else local.
void write_fclib(const System&, const std::string& path, bool global, const std::string& title);

// JSON lines: one frame per line (docs/json.md).
std::vector<Record> read_json_lines(const std::string& path);
void write_json_lines(const std::vector<Record>&, const std::string& path);
std::string to_json_line(const Record&);

// Raw LCP and MLCP problems as JSON: {"type", "n", "A": [[row, column, value]...], "b", ...}.
std::unique_ptr<LinearProblem> read_raw_problem(const std::string& path);

// Scenes as JSON (docs/scene.md).
Scene read_scene(const std::string& path);  // one that invalid() has nothing against
Scene scene_from_json(const std::string& text, const std::string& where);  // the same
void write_scene(const Scene&, const std::string& path);
std::string to_json(const Scene&);  // a body, a joint per line
inline constexpr std::int64_t kSceneVersion = 1;

// Snapshots as JSON (docs/snapshot.md).
Snapshot read_snapshot(const std::string& path);  // one that invalid() has nothing against
void write_snapshot(const Snapshot&, const std::string& path);
inline constexpr std::int64_t kSnapshotVersion = 1;

// One problem of a file of problems, ready to be solved.
struct Case {
  Index frame = 0;
  std::string title;  // JSON lines and FCLIB may have one
  std::vector<std::string> tags;
  FrameCounts counts{};
  std::optional<System> system;
  std::string refusal;  // why there is no system
  Answer answer;
  Timing timing;
};
// The recorded answer as impulses of the system; empty when none (or not one of the right size) is
// recorded. Joint impulses that are not recorded count as zero.
Impulses recorded(const Case&);

// The recorded answer beside those of solvers. Its errors are measured here. Iterations, seconds
// and own_error are the file's: own_error says how well the engine solved its own problem, measured
// when it was recorded (velocity_error if it was not). Converged where it meets the tolerance,
// stalled where not, invalid_input where none is recorded.
const SolverInfo& recorded_solver();  // "recorded"; not in the table of solvers: it cannot solve
Result recorded_result(const Case&, const Options&);

// A file of contact problems, whatever its kind: frames of a standard file or of JSON lines, or the
// one problem of an FCLIB file.
class Source {
 public:
  virtual ~Source() = default;
  virtual Index frames() const = 0;
  virtual std::string title() const = 0;  // of the whole file; may be empty
  virtual FrameCounts counts(Index frame) const = 0;
  virtual Case read(Index frame) const = 0;
};
// Both throw InputError where there are no frames: raw problems, scenes.
std::unique_ptr<Source> open_source(OpenFile);
std::unique_ptr<Source> open_source(const std::string& path);

// A plain HDF5 file of named columns, lossless: numbers, whole numbers, texts of at most 64 kB.
// A name is a path, "/results/seconds".
struct ColumnFile {
  using Column =
      std::variant<std::vector<double>, std::vector<std::int64_t>, std::vector<std::string>>;
  std::string format;  // what the root attribute `format` says
  std::int64_t version = 1;
  std::map<std::string, Column> columns;
};
void write_columns(const ColumnFile&, const std::string& path);  // whole or not at all
ColumnFile read_columns(const std::string& path, const std::string& format);

// A recording under construction: NAME.part-XXXXXX beside NAME, which it becomes when it is closed,
// or when it has ended otherwise and has frames. A recording with a frame is never removed, and an
// older file at NAME stays until then. A process that is killed leaves NAME.part-XXXXXX behind,
// which parts_of finds.

// What a recording came to.
struct RecordingEnd {
  Index frames = 0;    // that are safe, at NAME; 0: there were none, and nothing is left
  bool closed = true;  // false: its writer was killed, or could not write on
};

class PartFile {
 public:
  // Makes it, empty, under a name that nobody can guess. Throws InputError, also where NAME is
  // something else than a file or a link to one.
  explicit PartFile(const std::string& target);
  ~PartFile();  // as end(), whose complaint is swallowed
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;
  const std::string& path() const { return path_; }      // empty: it is at NAME, or was removed
  const std::string& target() const { return target_; }  // where a link leads to

  // Of a recording that was closed, with or without frames: puts it at NAME.
  void commit();
  // Of one that nobody writes any more, closed or not: clears the mark of its writer and puts it at
  // NAME where it has frames, removes it where it has none. Throws InputError when it cannot be
  // read or renamed; then it stays where it is, and the line says so.
  RecordingEnd end();

 private:
  std::string target_, path_;
};

// One NAME.part-XXXXXX.
struct LeftPart {
  std::string path;
  Index frames = 0;  // that are safe
  bool writing = false;
};
// What is left of recordings that were to become this file, the newest first.
std::vector<LeftPart> parts_of(const std::string& target);
// Puts the newest of them that has frames, and that nobody writes, at NAME, where no file may be;
// repairs the others where they are. Returns those that were repaired, as they are called now.
std::vector<LeftPart> repair_parts(const std::string& target);

// Solutions in a file under construction.

// Like add_solution, in the file itself: for one that nobody else sees yet, because a failure
// leaves it broken. `called`: what messages call it; empty: by its path.
void put_solution(const std::string& path, const StoredSolution&, const std::string& called = {});

// Frames as JSON lines (docs/json.md), one after the other or not in a file.

// The most a file of JSON lines may have.
inline constexpr std::uint64_t kLongestLines = std::uint64_t{1} << 30;  // bytes

// A file of JSON lines whose frames stay on the disk: each is read and checked at first, and read
// again when it is asked for.
class JsonLines {
 public:
  explicit JsonLines(const std::string& path);
  explicit JsonLines(OpenFile);
  Index frames() const { return static_cast<Index>(lines_.size()); }
  FrameCounts counts(Index frame) const;
  Record read(Index frame) const;
  Stepper stepper() const { return stepper_; }  // of the first frame
  const std::vector<std::string>& answerers() const { return answerers_; }

 private:
  void read_all();

  struct Line {
    std::int64_t at;  // its first byte
    std::int32_t number, bodies, joints, joint_rows, contacts;
  };
  std::string path_;
  mutable std::ifstream file_;
  std::vector<Line> lines_;
  Stepper stepper_ = Stepper::st;
  std::vector<std::string> answerers_;
};

// `name` stands for the file in errors.
std::vector<Record> read_json_lines(std::istream&, const std::string& name);

}  // namespace perpend::io
