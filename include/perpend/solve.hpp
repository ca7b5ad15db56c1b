// Solvers: the table of all solvers, solve(), its options and its result (docs/solvers.md).
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
  failed,   // the method broke down
  stopped,  // by the observer or Ctrl-C
  too_large,
  invalid_input,
  crashed,  // only if the solver runs in its own process (perpend/peers.hpp)
};
std::string_view name(Status);

enum class Work { sweep, product, factorization, pivot };
inline constexpr std::size_t kWorks = 4;
std::string_view name(Work);

// Returns seconds since some fixed moment. Tests use a clock of their own.
using Clock = std::function<double()>;

struct Iteration {
  long iteration;
  double seconds;  // the solver's own time so far
  const VectorXd& z;
};

// A number of a history. Methods that extrapolate have two iterates: the one that is judged and may
// become the answer, and lambda^k, from which the next sweep or step starts (docs/solvers.md).
// Other methods have only the first, and both numbers are the same.
struct HistoryMeasure {
  Measure measure = Measure::own_error;
  bool at_iterate = false;  // at lambda^k

  constexpr HistoryMeasure() = default;
  constexpr HistoryMeasure(Measure what, bool iterate = false)
      : measure(what), at_iterate(iterate) {}
  bool operator==(const HistoryMeasure&) const = default;
};
// "pgs_merit", or "pgs_merit@iterate" at lambda^k.
std::string name(HistoryMeasure);
std::optional<HistoryMeasure> history_measure_named(std::string_view);

struct Options {
  double tolerance = 1e-8;
  Measure error = Measure::own_error;  // the measure that must reach the tolerance
  long max_iterations = 10000;
  double effort = 0;        // limit of the work, in sweeps over the problem; 0: no limit
  double time_limit = 0;    // s, of the solver's own time; 0: no limit
  double memory_limit = 0;  // bytes; 0: half of the machine's memory
  Impulses warm_start;      // empty: start from zero
  Index facets = 8;         // n_d of lcp and mlcp
  std::uint64_t seed = 1;
  std::map<std::string, std::string> set;  // the solver's own options by name
  bool history = false;                    // keep the errors of every iteration
  // To keep fewer points: the number of iterations grows by this factor from point to point (1:
  // every iteration; the last one is always kept). And only these measures (an empty list: only
  // iteration and seconds).
  double history_ratio = 1;
  std::optional<std::vector<HistoryMeasure>> history_measures;
  // Measure all errors of the result, or only own_error and the one with the tolerance; with
  // by_energy not even those where the energy decided.
  bool measure_all = true;
  // If no iterate of a sweeping solver reaches the tolerance, return the one with the lowest
  // impulse_energy instead of the lowest error. (The lowest error is often that of zero impulses.)
  bool by_energy = false;
  std::function<bool(const Iteration&)> observer;  // called after each iteration; false stops
  std::function<bool()> cancelled;                 // called after each iteration; true stops
  Clock clock;                                     // empty: steady clock
  // Runs parallel loops of solvers that have them; null: the calling thread. It must not be busy
  // with another loop. The answer has the same bits with any executor.
  Executor* executor = nullptr;
};

struct HistoryPoint {
  long iteration = 0;
  double seconds = 0;
  bool restart = false;  // the method restarted since the last point
  Errors errors;
  Errors iterate;  // at lambda^k, those that were asked for

  double operator[](HistoryMeasure m) const {
    return m.at_iterate ? iterate[m.measure] : errors[m.measure];
  }
};

