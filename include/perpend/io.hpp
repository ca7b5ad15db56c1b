// Reading and writing files: the standard HDF5 file (docs/format.md), FCLIB, JSON lines of frames,
// raw problems, scenes, snapshots.
//
// Functions throw InputError for bad data: one line with the file and the field.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <iosfwd>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "perpend/scene.hpp"
#include "perpend/solve.hpp"

namespace perpend::io {

class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  InputError(const std::string& what, std::string missing)
      : std::runtime_error(what), missing_(std::move(missing)) {}
  // The dataset that is not there. Empty: something else is wrong.
  const std::string& missing() const { return missing_; }

 private:
  std::string missing_;
};

// The answer to a frame: by an engine, by a solver or by hand. Columns may be empty.
struct Answer {
  Rows6 velocities_plus;                    // (n)
  Rows3 z;                                  // (m) impulses n, t, o, N s
  VectorXd z_joints;                        // (R)
  std::int64_t iterations = -1;             // -1: unknown
  std::string answered;                     // by whom: one of Header::answerers; empty: unknown
  std::vector<std::int8_t> slide_or_stick;  // (m) 0 open, 1 stick, 2 slide
  Errors errors;                            // NaN: unknown
};

struct Timing {  // seconds; NaN: unknown
  double collision, formulation, solver, total;
  Timing();
};

// A system in generalized coordinates, as in the file: M and J, or A, row by row. Empty: none.
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

// A text of a fixed length, as files hold names and events: HDF5's SWMR mode takes no others. A
// longer text is cut, between two letters of UTF-8.
template <std::size_t Bytes>
class FixedText {
 public:
  FixedText() = default;
  FixedText(std::string_view text) { text.copy(bytes_.data(), cut(text)); }
  std::string str() const { return std::string(bytes_.data(), length()); }
  bool operator==(const FixedText&) const = default;

 private:
  static std::size_t cut(std::string_view text) {
    text = text.substr(0, text.find('\0'));
    std::size_t end = std::min(text.size(), Bytes);
    while (end > 0 && end < text.size() && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80)
      --end;
    return end;
  }
  std::size_t length() const {
    return static_cast<std::size_t>(std::find(bytes_.begin(), bytes_.end(), '\0') - bytes_.begin());
  }
  std::array<char, Bytes> bytes_{};
};
using NameText = FixedText<64>;
using EventText = FixedText<512>;

// Names and shapes of bodies, names of joints: once for each body and joint of a file. A body may
// have several shapes.
struct ModelColumns {
  enum class Kind : std::int8_t { box, sphere, cylinder, cone, capsule, hull, mesh, plane };

  Integers body_ids;  // as in Bodies::ids
  std::vector<NameText> body_names;
  Integers shape_bodies;  // ids
  std::vector<Kind> shape_kinds;
  Rows<7>
      shape_poses;    // m; position and w, x, y, z in the body's frame: centre of mass, quaternion
  Rows3 shape_sizes;  // m; half extents; or radius and height
  Rows<4, std::int64_t> shape_meshes;  // first vertex, their number, first triangle, their number
  Rows3 vertices;                      // m, in the frame of the shape
  Rows<3, std::int64_t> triangles;     // vertices, counted from the first one of the shape
  Integers joint_ids;                  // as in Record::joint_ids
  std::vector<NameText> joint_names;

  bool empty() const { return body_ids.empty() && joint_ids.empty(); }
};
// Why a model cannot be used, with column and row. Empty if it can.
std::string invalid(const ModelColumns&);
// The ids of a scene's bodies in frames: their place if none has an id, else those without come
// after all ids. Recorders count from 0, our simulator from 1. Joints are known by their place.
std::vector<std::int64_t> body_ids(const Scene&, std::int64_t first = 0);
// The model of a scene with these body ids. `bodies` are those of a frame at this time, s, of a run
// that has just begun: they tell which frame an engine gives a body. Bodies that the frame lacks
// are left out.
ModelColumns model_of(const Scene&, const std::vector<std::int64_t>& ids, const Bodies& bodies,
                      double time);
// The scene of a model, to be drawn: bodies stand at the origin, without masses. A mesh stays one.
Scene scene_of(const ModelColumns&);

struct Record {
  Frame frame;
  Answer answer;
  Timing timing;
  SystemColumns system;
  // Columns of the file that have no member here, by name: the numbers of all rows.
  std::map<std::string, VectorXd, std::less<>> more;
  Integers joint_ids;  // (K) which joint it is, from frame to frame; negative: one without a name
  // Names and shapes that come with this frame, and what hands did since the frame before (an event
  // as a JSON object; docs/view.md). Readers of the standard file have them for the whole file.
  ModelColumns model;
  std::vector<EventText> events;
  std::string name;        // JSON lines only: what the frame shows
  std::string derivation;  // JSON lines only: how the expected velocity was found
  // JSON lines only: the friction models with this solution, and how hard it is (docs/json.md).
  std::vector<std::string> tags;
};

