// Simulating a scene, without the types of any engine: what a step may be told, what it tells, and
// what a whole run looked like. The world with Bullet's interface is in perpend/sim/world.hpp.
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
  nonconvex,      // a vertex beside an edge or corner: along any of the faces there (Nguyen and Trinkle 2010, eq. 14)
  conjunctive     // along all of those faces at once (Nguyen and Trinkle 2010, eq. 13): what the others are better than
};
std::string_view name(ContactModel);

// How much work a step may do. The unit is one sweep over all contacts of the step.
struct Effort {
  enum class Kind {
    exact,      // the tolerance decides; Options::max_iterations is a cap
    real_time,  // a fixed amount, the same on every machine
    sweeps      // so many
  };
  Kind kind = Kind::exact;
  long sweeps = 0;
  bool limited() const { return kind != Kind::exact; }
};
std::string name(const Effort&);  // "exact", "real-time", "40"
// Of such a name.
std::optional<Effort> effort_named(const std::string&);
// How many sweeps over so many contacts this machine makes in that time, at least 1: measured now.
long sweeps_within(double seconds, Index contacts);

struct StepOptions {
  std::string solver = "ncp/auto";
  Options solve;  // tolerance 1e-10 m/s, warm starts are the world's own
  Effort effort;
  Stepper stepper = Stepper::st;
  ContactModel contacts = ContactModel::one_direction;
  int correct = 10;  // at most so many Newton projections of positions onto joints and gaps
  // The limit of -gap/h, m/s. What a step leaves open is far below; bodies that start in each other
  // part without being thrown: with 1 m/s a body rises by 5 cm.
  double max_push = 1;
  bool warm = true;  // start from the impulses of the last step
  StepOptions() {
    solve.tolerance = 1e-10;
    solve.max_iterations = 2000;
  }
};

// What the last step did.
struct StepReport {
  Index contacts = 0, joint_rows = 0;
  Index islands = 0;      // solved; those of a second attempt count again
  Index unconverged = 0;  // islands
  Index retries = 0;    // the contact set was found again because bodies went farther than assumed
  Index corrected = 0;  // islands whose positions were projected
  Index settled = 0;    // solves repeated because another face of a group had to push
  long iterations = 0;
  std::array<long, kWorks> work{};
  double sweeps = 0;                   // all work, in sweeps over all contacts of the step
  Index capped = 0;                    // islands that a limit of iterations or effort ended
  std::map<std::string, Index> paths;  // what really answered, islands
  Status status = Status::converged;   // the worst island's
  std::string message;
  // Said once, in the step that finds it: which bodies overlap when the first step begins, and what
  // bodies ask for that is not modelled (rolling friction).
  std::vector<std::string> notes;
  // velocity_error, rms_violation, energy_change, own_error and max_penetration, which is what the
  // step is predicted to leave where nothing turns.
  Errors errors;
  double collision_seconds = 0, formulation_seconds = 0, solver_seconds = 0, total_seconds = 0;
  double cpu_seconds = 0;  // processor time of the stepping thread; with several, of the process
  double correction_seconds = 0;  // closing joints and moving bodies apart, all that it takes
};

struct SimulateOptions {
  std::string engine = "perpend";  // or "bullet": the stock world at its defaults
  StepOptions step;
  double h = 0;      // s; 0: the scene's
  Index steps = -1;  // -1: the scene's
  int threads = 1;   // of a step; any number gives the same bits
  std::string out;   // a standard file that gets every step; empty: none
  // Whether `out` gets this step (from 0); empty: every one.
  std::function<bool(Index step, const Frame&)> record;
  std::function<bool(Index done, Index of)> progress;  // after each step; false stops
  std::function<void(const State&)> observe;           // of the start, and after each step
  Index hash_every = 0;  // steps between two hashes in the summary; 0: none
  // Of our own engine: the state at which the run goes on, and who gets the state after step
  // `save_at` (-1: the last one). Steps are counted from the start of the run that was saved.
  std::optional<Snapshot> restore;
  std::function<void(const Snapshot&)> save;
  Index save_at = -1;
};

struct RunSeconds {  // of all steps together; NaN: the engine does not tell
  double collision = 0, formulation = 0, solver = 0, correction = 0, total = 0;
};

// ms of one step.
struct StepTimes {
  double median = 0, p99 = 0, worst = 0;
  Index worst_step = 0;  // counted from 1
};

// NaN: cannot be told.
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
  Errors errors;                                                        // worst over the run
  std::uint64_t state_hash = 0;
  std::vector<std::pair<Index, std::uint64_t>> hashes;  // after which step, every so many steps
  Index first_step = 0;                                 // where a restored run went on
  RunSeconds seconds;
  StepTimes step_ms, step_cpu_ms;  // by a clock on the wall; processor time of all threads
  long iterations = 0, iterations_max = 0;
  std::array<long, kWorks> work{};
  double sweeps = 0, sweeps_max = 0;   // of all steps, of one
  std::map<std::string, Index> paths;  // islands by what answered
  Index islands = 0, unconverged = 0;  // islands solved, and those short of the tolerance
  Index capped = 0;                    // of these, ended by a limit of iterations or effort
  Index unconverged_steps = 0, retries = 0, corrected = 0, settled = 0;
  std::string message;             // of the last island that did not converge
  std::vector<std::string> notes;  // of all steps, with the names of bodies
  bool stopped = false;
};

