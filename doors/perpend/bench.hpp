// The fair comparison: solvers x problems, measured the same way, kept so that nothing is lost.
//
// A row is one solver on one problem. Its first run is watched: the errors of iterations that lie
// a factor apart are measured, off the clock. The timed runs that follow are not: they give the
// seconds, of the whole run and of each of those iterations (docs/results.md).
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "perpend/io.hpp"
#include "perpend/peers.hpp"

namespace perpend::bench {

// Names, units and meanings of the fields below: src/bench/fields.hpp, docs/results.md.
struct Machine {
  std::string cpu;
  std::int64_t cores = 0;
  double memory_bytes = 0;
  std::string os, compiler, flags, version, commit;
  std::string date;              // UTC, ISO 8601
  std::array<double, 3> load{};  // of the last 1, 5, 15 minutes, at the start

  // Everything but date and load.
  bool same_as(const Machine&) const;
};
// This one, now. The commit is known to the program only.
Machine this_machine();

struct Settings {
  double tolerance = 1e-8;
  Measure error = Measure::own_error;
  long max_iterations = 10000;
  double time_limit = 10;   // s, billed; 0: none
  double memory_limit = 0;  // bytes; 0: half of the machine's
  bool warm_start = false;  // from the recorded answers
  long repeat = 3;          // timed runs
  Index facets = 8;
  std::uint64_t seed = 1;
  std::map<std::string, std::string> set;  // each for the solvers that know it
  // No part of what was measured.
  long jobs = 1;        // solves at the same time
  std::string command;  // what was typed
};

// Those that these options have too; warm_start and what is a campaign's own stay as they are.
Settings settings_of(const Options&);
// The first difference in words, "--tolerance was 1e-08, is 1e-06"; empty when what they ask for is
// the same.
std::string different_settings(const Settings& was, const Settings& is);

struct SolverEntry {
  std::string name, formulation, title, reference, friction;  // cone, pyramid, box, none
  std::string origin = "perpend";                             // or a peer, or a plugin's file
};
SolverEntry solver_entry(std::string_view solver);

struct ProblemEntry {
  std::string file;
  Index frame = 0;
  std::string title;
  std::vector<std::string> tags;
  io::FrameCounts counts{};
  std::string hash;          // 16 hexadecimal digits: of the system's bytes
  std::int64_t ordinal = 0;  // its place in the whole campaign, of which a shard has a part
};

struct Point {
  long iteration = 0;
  double seconds = 0;
  bool restart = false;  // one happened since the point before
  double own_error, velocity_error, normal_error, friction_error;  // NaN: cannot tell
};

struct Row {
  std::size_t solver = 0, problem = 0, machine = 0;
  Status status = Status::not_called;
  std::string message, path;
  long iterations = 0;
  double seconds = 0, seconds_low = 0, seconds_high = 0;  // median, least, largest
  double formulation_seconds = 0, transfer_seconds = 0;
  bool reproducible = true;
  std::array<long, kWorks> work{};
  Errors errors;
  std::vector<double> runs;    // seconds of each timed run; none: the watched run's stand above
  std::vector<Point> history;  // the last one is the answer
};

// When a tolerance was first met; -1 and NaN: never.
struct Moment {
  long iteration = -1;
  double seconds;
  Moment();
};
// For each of the tolerances. Exact to one step of the history: a factor of kHistoryRatio in
// iterations, or one iteration.
std::vector<Moment> first_moments(const std::vector<Point>&, double Point::*error,
                                  const std::vector<double>& tolerances);
inline constexpr double kHistoryRatio = 1.05;
// Of a long history at most so many points, about evenly spaced on a log scale of iterations, with
// the first, the last, and restarts kept in the point after them.
std::vector<Point> thinned(const std::vector<Point>&, std::size_t most);

struct Results {
  std::string title;
  std::string campaign;           // what all its shards have in common
  std::vector<Machine> machines;  // at least one
  Settings settings;
  std::vector<double> tolerances;  // ascending
  std::vector<SolverEntry> solvers;
  std::vector<ProblemEntry> problems;
  std::vector<Row> rows;          // by problem, then by solver
  std::int64_t rows_planned = 0;  // more than there are rows: it was interrupted
};

// results.json, results.csv (docs/results.md).
std::string to_json(const Results&);
std::string to_csv(const Results&);
// A folder's results.h5, results.json and results.csv, each whole or not at all.
void write_results(const Results&, const std::string& folder);
// A folder's results.h5, or such a file itself. Throws io::InputError.
Results read_results(const std::string& path);

// Frames of one file.
struct Input {
  std::string file;
  std::vector<Index> frames;
  std::vector<std::string> tags;  // of all of them, besides those of the file
};

struct Campaign {
  std::string title;  // empty: made from the names
  std::vector<Input> inputs;
  std::vector<std::string> solvers;
  Settings settings;
  std::int64_t shard = 1, shards = 1;  // problem k is in shard 1 + k mod shards
  std::string commit;
};

struct Hooks {
  std::function<bool()> stop;  // asked a few times per second; what is in work is given up
  // Rows done, of them those that were done before, rows in all.
  std::function<void(long done, long before, long total)> progress;
  peers::Answering answering;  // without one: perpend::solve
  // A solve that ignores its time limit is killed after five of them and so many seconds of the
  // wall clock.
  double grace = 5;
};

// Runs what is not done yet, and keeps every finished row in the folder's journal at once. Throws
// io::InputError when the folder holds another campaign, or when somebody else is at work in it.
Results run(const Campaign&, const std::string& folder, const Hooks& = {});
// Forgets what the folder's journal holds.
void forget(const std::string& folder);

// Parts of one campaign, or several campaigns with the same settings, as one. Throws io::InputError
// when settings differ, or when rows that are there twice disagree in more than time.
Results merged(const std::vector<Results>&, const std::vector<std::string>& names);

// What changed between two results.
struct Change {
  enum class What { status, error, iterations, time };
  What what;
  bool worse;
  std::size_t a, b;      // rows
  Measure measure;       // of an error
  double before, after;  // error, iterations, or median seconds
};
std::string_view name(Change::What);
struct Comparison {
  std::vector<Change> changes;                     // in the order of A's rows
  std::size_t common = 0, only_a = 0, only_b = 0;  // rows
  std::size_t refused = 0;                         // in A and B; they are not among the common ones
  bool times_judged = true;                        // false: other machines
  double noise = 0;                                // median over the rows of (high - low)/median
};
// Beyond the noise: an error 10 % (of runs that the clock ended: a factor of 10) and a tolerance
// above what it was; 10 % more iterations, and more than one; the quickest of the new runs slower
// than the slowest of the old ones by more than the spread of either and of most rows.
Comparison compare(const Results& a, const Results& b);

// One line per solver: what terminal, report.md and page tell first (docs/report.md).
//
// A problem that a solver does not take (status invalid_input: joints, no mass matrix) is no
// failure of it: such rows are counted apart, and solved ones are a part of the others.
//
// Solved: the row's status is converged. Reached: there was a moment at which the error was at most
// the tolerance, however the row ended. Time over best: on each problem, the solver's time to reach
// the tolerance over that of the quickest solver; the median over the problems where it did. Times
// below kLeastSeconds count as that, because a clock cannot tell them apart: a start that is
// already the answer is not infinitely faster than one iteration. An answer of the file
// (`recorded`) counts like a solver's, with the time that was recorded.

inline constexpr double kLeastSeconds = 1e-7;

struct SolverSummary {
  std::size_t problems = 0;  // with a row, those it does not take left out
  std::size_t refused = 0;   // those
  std::size_t solved = 0;    // by status
  std::vector<std::size_t> own_error, velocity_error;    // reached at each tolerance
  double time_over_best = 0, seconds = 0;                // medians over the reached ones; NaN: none
  double transfer_seconds = 0;                           // median over the problems
  double worst_own_error = 0, worst_velocity_error = 0;  // m/s, of all answers; NaN: none measured
  std::map<std::string, std::size_t> failures;           // every status but converged, by name
  std::map<std::string, std::size_t> paths;              // of the solved rows
};

struct Summary {
  // What reached() and the times are about: the campaign's error where it is velocity_error, else
  // own_error; and its tolerance, or the next larger one that was watched.
  Measure error = Measure::own_error;
  std::size_t tolerance = 0;  // index
  std::vector<SolverSummary> solvers;