struct FrameCounts {
  std::int64_t bodies, joints, joint_rows, contacts;
};
// For a record without bodies, the counts of its SystemColumns.
FrameCounts counts_of(const Record&);

// A system as columns: M, J, v, f and b if it has dynamics, else A and b.
SystemColumns to_columns(const System&);
// The rigid system of a record: from its SystemColumns if it has any, else from its frame. Throws
// InputError; the message begins with `where`.
System system_of(const Record&, const std::string& where);

// Root attributes of the standard file.
struct Header {
  std::string engine = "perpend", engine_version, scene, created, friction_model = "coulomb",
              omitted;
  std::string units = "SI";
  std::int64_t scalar_bytes = 8;
  // The solvers that may have answered a frame; Answer::answered is one of them.
  std::vector<std::string> answerers;
  Stepper stepper = Stepper::st;
  // What a reader must know (docs/format.md); FrameWriter raises it to what its frames need.
  std::int64_t format_version = 1;
  // How `perpend simulate` made the file, so that it can be repeated; empty: unknown.
  std::string scene_json;  // the scene (docs/scene.md)
  std::string simulate;    // options by name, as JSON: recipe_json()
  std::string state_hash;  // at the end of the run; empty: it did not end
};
// Names and texts as one JSON object, and back. The message of an InputError begins with `where`.
std::string recipe_json(const std::map<std::string, std::string>&);
std::map<std::string, std::string> recipe_of(const Header&, const std::string& where);
inline constexpr std::int64_t kFormatVersion = 3;  // the newest

// Writes the standard file in the columns layout, frame by frame, in HDF5's SWMR mode. A frame is
// safe after flush(); append() calls it every half second.
class FrameWriter {
 public:
  // `chunk_rows`: rows per chunk of a dataset. Choose few for small files: each dataset takes at
  // least one chunk.
  FrameWriter(const std::string& path, const Header&, Index chunk_rows = 4096);
  ~FrameWriter();  // closes and ignores errors; call close() to see them
  FrameWriter(FrameWriter&&) noexcept;
  void append(const Record&);
  void flush();
  void close();
  void close(const std::string& state_hash);  // of a run that came to its end

 private:
  void raise_version(std::int64_t version);
  struct File;
  std::unique_ptr<File> file_;
};

// A solver's answers, stored beside the frames in `/solutions/NAME/`.
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

// An open file whose kind is known, by content and not by name. Pass it on to a reader. HDF5 files
// are first opened in a child process; if that crashes, the file is damaged.
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

// Reads a standard file: both layouts, every older version, and files of writers that were killed.
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
  // A column with one real number per frame ("time"), of all frames; NaN: absent.
  std::vector<double> numbers(std::string_view column) const;
  // Of the whole file; empty: it has none.
  ModelColumns model() const;
  std::vector<std::string> events() const;
  std::vector<std::string> solutions() const;

 private:
  struct File;
  std::unique_ptr<File> file_;
};

// Adds or replaces `/solutions/NAME/`, in a copy that then replaces the file.
void add_solution(const std::string& path, const StoredSolution&);
// One of FrameReader::solutions(). The results have no `impulses`; use z and z_joints.
StoredSolution read_solution(const std::string& path, const std::string& name);
// Repairs the file of a writer that was killed, and returns the number of frames in it. `changed`
// tells whether there was anything to repair.
Index repair(const std::string& path, bool* changed = nullptr);
// Everything that is wrong with a standard file. Empty if nothing is.
// `notes`: what is worth knowing and no reason to refuse the file.
std::vector<std::string> validate(const std::string& path,
                                  std::vector<std::string>* notes = nullptr);
// Writes the frames layout (Lu et al. 2013, Fig. 3): /frames/000000/bodies/forces ...
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
// Writes a global problem if `global` is set and the system has dynamics, else a local one.
void write_fclib(const System&, const std::string& path, bool global, const std::string& title);

// JSON lines: one frame per line (docs/json.md).
std::vector<Record> read_json_lines(const std::string& path);
void write_json_lines(const std::vector<Record>&, const std::string& path);
std::string to_json_line(const Record&);

// Raw LCP and MLCP problems as JSON: {"type", "n", "A": [[row, column, value]...], "b", ...}.
std::unique_ptr<LinearProblem> read_raw_problem(const std::string& path);

// Scenes as JSON (docs/scene.md).
Scene read_scene(const std::string& path);  // throws if invalid(scene) is not empty
Scene scene_from_json(const std::string& text, const std::string& where);  // the same
void write_scene(const Scene&, const std::string& path);
// Drives and control of a scene's joints from a file of their own (docs/scene.md): for models,
// which have joints and names, but no servos.
void add_control(Scene&, const std::string& path);
std::string to_json(const Scene&);  // one line per body and per joint
inline constexpr std::int64_t kSceneVersion = 1;

// Snapshots as JSON (docs/snapshot.md).
Snapshot read_snapshot(const std::string& path);  // throws if invalid(snapshot) is not empty
void write_snapshot(const Snapshot&, const std::string& path);
inline constexpr std::int64_t kSnapshotVersion = 1;