struct Result {
  Status status = Status::not_called;
  std::string message = "solve was not called";
  std::string path;   // the method that really produced the answer
  Impulses impulses;  // the answer, for the given system
  VectorXd z;         // the solver's own unknowns
  std::string formulation;
  long iterations = 0;
  std::array<long, kWorks> work{};
  double sweeps = 0;   // the work in sweeps over the problem
  double seconds = 0;  // the solver's own time
  double formulation_seconds = 0;
  double transfer_seconds = 0;  // for a solver in another process: converting and sending data
  bool reproducible = true;     // false if a time limit ended it
  Errors errors;
  // Bound of the rounding error of velocity_error (raw problems: of own_error), m/s. NaN: unknown.
  double rounding = std::numeric_limits<double>::quiet_NaN();
  std::vector<HistoryPoint> history;
};

// An option of one solver: a number with a range, or one of several words.
struct OptionInfo {
  std::string name;
  std::string meaning;
  std::string fallback;
  std::vector<std::string> choices;  // empty: it is a number
  double lowest = 0, highest = 0;
};

class Progress;

// A solver at work. You may reuse an object for many solves: it keeps its memory.
class Solver {
 public:
  virtual ~Solver() = default;
  virtual void run(const Problem&, Progress&) = 0;
};

struct SolverInfo {
  std::string name;  // formulation/method
  std::string title;
  std::string reference;
  bool joints = true;  // it accepts joint rows
  std::vector<OptionInfo> options;
  std::function<std::unique_ptr<Solver>()> make;
  std::string origin = "perpend";  // or the name and version of another project, or a plugin's file

  std::string_view formulation() const { return std::string_view(name).substr(0, name.find('/')); }
};
const std::deque<SolverInfo>& solvers();
const SolverInfo* solver_named(std::string_view);
// Adds a solver to the table. Call it before the first solve and before you start threads: the
// table has no lock. Returns why the solver cannot be added; empty if it was added.
std::string add_solver(SolverInfo);
// Why these options do not fit this solver. Empty if they do.
std::string invalid(const Options&, const SolverInfo&);
// "needs 1e+12 bytes, ..." if this problem takes more than the memory limit of the options. Empty
// if it fits, and if there is no such formulation.
std::string too_large(const System&, std::string_view formulation, const FormulationOptions&,
                      const Options&);

// The cost of each kind of work, in sweeps over the problem.
struct WorkCosts {
  std::array<double, kWorks> sweeps{};
  double operation = 0;  // of one operation of a factorization
};

// Floating-point operations of one sweep over so many rows in body space.
double sweep_operations(Index contacts, Index joint_rows);

// What all solvers share: clock, limits, cancelling, NaN checks, the best iterate, the history. A
// solver calls next(z) after each iteration and stops when it returns false.
class Progress {
 public:
  // How solve() measures an iterate z.
  struct Judge {
    std::function<double(const VectorXd&)> error;  // the measure that must reach the tolerance
    std::function<Errors(const VectorXd&)> all;
    // Only these measures; empty: use `all`.
    std::function<Errors(const VectorXd&, std::span<const Measure>)> some = {};
    // The error with a bound of its rounding error, called when the error meets the tolerance;
    // empty: rounding is ignored.
    std::function<Bounded(const VectorXd&)> bounded = {};
    // impulse_energy at z, called if Options::by_energy is set; empty: use the error.
    std::function<double(const VectorXd&)> energy = {};
    WorkCosts costs = {};
  };
  Progress(const Options&, const SolverInfo&, VectorXd start, Judge);
  // The same if you know the error at the start.
  Progress(const Options&, const SolverInfo&, VectorXd start, Judge, double start_error);

  const VectorXd& start() const { return start_; }  // the warm start, or zero
  // own_error there, if it is the error that the tolerance is about.
  std::optional<double> start_own_error() const {
    if (options_.error != Measure::own_error) return std::nullopt;
    return start_error_;
  }
  // Call it after each iteration. Stop if it returns false. `own_estimate` is a cheap estimate of
  // own_error at z, if you have one: while it is far above the tolerance, the exact error is
  // computed only now and then. `energy` is impulse_energy at z, if you have it.
  bool next(const VectorXd& z, double own_estimate = kNone, std::optional<double> energy = {});
  static constexpr double kNone = -1;

