// Solvers: one table of them, one way to run them, one way to judge them.
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "perpend/base.hpp"
#include "perpend/formulate.hpp"

namespace perpend {

enum class Status {
  not_called,
  converged,
  iteration_limit,
  time_limit,
  stalled,
  infeasible,
  failed,   // breakdown, ray
  stopped,  // observer, Ctrl-C
  too_large,
  invalid_input,
  crashed,  // only of a process of its own (perpend/peers.hpp)
};
std::string_view name(Status);

enum class Work { sweep, product, factorization, pivot };
inline constexpr std::size_t kWorks = 4;
std::string_view name(Work);

// Seconds since some moment. Tests inject their own.
using Clock = std::function<double()>;

struct Iteration {
  long iteration;
  double seconds;  // billed to the solver so far
  const VectorXd& z;
};

struct Options {
  double tolerance = 1e-8;
  Measure error = Measure::own_error;  // what the tolerance is about
  long max_iterations = 10000;
  double effort = 0;        // work in sweeps over the problem (solve/effort.hpp); 0: no limit
  double time_limit = 0;    // s, billed; 0: none
  double memory_limit = 0;  // bytes; 0: half of the machine's memory
  Impulses warm_start;      // empty: cold
  Index facets = 8;         // n_d of lcp and mlcp
  std::uint64_t seed = 1;
  std::map<std::string, std::string> set;  // the solver's own options by name
  bool history = false;                    // measure every iteration
  // A history of fewer points: the next one when the number of iterations has grown by this factor
  // (1: every iteration), with the last one always, and with these measures only (none: iteration
  // and seconds alone).
  double history_ratio = 1;
  std::optional<std::vector<Measure>> history_measures;
  // The errors of the result: all, or only own_error and the one that the tolerance is about.
  bool measure_all = true;
  // Of iterates of sweeps that all fall short, the answer is the one with the lowest E
  // (impulse_energy), not the one with the lowest error, which is often zero.
  bool by_energy = false;
  std::function<bool(const Iteration&)> observer;  // after each iteration; false stops
  std::function<bool()> cancelled;                 // polled after each iteration
  Clock clock;                                     // empty: steady clock
  // Runs the loops of a solver that has such, and must not be running another loop meanwhile; none:
  // the calling thread. The answer has the same bits with any.
  Executor* executor = nullptr;
};

struct HistoryPoint {
  long iteration = 0;
  double seconds = 0;
  bool restart = false;  // one happened since the point before
  Errors errors;
};

struct Result {
  Status status = Status::not_called;
  std::string message = "solve was not called";
  std::string path;   // what really produced the answer
  Impulses impulses;  // of the system given
  VectorXd z;         // the solver's own unknowns
  std::string formulation;
  long iterations = 0;
  std::array<long, kWorks> work{};
  double sweeps = 0;   // the work in sweeps over the problem
  double seconds = 0;  // the solver's own
  double formulation_seconds = 0;
  double transfer_seconds = 0;  // of a solver in another process: translation and transport
  bool reproducible = true;     // false when the clock ended it
  Errors errors;
  // By how much velocity_error may be off, m/s (of a raw problem: own_error); NaN: not measured.
  double rounding = std::numeric_limits<double>::quiet_NaN();
  std::vector<HistoryPoint> history;
};

// One of a solver's own options: a number with a range, or one of several words.
struct OptionInfo {
  std::string name;
  std::string meaning;
  std::string fallback;
  std::vector<std::string> choices;  // empty: a number
  double lowest = 0, highest = 0;
};

class Progress;

class Solver {  // one object per solve or per world: it may keep its workspace
 public:
  virtual ~Solver() = default;
  virtual void run(const Problem&, Progress&) = 0;
};

struct SolverInfo {
  std::string name;  // formulation/method
  std::string title;
  std::string reference;
  bool joints = true;  // accepts joint rows
  std::vector<OptionInfo> options;
  std::function<std::unique_ptr<Solver>()> make;
  std::string origin = "perpend";  // or whose it is: a peer's name and version, a plugin's file