  std::size_t reached(const SolverSummary&) const;
  bool transfers() const;  // one of them is in another process
};
Summary summary(const Results&);

// The report of a comparison: a page to look at and the same summary to read (docs/report.md).

// One HTML file with everything inside.
std::string report_html(const Results&);
// The summary as Markdown.
std::string report_markdown(const Results&);

// report.md and report.html in this folder, each whole or not at all. Throws
// io::InputError when the folder cannot be written.
void write_report(const Results&, const std::string& folder);

// Is this a solver? The conformance set for a solver of one's own, in words for who wrote it.

struct CheckOptions {
  double tolerance = 1e-8;  // m/s, of own_error
  long max_iterations = 100000;
  double seconds = 10;                             // of the wall clock, for one solve
  std::function<void(int done, int of)> progress;  // after each solve
  std::function<bool()> cancelled;
};

struct Complaint {
  std::string frame;  // what it was asked
  std::string words;  // what is wrong with the answer
};

struct Check {
  std::string what;
  int asked = 0, passed = 0;
  bool advice = false;  // what fails here is slow, not wrong
  std::vector<Complaint> complaints;
};

// Every solve in a process of its own: a crash or a hang is a complaint. A check ends early when
// three solves had to be killed or died.
std::vector<Check> check_solver(const SolverInfo&, const CheckOptions& = {});
bool passed(const std::vector<Check>&);

}  // namespace perpend::bench