  // For methods that extrapolate: call it after next() with lambda^k, the point from which the next
  // iteration starts. It is only measured; ask wants_iterates() if it is not at hand.
  void iterate(const VectorXd& z);
  bool wants_iterates() const { return options_.history && !at_iterate_.empty(); }

  // True if nobody needs to see an iterate of this own_error and energy: its energy alone decides
  // whether it is the answer. You may then call next_unseen in place of next, and must offer the
  // iterate of lowest energy in the end.
  bool energy_decides(double own_estimate, double energy) const;
  bool next_unseen();
  // The start is among those that are offered so.
  void start_is_offered() { start_weighed_ = true; }

  // Considers an iterate as the answer without counting an iteration. `energy`: as for next.
  void offer(const VectorXd& z, std::optional<double> energy = {});

  // For solvers in another process: adds to the solver's own time. After the first call only
  // billed time counts as its own; the rest is transfer_seconds.
  void bill(double seconds);

  void restarted() { restart_ = true; }
  void count(Work, long times = 1);
  void path(std::string_view);
  void finish(Status, std::string why);  // ends early; only the first call counts
  bool finished() const { return status_ != Status::not_called; }
  // True if the best iterate meets the tolerance, with its rounding error added.
  bool met() const { return best_.error + best_.rounding <= options_.tolerance; }

  double tolerance() const { return options_.tolerance; }
  Executor& executor() { return options_.executor ? *options_.executor : serial_; }
  double sweeps() const;  // the work so far, in sweeps
  // Seconds left of the time limit; infinite without one.
  double time_left() const;
  // Whether the solve is to stop; `next` asks it too.
  bool cancelled() const { return options_.cancelled && options_.cancelled(); }
  // Seconds so far that were not billed (see bill()).
  double transfer() const;
  double memory_limit() const;
  std::uint64_t seed() const { return options_.seed; }
  // The value of one of the solver's own options. Precondition: invalid(options, info) is empty.
  double number(std::string_view option) const;
  std::string_view choice(std::string_view option) const;
  // If `bytes` exceed the memory limit: finishes with the status too_large and returns true.
  bool too_large(double bytes);

  // The result, except for impulses and formulation. Called once, by solve().
  Result take_result();

 private:
  bool counted(const VectorXd* z, double entered);  // the end of `next`: are there limits?
  double now() const;
  double spent() const;  // since the start, without what measuring took
  double own(double spent) const { return elsewhere_ ? *elsewhere_ : spent; }
  void consider(const VectorXd& z, double error);
  void weigh_start();
  // By its energy; that and its error may be known.
  void weigh(const VectorXd& z, std::optional<double> energy, std::optional<double> error);
  void record(const VectorXd& z);  // a point of the history
  Errors some(const VectorXd& z, const std::vector<Measure>&) const;
  std::string_view own_option(std::string_view) const;
  std::string error_text(double error) const;

  const Options& options_;
  const SolverInfo& info_;
  Executor serial_;
  VectorXd start_;
  double start_error_;
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
  bool start_weighed_ = false;
  std::optional<double> lowest_error_;  // where it is known
  VectorXd best_guess_;                 // lowest own_estimate whose exact error is not known
  double best_estimate_;
  std::vector<Measure> judged_, at_iterate_;  // of the history
  std::vector<HistoryPoint> history_;
  long next_point_ = 1;  // iteration
};

// Solves a system: formulates the problem, runs the solver, computes impulses and errors.
Result solve(const System&, std::string_view solver, const Options& = {});
// The same with a Solver (`info.make()`) that you keep from step to step, so that it can reuse its
// memory. The answer has the same bits as with a new one.
Result solve(const System&, const SolverInfo&, Solver&, const Options& = {});
// Solves a raw LCP or MLCP. The only errors are own_error and lcp_merit.
Result solve(const Problem&, std::string_view solver, const Options& = {});

}  // namespace perpend
