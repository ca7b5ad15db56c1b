// Shared by the recorders of all engines: the interface of an engine, writing the file, measuring
// the engine's answer, and the check that momentum balances.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "perpend/io.hpp"

namespace perpend::capture {

// The relative error of the recorded numbers in M (v+ - v) = h f + J^T lambda: for each moving body
// the residual over the sum of the magnitudes, with angular rows scaled by its radius of gyration.
// Returns the worst body's. NaN if velocities_plus or impulses are not recorded.
double momentum_gap(const io::Record&);

// Computes errors and slide_or_stick of the answer. All measures use rigid contacts except
// own_error, which uses the problem that the engine solved (box, Model::engine). A frame that
// cannot be assembled, such as one with NaN, gets none.
void measure_answer(io::Record&);

// What an engine should run.
struct Task {
  Scene scene;           // if `file` is set, only its name
  std::string file;      // in a format that the engine reads (Engine::files)
  double h = 0;          // s; 0: that of the file
  std::string solver;    // one of Engine::solvers
  int iterations = 0;    // of that solver; 0: the engine's default
  bool recorded = true;  // false: do not record, to compare with the engine alone
};

// The engine's numbers of one step, as they are. The engine's thread only copies them; fill() makes
// a record of them later, in the thread that writes.
class StepRecord {
 public:
  virtual ~StepRecord() = default;
  // Call it once, in any thread. It does not change the timing.
  virtual void fill(io::Record&) = 0;
  virtual std::size_t bytes() const = 0;  // of memory, at most
  // True if the memory can be used for another step.
  virtual bool reusable() const { return true; }

  io::Timing timing;  // of the engine; collision and total are filled in later
};
std::unique_ptr<StepRecord> step_record(io::Record);  // from a complete record
io::Record record_of(StepRecord&);

// One step of an engine.
struct RecordedStep {
  std::unique_ptr<StepRecord> record;  // null: it is not recorded
  double recording = 0;                // s, of the step, that recording took
  // When the engine's solver was called, after collision detection; epoch: unknown.
  std::chrono::steady_clock::time_point began{};

  RecordedStep() = default;
  RecordedStep(std::unique_ptr<StepRecord> made, double seconds,
               std::chrono::steady_clock::time_point solver_called)
      : record(std::move(made)), recording(seconds), began(solver_called) {}
  RecordedStep(io::Record made, double seconds, std::chrono::steady_clock::time_point solver_called)
      : RecordedStep(capture::step_record(std::move(made)), seconds, solver_called) {}
};

// Where a recorder sends its steps, and where it gets memory for the next ones.
struct Outlet {
  std::function<void(RecordedStep)> put;
  std::function<std::unique_ptr<StepRecord>()> emptied;  // returns null if there is none
};

// A scene or a file, loaded in an engine.
class Run {
 public:
  virtual ~Run() = default;
  // Root attributes that the engine knows: its name and version, scalar_bytes, answerers,
  // friction_model, omitted. The writer fills in the rest.
  virtual io::Header header() const = 0;
  virtual double h() const = 0;                 // s, as used
  virtual int iterations() const { return 0; }  // limit as used; 0: the solver has none
  // Title of the solver, if a file chooses it; empty: the one of the task.
  virtual std::string solver() const { return {}; }
  // The answer has no errors yet; `answered` is one of the header's answerers.
  virtual RecordedStep step() = 0;
  // Returns the memory of a step that was written, for the next one.
  virtual void reuse(std::unique_ptr<StepRecord>) {}
  virtual std::uint64_t hash() const = 0;  // of all poses and velocities (StateHash)
};

struct SolverName {
  std::string name, title;
};

// An engine, for program().
struct Engine {
  std::string name;                 // "bullet"
  std::string title;                // "stock Bullet"
  std::vector<SolverName> solvers;  // the first is the default
  std::vector<std::string> files;   // extensions of files that it reads instead of a scene
  SceneSupport supports;            // of its scenes
  // Throws io::InputError if the engine cannot represent the scene. The message names the body or
  // joint.
  std::function<std::unique_ptr<Run>(const Task&)> make;
  // Called in the writer's thread; it must use nothing but the record.
  void (*measure)(io::Record&) = measure_answer;
};

// The engines with a recorder; each is in its own library, perpend::capture_ENGINE. All but Gazebo
// run scenes; DART and MuJoCo also read URDF and MJCF files. Gazebo reads worlds in SDF.
Engine bullet_engine();
Engine dart_engine();
Engine gazebo_engine();
Engine mujoco_engine();
Engine ode_engine();
// Solvers of its FrictionContact problem: "nsgs" as Siconos sets it up; "nsgs-exact" the same to
// 1e-13; "prox", "nsn-ac".
Engine siconos_engine();
// The main() of perpend-capture-ENGINE. Returns the exit code. It prints one JSON document per line
// for `perpend capture`, which starts it (docs/capture.md).
int program(const Engine&, int argc, char** argv);

// The writer's thread calls both functions for each record.
struct WriterOptions {
  void (*measure)(io::Record&) = measure_answer;   // before writing; null: no errors
  std::function<void(const io::Record&)> written;  // after writing
  // What the engine runs, if it is a scene: names and shapes go into the file with the first frame
  // that has them.
  std::optional<Scene> scene;
  // Memory for steps that wait to be written, and for steps to be reused.
  std::size_t queue_bytes = std::size_t{64} << 20;
};
struct WriterStatistics {
  long waits = 0;              // calls of put() that found the queue full
  double waited = 0;           // s, how long they waited
  std::size_t most_bytes = 0;  // the most bytes in the queue
  std::size_t most_held = 0;   // the most bytes in the queue and kept for reuse
};

// Writes the records of a running engine to a standard file, in its own thread. A frame is safe
// half a second after put(). If writing fails, the recording stops and the simulation goes on:
// error() says why, and close() throws.
class Writer {
 public:
  // Throws io::InputError if the file cannot be made.
  Writer(const std::string& path, const io::Header&, WriterOptions = {});
  ~Writer();  // closes and ignores errors
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;
  // Waits only if the queue is full. Steps larger than the whole queue are written one at a time.
  void put(std::unique_ptr<StepRecord>);
  void put(io::Record record) { put(step_record(std::move(record))); }
  // A step that was written, to be filled again; null: none. Such steps count towards queue_bytes.
  std::unique_ptr<StepRecord> emptied();
  std::string error() const;  // empty: none so far
  WriterStatistics statistics() const;
  void close(const std::string& state_hash = {});  // of a run that came to its end

 private:
  struct Work;
  std::unique_ptr<Work> work_;
};

// Base of the recorders that write a file. If writing fails, the recording stops and the simulation
// goes on: error() says why, and close() throws.
class RecordedFile {
 public:
  std::string error() const { return writer_.error(); }
  void close() { writer_.close(); }

 protected:
  // Throws io::InputError if the file cannot be made.
  RecordedFile(const std::string& path, const io::Header& header, WriterOptions options = {})
      : writer_(path, header, std::move(options)) {}
  ~RecordedFile() = default;  // closes and ignores errors

  Writer writer_;
};

}  // namespace perpend::capture
