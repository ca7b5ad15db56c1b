// What the recorders of all engines share: how an engine shows itself to the program that records
// it, the writing of a recording, the engine's answer measured, and the proof that it is right.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "perpend/io.hpp"

namespace perpend::capture {

// How far the recorded numbers are from M (v+ - v) = h f + J^T lambda: of each moving body's linear
// and angular rows the residual over the sum of its terms' magnitudes, lengths by its radius of
// gyration, the worst body. NaN when velocities_plus or impulses are not recorded.
double momentum_gap(const io::Record&);

// Fills errors and slide_or_stick of the answer: every measure by the rigid law, own_error by the
// problem the engine said it solved (box, Model::engine). A frame that cannot be assembled (an
// engine that has come to NaN) keeps none.
void measure_answer(io::Record&);

// What an engine is to run.
struct Task {
  Scene scene;           // unless `file` says what; then nothing but its name is set
  std::string file;      // of a format that the engine reads itself (Engine::files)
  double h = 0;          // s; 0: what the file says
  std::string solver;    // a name of Engine::solvers
  int iterations = 0;    // of that solver; 0: the engine's default
  bool recorded = true;  // false: the engine as it is, to compare with; its records stay empty
};

// One step as the engine's thread gathered it: numbers of the engine, copied and not yet looked at.
// The record is made of them by whoever takes it, so that the engine does not wait for that.
class StepRecord {
 public:
  virtual ~StepRecord() = default;
  // May be called in any thread, once: it looks at nothing but what was gathered. Does not touch
  // the timing.
  virtual void fill(io::Record&) = 0;
  virtual std::size_t bytes() const = 0;  // of memory, not less than it holds
  // Whether its memory is worth being filled again.
  virtual bool reusable() const { return true; }

  io::Timing timing;  // what the engine tells; collision and total are filled in later
};
std::unique_ptr<StepRecord> step_record(io::Record);  // one that is a record already
io::Record record_of(StepRecord&);

// One step of an engine.
struct RecordedStep {
  std::unique_ptr<StepRecord> record;  // null: it is not recorded
  double recording = 0;                // s, of the step, that recording took
  // When the engine's solver was called, so that contacts had been found; epoch: unknown.
  std::chrono::steady_clock::time_point began{};

  RecordedStep() = default;
  RecordedStep(std::unique_ptr<StepRecord> made, double seconds,
               std::chrono::steady_clock::time_point solver_called)
      : step_record(std::move(made)), recording(seconds), began(solver_called) {}
  RecordedStep(io::Record made, double seconds, std::chrono::steady_clock::time_point solver_called)
      : RecordedStep(capture::step_record(std::move(made)), seconds, solver_called) {}
};

// Where a recorder's steps go, and where it finds the memory for the next.
struct Outlet {
  std::function<void(RecordedStep)> put;
  std::function<std::unique_ptr<StepRecord>()> emptied;  // null: there is none
};

// A scene, or a file of its own, in an engine.
class Run {
 public:
  virtual ~Run() = default;
  // Root attributes that the engine knows: its name and version, scalar_bytes, answerers,
  // friction_model, omitted. The rest is filled in by whoever writes.
  virtual io::Header header() const = 0;
  virtual double h() const = 0;                 // s, in force
  virtual int iterations() const { return 0; }  // limit in force; 0: its solver has none
  // Title of the solver in force, where a file may say which; empty: the one that was asked for.
  virtual std::string solver() const { return {}; }
  // The answer is not measured here; `answered` is one of the header's answerers.
  virtual RecordedStep step() = 0;
  // A step that it gave and that was written: the next one may be gathered in its memory.
  virtual void reuse(std::unique_ptr<StepRecord>) {}
  virtual std::uint64_t hash() const = 0;  // of all poses and velocities (StateHash)
};

struct SolverName {
  std::string name, title;
};

// An engine as `program` needs it.
struct Engine {
  std::string name;                 // "bullet"
  std::string title;                // "stock Bullet"
  std::vector<SolverName> solvers;  // its own; the first is its default
  std::vector<std::string> files;   // extensions of files it reads itself in place of a scene
  // Throws io::InputError, one line that names the scene's body or joint, for what the engine
  // cannot express.
  std::function<std::unique_ptr<Run>(const Task&)> make;
  // Not in the engine's thread: it may look at nothing but the record.
  void (*measure)(io::Record&) = measure_answer;
};

// Engines that have a recorder, each in a library of its own, perpend::capture_ENGINE. Bullet, ODE
// and Siconos take scenes, DART and MuJoCo files of theirs as well, Gazebo worlds in SDF alone.
Engine bullet_engine();
Engine dart_engine();
Engine gazebo_engine();
Engine mujoco_engine();
Engine ode_engine();
// Solvers of its FrictionContact problem: "nsgs" as Siconos sets it up; "nsgs-exact" the same to
// 1e-13; "prox", "nsn-ac".
Engine siconos_engine();
// main() of perpend-capture-ENGINE, in a library of its own: the exit code. On stdout one JSON
// document per line; docs/capture.md tells what `perpend capture`, which starts it, reads there.
int program(const Engine&, int argc, char** argv);

// Both functions are called by the writer's thread, record by record.
struct WriterOptions {
  void (*measure)(io::Record&) = measure_answer;  // before it is written; null: no errors
  std::function<void(const io::Record&)> written;
  // Of steps that wait to be written, and of written ones whose memory is kept for the next.
  std::size_t queue_bytes = std::size_t{64} << 20;
};
struct WriterStatistics {
  long waits = 0;              // calls of put() that found the queue full
  double waited = 0;           // s, that they waited
  std::size_t most_bytes = 0;  // in the queue at any time
  std::size_t most_held = 0;   // bytes, the same with the memory that is kept
};

// Writes the records of a running engine to a standard file, in a thread of its own that alone
// calls HDF5; a frame is safe half a second after it was put. What cannot be written stops the
// recording, not the simulation: error() says why, and close() throws it.
class Writer {
 public:
  // Throws io::InputError when the file cannot be made.
  Writer(const std::string& path, const io::Header&, WriterOptions = {});
  ~Writer();  // closes; errors are swallowed
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;
  // Waits only when the queue is full. Steps bigger than the whole queue go one at a time.
  void put(std::unique_ptr<StepRecord>);
  void put(io::Record record) { put(step_record(std::move(record))); }
  // One that was put and written, to be filled again; null: none. What is kept for that is part of
  // the queue's bytes, and gives way to what waits.
  std::unique_ptr<StepRecord> emptied();
  std::string error() const;  // empty: none so far
  WriterStatistics statistics() const;
  void close(const std::string& state_hash = {});  // of a run that ended

 private:
  struct Work;
  std::unique_ptr<Work> work_;
};

// What the recorders that write a file have besides recording. What cannot be written stops the
// recording, not the simulation: error() says why, and close() throws it.
class RecordedFile {
 public:
  std::string error() const { return writer_.error(); }
  void close() { writer_.close(); }

 protected:
  // Throws io::InputError when the file cannot be made.
  RecordedFile(const std::string& path, const io::Header& header, WriterOptions options = {})
      : writer_(path, header, std::move(options)) {}
  ~RecordedFile() = default;  // closes; errors are swallowed

  Writer writer_;
};

}  // namespace perpend::capture
