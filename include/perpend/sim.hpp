// Simulating a scene: options and report of a step, summary of a run, and studies made of several
// runs. No types of Bullet; the world with Bullet's interface is in perpend/sim/world.hpp.
#pragma once

#include <array>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "perpend/base.hpp"
#include "perpend/host.hpp"
#include "perpend/scene.hpp"
#include "perpend/solve.hpp"

namespace perpend {

// How two convex polyhedra are kept apart (docs/nonconvex.md).
enum class ContactModel {
  one_direction,  // along one separating direction, chosen before the step
  nonconvex,   // near an edge or corner, along any of its faces (Nguyen and Trinkle 2010, eq. 14)
  conjunctive  // along all of its faces at once (eq. 13): the common model
};
std::string_view name(ContactModel);

// How much work a step may do, in sweeps over all its contacts.
struct Effort {
  enum class Kind {
    exact,      // until the tolerance is met, or Options::max_iterations
    real_time,  // a fixed amount, the same on every machine
    sweeps      // this many sweeps
  };
  Kind kind = Kind::exact;
  long sweeps = 0;
  bool limited() const { return kind != Kind::exact; }
};
std::string name(const Effort&);  // "exact", "real-time", "40"
// The effort with this name.
std::optional<Effort> effort_named(const std::string&);
// Measures how many sweeps over so many contacts this machine makes in this time. At least 1.
long sweeps_within(double seconds, Index contacts);

struct StepOptions {
  std::string solver = "ncp/auto";
  Options solve;  // tolerance 1e-10 m/s; warm_start is not used
  Effort effort;
  Stepper stepper = Stepper::st;
  ContactModel contacts = ContactModel::one_direction;
  int correct = 10;  // close joints and remove overlaps after each step, at most so many rounds
  // The largest speed at which overlapping bodies are pushed apart, m/s. It matters for bodies that
  // overlap at the start: at 1 m/s a body is thrown up by 5 cm.
  double max_push = 1;
  bool warm = true;  // start from the impulses of the last step
  StepOptions() {
    solve.tolerance = 1e-10;
    solve.max_iterations = 2000;
  }
};

// A contact or joint row that a step leaves open.
struct OpenRow {
  Index contact = -1, joint_row = -1;  // in the frame; -1: it is the other
  double open = 0;                     // when the step began
  std::string_view unit = "m";         // or "rad"
  std::string where;                   // by name
};

// What the last step did.
struct StepReport {
  Index contacts = 0, joint_rows = 0;
  Index islands = 0;      // islands solved; those of a second attempt count again
  Index unconverged = 0;  // islands that missed the tolerance
  Index retries = 0;      // contacts were searched again: bodies moved farther than assumed
  Index corrected = 0;    // islands whose positions were corrected
  Index settled = 0;      // solves repeated because another face of a group had to push
  // Islands that close slowly, because to close at once would make energy or is impossible; their
  // rows that are most open, the worst first.
  Index held = 0;
  std::vector<OpenRow> held_rows;
  long iterations = 0;
  std::array<long, kWorks> work{};
  double sweeps = 0;                   // all work, in sweeps over all contacts of the step
  Index capped = 0;                    // islands ended by the limit of iterations or effort
  std::map<std::string, Index> paths;  // islands by the method that answered
  Status status = Status::converged;   // the worst island's
  std::string message;
  // Said once: which bodies overlap and which joints are open before the first step, and settings
  // of bodies that are not modelled (rolling friction).
  std::vector<std::string> notes;
  // velocity_error, rms_violation, energy_change, own_error and max_penetration. The last is
  // predicted from velocities and exact if nothing turns.
  Errors errors;
  double collision_seconds = 0, formulation_seconds = 0, solver_seconds = 0, total_seconds = 0;
  double cpu_seconds = 0;  // processor time of the step; with several threads, of the process
  double correction_seconds = 0;  // closing joints and removing overlaps
};

struct JointReading {
  double coordinate = 0, speed = 0;  // m or rad, with full turns; m/s or rad/s
  double force = 0;  // N or N m: of spring, damper, friction and force in the last step
};

// The joints of a run, for a controller that is asked before each step. Joints are counted as in
// the scene, axes as in Joint; -1 is the only one.
class RunningJoints {
 public:
  virtual ~RunningJoints() = default;
  virtual Index find(std::string_view name) const = 0;  // -1: no joint is called so
  virtual JointReading read(Index joint, int axis = -1) const = 0;
  virtual Joint::Drive drive(Index joint, int axis = -1) const = 0;
  // False: there is no such joint or axis, or invalid(drive).
  virtual bool set(Index joint, const Joint::Drive&, int axis = -1) = 0;
};

struct SimulateOptions {
  std::string engine = "perpend";  // or "bullet": Bullet's own world with its defaults
  StepOptions step;
  double h = 0;      // s; 0: the scene's
  Index steps = -1;  // -1: the scene's
  int threads = 1;   // any number gives the same bits
  std::string out;   // record every step in this standard file; empty: no file
  // Record this step (from 0) in `out`? Empty: all steps.
  std::function<bool(Index step, const Frame&)> record;
  std::function<bool(Index done, Index of)> progress;  // called after each step; false stops
  std::function<void(const State&)> observe;           // called at the start and after each step
  // Called before each step with its beginning, s. Only the engine "perpend" has drives. A run with
  // a controller of your own cannot be repeated from its recording.
  std::function<void(double time, RunningJoints&)> control;
  // The same with contacts and errors, made off the clock. Stock Bullet tells forces, not errors.
  std::function<void(const Moment&)> watch;
  Index hash_every = 0;  // a hash in the summary every so many steps; 0: none
  // For the engine "perpend": continue from `restore`, and call `save` after step `save_at` (-1:
  // the last one). Steps are counted from the start of the run that was saved.
  std::optional<Snapshot> restore;
  std::function<void(const Snapshot&)> save;
  Index save_at = -1;
};

struct RunSeconds {  // of all steps together; NaN: unknown
  double collision = 0, formulation = 0, solver = 0, correction = 0, total = 0;
};

// Times of single steps, ms.
struct StepTimes {
  double median = 0, p99 = 0, worst = 0;
  Index worst_step = 0;  // counted from 1
};

// Summary of a run. NaN: unknown.
struct Summary {
  std::string scene, engine, solver, stepper, contacts, effort;
  double h = 0;
  Index steps = 0, bodies = 0, moving = 0;
  Index contacts_max = 0, joint_rows_max = 0;
  double drift, sag, turn, creep;  // m, m, rad, m/s
  bool fell = false;
  double max_penetration = 0, max_penetration_last_second = 0;          // m
  double max_joint_violation = 0, max_joint_violation_last_second = 0;  // m
  double kinetic_energy = 0;                                            // J
  Errors errors;                                                        // the worst of the run
  // Where the worst velocity_error was: contact or joint row by name; empty: there was none.
  std::string worst;
  Index worst_step = 0;       // counted from 1
  double worst_residual = 0;  // m/s, or rad/s
  std::string_view worst_unit;
  std::uint64_t state_hash = 0;
  std::vector<std::pair<Index, std::uint64_t>> hashes;  // step and hash, every `hash_every` steps
  Index first_step = 0;                                 // where a restored run continued
  RunSeconds seconds;
  StepTimes step_ms, step_cpu_ms;  // wall clock; processor time of all threads
  long iterations = 0, iterations_max = 0;
  std::array<long, kWorks> work{};
  double sweeps = 0, sweeps_max = 0;   // of all steps; the most of one step
  std::map<std::string, Index> paths;  // islands by the method that answered
  Index islands = 0, unconverged = 0;  // islands solved; those that missed the tolerance
  Index capped = 0;                    // those ended by the limit of iterations or effort
  Index unconverged_steps = 0, retries = 0, corrected = 0, settled = 0;
  Index held = 0, held_steps = 0;  // islands that closed slowly, and steps with one
  std::vector<OpenRow> held_rows;  // of the last such step
  std::string message;             // of the last island that did not converge
  std::vector<std::string> notes;  // of all steps, with the names of bodies
  bool stopped = false;
};

// A snapshot does not fit the scene. what() names the field.
class SnapshotError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Simulates a scene. Throws io::InputError if `out` cannot be written, SnapshotError if `restore`
// does not fit. Precondition: invalid(scene) is empty, and engine and solver exist.
Summary simulate(const Scene&, const SimulateOptions& = {});

// Repeats a recording of simulate() and compares it bit for bit, up to the first difference. Throws
// io::InputError if the file cannot be read or does not say how it was made.
struct Rerun {
  struct Difference {
    Index frame;
    std::string field;  // as in the file: "/bodies/velocities"
    Index row;          // -1: the whole column; then the numbers are row counts or times
    double recorded, now;
  };
  std::string scene;
  std::string version, recorded_version;  // of this program; of the file's ("": unknown)
  Index frames = 0, steps = 0;            // frames compared; steps made
  std::optional<Difference> first;
  std::uint64_t state_hash = 0;
  std::string recorded_hash;  // empty: the recorded run did not reach its end
  bool stopped = false;       // by `progress`
  bool same() const {
    return !first && !stopped &&
           (recorded_hash.empty() || recorded_hash == hexadecimal(state_hash));
  }
};
Rerun rerun(const std::string& path, int threads = 1,
            const std::function<bool(Index done, Index of)>& progress = {});

// The version of Bullet that this was built with, such as "3.24".
std::string bullet_version();

// The frame of the scene's first step.
Frame first_frame(const Scene&);
// The rank of A: the number of eigenvalues above 1e-8 of the largest.
Index rank(const System&);

// The distance between two runs of one scene, the largest over all moving bodies (R: a body's
// radius). No point of a body is farther than `distance` from its place in the other run.
struct Apart {
  double position = 0;  // m, between centres of mass
  double turn = 0;      // m, angle between orientations times R
  double distance = 0;  // m, the sum of the two
};

// One run of refine().
struct RefineLevel {
  double h = 0;
  Index steps = 0;
  Summary summary;
  double energy = 0;                     // J, at the end
  Apart to_next, to_finest;              // the largest over time; not for the finest level
  double energy_to_next = 0;             // J, difference of energy, the largest over time
  double ratio = 0;                      // of to_next.distance to that of the next level; or NaN
  std::vector<double> distance_to_next;  // m, at each of the times
};

struct Refinement {
  enum class Verdict {
    converges,  // the distance falls with h over the whole run
    until,      // it falls up to the time `until`, but not after
    none,       // it does not fall
    same,       // all runs agree within the solver's tolerance
    stopped     // stopped by the caller; only complete levels are here
  };
  std::vector<RefineLevel> levels;  // coarsest first
  std::vector<double> times;        // s, when the runs are compared
  double order = 0;                 // slope of log distance over log h until `until`; NaN: none
  double until = 0;                 // s
  Verdict verdict = Verdict::stopped;
  std::string words() const;  // the verdict in a sentence
};

// Simulates a scene with steps h, h/2, ..., h/2^halvings over the same time, and measures how far
// the runs are apart after each step of the coarsest (or every second, third, ... step, so that at
// most `most_kept` poses of 56 bytes are kept). `progress` counts the steps of all runs.
// Precondition: that of simulate(); halvings >= 1; `out` and `observe` are empty.
Refinement refine(const Scene&, const SimulateOptions&, int halvings, Index most_kept = 1 << 20);

// The frames of one scene in a suite.
struct SuiteScene {
  std::string scene;
  std::vector<std::string> tags;  // resting, impact, sliding, joints, mass-ratio, groups
  Index first = 0, stride = 1;    // which steps (with `groups`: which of the steps with groups)
  Index count = 1;                // frames
  bool groups = false;            // the non-convex contact model, only frames with groups
};

// A set of problems to compare solvers with: frames of our scenes, the same on every machine.
struct Suite {
  std::string name;   // small, medium, large
  std::string title;  // one line
  std::vector<SuiteScene> scenes;
  Index frames() const;
};
std::span<const Suite> suites();
const Suite* suite_named(std::string_view);

// A file of a suite.
struct SuiteFile {
  std::string path;
  std::vector<std::string> tags;
  Index frames = 0;
};
// Writes one standard file per scene into `folder`, which must exist. `progress` is called after
// each scene; false stops. Throws io::InputError if a file cannot be written.
std::vector<SuiteFile> write_suite(const Suite&, const std::string& folder,
                                   const std::function<bool(Index done, Index of)>& progress = {});

}  // namespace perpend