class Names;  // perpend/io/names.hpp
class NamedFrame;

// One problem of a file, ready to be solved.
struct Case {
  Index frame = 0;
  std::string title;  // of JSON lines and FCLIB; may be empty
  std::vector<std::string> tags;
  FrameCounts counts{};
  std::optional<System> system;
  std::string refusal;  // why there is no system
  Answer answer;
  Timing timing;
  std::shared_ptr<const NamedFrame> named;  // what its rows are called; null: numbers
};
// The recorded answer as impulses of the system. Empty if there is none of the right size. Joint
// impulses that are not recorded are zero.
Impulses recorded(const Case&);

// The recorded answer as a Result, to compare with solvers. Iterations, seconds and own_error are
// those of the file: own_error says how well the engine solved its own problem (velocity_error if
// the file does not say). The other errors are measured here. The status is converged if it meets
// the tolerance, stalled if not, invalid_input if nothing is recorded.
const SolverInfo& recorded_solver();  // "recorded"; it is not in the table: it cannot solve
Result recorded_result(const Case&, const Options&);

// A file of contact problems of any kind: the frames of a standard file or of JSON lines, or the
// one problem of an FCLIB file.
class Source {
 public:
  virtual ~Source() = default;
  virtual Index frames() const = 0;
  virtual std::string title() const = 0;  // of the whole file; may be empty
  virtual FrameCounts counts(Index frame) const = 0;
  virtual Case read(Index frame) const = 0;
};
// Both throw InputError for files without frames: raw problems, scenes.
std::unique_ptr<Source> open_source(OpenFile);
std::unique_ptr<Source> open_source(const std::string& path);

// A plain HDF5 file of named columns: numbers, integers, texts of at most 64 kB. Nothing is
// rounded. A name is a path such as "/results/seconds".
struct ColumnFile {
  using Column =
      std::variant<std::vector<double>, std::vector<std::int64_t>, std::vector<std::string>>;
  std::string format;  // the root attribute `format`
  std::int64_t version = 1;
  std::map<std::string, Column> columns;
};
void write_columns(const ColumnFile&, const std::string& path);  // complete or not at all
ColumnFile read_columns(const std::string& path, const std::string& format);

// How a recording ended.
struct RecordingEnd {
  Index frames = 0;    // in the file NAME; 0: none, and there is no file
  bool closed = true;  // false: its writer was killed, or could not go on
};

// A recording that is being written: NAME.part-XXXXXX beside NAME. It is renamed to NAME when it
// ends, if it has frames; until then an older file NAME stays. A process that is killed leaves
// NAME.part-XXXXXX behind; parts_of() finds it.
class PartFile {
 public:
  // Makes an empty file. Throws InputError, also if NAME is neither a file nor a link to one.
  explicit PartFile(const std::string& target);
  ~PartFile();  // calls end() and ignores errors
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;
  const std::string& path() const { return path_; }      // empty: renamed to NAME, or removed
  const std::string& target() const { return target_; }  // NAME, with links followed

  // Renames a closed recording to NAME, with or without frames.
  void commit();
  // Repairs a recording whose writer is gone and renames it to NAME; removes it if it has no
  // frames. Throws InputError if that fails; then the file stays, and the message says where.
  RecordingEnd end();

 private:
  std::string target_, path_;
};

// One NAME.part-XXXXXX.
struct LeftPart {
  std::string path;
  Index frames = 0;
  bool writing = false;  // its writer is still at work
};
// All NAME.part-XXXXXX of this file, the newest first.
std::vector<LeftPart> parts_of(const std::string& target);
// Repairs them, and renames the newest one with frames to NAME. There must be no file NAME. Returns
// the repaired files with their new names.
std::vector<LeftPart> repair_parts(const std::string& target);

// Like add_solution, but changes the file itself; a failure leaves it damaged. Use it for files
// that nobody else reads yet. `called` is the file's name in messages; empty: its path.
void put_solution(const std::string& path, const StoredSolution&, const std::string& called = {});

// The largest file of JSON lines that is read.
inline constexpr std::uint64_t kLongestLines = std::uint64_t{1} << 30;  // bytes

// A file of JSON lines whose frames stay on the disk. All are checked when it is opened, and each
// is read again when you ask for it.
class JsonLines {
 public:
  explicit JsonLines(const std::string& path);
  explicit JsonLines(OpenFile);
  Index frames() const { return static_cast<Index>(lines_.size()); }
  FrameCounts counts(Index frame) const;
  Record read(Index frame) const;
  Stepper stepper() const { return stepper_; }  // of the first frame
  const std::vector<std::string>& answerers() const { return answerers_; }
  std::shared_ptr<const Names> names() const { return names_; }  // of all lines
  std::int64_t format_version() const { return version_; }       // that a standard file needs

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
  std::int64_t version_ = 1;
  std::vector<std::string> answerers_;
  std::shared_ptr<Names> names_;
};

// `name` is the file's name in messages.
std::vector<Record> read_json_lines(std::istream&, const std::string& name);

}  // namespace perpend::io