  std::string_view formulation() const { return std::string_view(name).substr(0, name.find('/')); }
};
const std::deque<SolverInfo>& solvers();
const SolverInfo* solver_named(std::string_view);
// A solver of others (a peer, a plugin) joins the table. To be called before the first solve and
// before any thread: the table is read without a lock. Returns why it cannot be added, or nothing.
std::string add_solver(SolverInfo);
// The reason why these options do not fit that solver; empty when they do.
std::string invalid(const Options&, const SolverInfo&);

// What work costs in sweeps over the problem (solve/effort.cpp has the table).
struct WorkCosts {
  std::array<double, kWorks> sweeps{};
  double operation = 0;  // of an elimination, as linear::Interrupt hears of them
};

// Operations of one sweep over so many rows in body space.
double sweep_operations(Index contacts, Index joint_rows);

// Clock, limits, cancel, NaN guard, best iterate, history: written once, here.
class Progress {
 public:
  // What solve() hands in: every measure at z, and the single one the tolerance is about.
  struct Judge {
    std::function<double(const VectorXd&)> error;
    std::function<Errors(const VectorXd&)> all;
    // Those asked for; without it: all.
    std::function<Errors(const VectorXd&, std::span<const Measure>)> some = {};
    // The error with what rounding may hide in it, asked where the error meets the tolerance;
    // without it: nothing is hidden.
    std::function<Bounded(const VectorXd&)> bounded = {};
    // impulse_energy at z, asked where Options::by_energy is set; without it: by the error.
    std::function<double(const VectorXd&)> energy = {};
    WorkCosts costs = {};
  };
  Progress(const Options&, const SolverInfo&, VectorXd start, Judge);
  // The same when the error at the start is known.
  Progress(const Options&, const SolverInfo&, VectorXd start, Judge, double start_error);

  const VectorXd& start() const { return start_; }  // warm or zero
  // After each iteration; false: stop. `own_estimate` is the solver's cheap estimate of own_error
  // at z: while it is far above the tolerance, the exact error is computed only now and then.
  // `energy` is impulse_energy at z, where the solver has it.
  bool next(const VectorXd& z, double own_estimate = kNone, std::optional<double> energy = {});
  static constexpr double kNone = -1;

  // An iterate that deserves the exact error, outside the count of iterations.
  void offer(const VectorXd& z);

  // From the first call on, the solver's own time is what it bills: that of its calls in another
  // process. The rest is transfer_seconds.
  void bill(double seconds);

  void restarted() { restart_ = true; }
  void count(Work, long times = 1);
  void path(std::string_view);
  void finish(Status, std::string why);  // the first call counts
  bool finished() const { return status_ != Status::not_called; }
  // Whether the best iterate meets the tolerance whatever rounding hides.
  bool met() const { return best_.error + best_.rounding <= options_.tolerance; }

  double tolerance() const { return options_.tolerance; }
  Executor& executor() { return options_.executor ? *options_.executor : serial_; }
  double sweeps() const;  // the work so far
  // Seconds of the time limit that are left, infinite without one: for who waits for others.
  double time_left() const;
  // Seconds so far that are not billed to a solver in another process.
  double transfer() const;
  double memory_limit() const;
  std::uint64_t seed() const { return options_.seed; }
  // The solver's own options, given or default. Precondition: invalid(options, info) is empty.
  double number(std::string_view option) const;
  std::string_view choice(std::string_view option) const;
  // True when `bytes` would exceed the memory limit: finishes with too_large and both numbers.
  bool too_large(double bytes);

  // Best iterate, status, message, path, counts and history; called once, by solve().
  Result take_result();

 private:
  double now() const;
  double spent() const;  // since the start, without what measuring took
  double own(double spent) const { return elsewhere_ ? *elsewhere_ : spent; }
  void consider(const VectorXd& z, double error);
  // By its energy, which may be known.
  void weigh(const VectorXd& z, std::optional<double> energy = {});
  void record(const VectorXd& z);  // a point of the history
  std::string_view own_option(std::string_view) const;
  std::string error_text(double error) const;

  const Options& options_;
  const SolverInfo& info_;
  Executor serial_;
  VectorXd start_;
  Judge judge_;
  Status status_ = Status::not_called;
  std::string why_, path_;
  long iterations_ = 0;
  std::array<long, kWorks> work_{};
  double operations_;              // of its thread before the start
  double last_sweeps_ = 0;         // the work at the iteration before
  double started_, excluded_ = 0;  // clock at start; time spent measuring
  double billed_ = 0;
  std::optional<double> elsewhere_;  // billed by another process
  bool restart_ = false, reproducible_ = true;
  VectorXd best_z_;
  Bounded best_;
  // The least of those whose error met the tolerance while rounding may hide more.
  Bounded doubted_;
  VectorXd lowest_z_;  // of all weighed
  double lowest_energy_;
  VectorXd best_guess_;  // lowest own_estimate whose exact error is not known
  double best_estimate_;
  std::vector<HistoryPoint> history_;
  long next_point_ = 1;  // iteration
};

// Formulate, run, recover, measure.
Result solve(const System&, std::string_view solver, const Options& = {});
// The same with a Solver that the caller keeps from step to step (`info.make()`): it keeps its
// memory and what depends on the graph of bodies alone; the answer has the same bits as a new
// one's.
Result solve(const System&, const SolverInfo&, Solver&, const Options& = {});
// A problem that has no system (raw LCP, MLCP); errors hold own_error and lcp_merit only.
Result solve(const Problem&, std::string_view solver, const Options& = {});

}  // namespace perpend