// A snapshot that does not fit the scene: what() names its field.
class SnapshotError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Precondition: invalid(scene) is empty, the engine and solver exist. Throws io::InputError when
// `out` cannot be written, SnapshotError when `restore` does not fit.
Summary simulate(const Scene&, const SimulateOptions& = {});

// A recording of simulate(), simulated again and compared bit for bit, one frame in memory at a
// time; it ends at the first difference. Throws io::InputError when the file cannot be read or does
// not say how it was made.
struct Rerun {
  struct Difference {
    Index frame;
    std::string field;  // as in the file: "/bodies/velocities"
    Index row;          // -1: the whole column; then the numbers are counts of rows, or times
    double recorded, now;
  };
  std::string scene;
  std::string version, recorded_version;  // of this program; of the one that made it, "": unknown
  Index frames = 0, steps = 0;            // compared; made
  std::optional<Difference> first;
  std::uint64_t state_hash = 0;
  std::string recorded_hash;  // empty: the recorded run did not end
  bool stopped = false;       // by `progress`
  bool same() const {
    return !first && !stopped &&
           (recorded_hash.empty() || recorded_hash == hexadecimal(state_hash));
  }
};
Rerun rerun(const std::string& path, int threads = 1,
            const std::function<bool(Index done, Index of)>& progress = {});

// "3.24": of the Bullet that this was built with.
std::string bullet_version();

// The frame of the scene's first step, and the rank of A: eigenvalues above 1e-8 of the largest.
Frame first_frame(const Scene&);
Index rank(const System&);

// The convergence laboratory: one scene with steps h, h/2, ..., h/2^N over the same time, and how
// far the trajectories are from each other.

// How far two runs of one scene are apart, the largest over moving bodies (R: a body's radius).
// `distance` is that of any point of a body: no point is farther from its place in the other run.
struct Apart {
  double position = 0;  // m, between centres of mass
  double turn = 0;      // m, angle between orientations times R
  double distance = 0;  // m, the two added for each body
};

struct RefineLevel {
  double h = 0;
  Index steps = 0;
  Summary summary;
  double energy = 0;                     // J, at the end
  Apart to_next, to_finest;              // largest over time; the finest has neither
  double energy_to_next = 0;             // J, the same of |energy - energy|
  double ratio = 0;                      // of to_next.distance to that of the next level; NaN: none
  std::vector<double> distance_to_next;  // m, at each common time
};

struct Refinement {
  enum class Verdict {
    converges,  // the distance falls with h over the whole run
    until,      // it does up to the time `until`, and no longer after it
    none,       // it does not, from the first common time on
    same,       // all runs agree to what the solver's tolerance explains: no order to see
    stopped     // the caller stopped it: only complete levels are here
  };
  std::vector<RefineLevel> levels;  // coarsest first
  std::vector<double> times;        // s, at which runs are compared
  double order = 0;  // slope of log distance over log h until `until`; NaN: none seen
  double until = 0;  // s
  Verdict verdict = Verdict::stopped;
  std::string words() const;  // the verdict in a sentence
};

// Runs levels 0..halvings. The steps of the coarsest run are the times at which runs are compared,
// or every second, third, ... of them where more than `most_kept` poses (56 bytes each) would have
// to be kept. `progress` counts the steps of all levels. Precondition: that of simulate;
// halvings >= 1; `out` is empty and `observe` is not set.
Refinement refine(const Scene&, const SimulateOptions&, int halvings, Index most_kept = 1 << 20);

// Suites of problems to compare solvers on: frames of our own scenes, the same on every run.

struct SuiteScene {
  std::string scene;
  std::vector<std::string> tags;  // resting, impact, sliding, joints, mass-ratio, groups
  Index first = 0, stride = 1;    // which steps; of those with groups where these are wanted
  Index count = 1;                // frames
  bool groups = false;            // the non-convex contact model, and only frames that have groups
};

struct Suite {
  std::string name;   // small, medium, large
  std::string title;  // one line
  std::vector<SuiteScene> scenes;
  Index frames() const;
};
std::span<const Suite> suites();
const Suite* suite_named(std::string_view);

// One standard file per scene in `folder`, which exists; in the order of the suite.
struct SuiteFile {
  std::string path;
  std::vector<std::string> tags;
  Index frames = 0;
};
// `progress` is called after each scene; false stops. Throws io::InputError when a file cannot be
// written.
std::vector<SuiteFile> write_suite(const Suite&, const std::string& folder,
                                   const std::function<bool(Index done, Index of)>& progress = {});

}  // namespace perpend
