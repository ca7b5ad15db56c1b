// Comparing solvers: every solver on every problem, measured the same way (docs/results.md).
//
// A row is one solver on one problem. Its first run measures the errors of some iterations; this
// does not count as time. The timed runs that follow measure no errors; they give the seconds of
// the whole run and of those iterations.
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
// This machine, now, without the commit.
Machine this_machine();

struct Settings {
  double tolerance = 1e-8;
  Measure error = Measure::own_error;
  long max_iterations = 10000;
  double time_limit = 10;   // s, of the solver's own time; 0: none
  double memory_limit = 0;  // bytes; 0: half of the machine's
  bool warm_start = false;  // from the recorded answers
  long repeat = 3;          // timed runs
  Index facets = 8;
  std::uint64_t seed = 1;
  std::map<std::string, std::string> set;  // options of solvers, for those that have them
  // These do not change what is measured.
  long jobs = 1;        // solves at the same time
  std::string command;  // the command line
};

// The settings from these options; the others keep their defaults.
Settings settings_of(const Options&);
// The first difference in words: "--tolerance was 1e-08, is 1e-06". Empty if they measure the same.
std::string different_settings(const Settings& was, const Settings& is);

struct SolverEntry {
  std::string name, formulation, title, reference, friction;  // cone, pyramid, box, none
  std::string origin = "perpend";  // or another project, or a plugin's file
};
SolverEntry solver_entry(std::string_view solver);

struct ProblemEntry {
  std::string file;
  Index frame = 0;
  std::string title;
  std::vector<std::string> tags;
  io::FrameCounts counts{};
  std::string hash;          // of the system, 16 hexadecimal digits
  std::int64_t ordinal = 0;  // its number in the whole campaign (a shard has only some)
};

struct Point {
  long iteration = 0;
  double seconds = 0;
  bool restart = false;  // the method restarted since the last point
  double own_error, velocity_error, normal_error, friction_error;  // NaN: not defined
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
  std::vector<double> runs;    // seconds of each timed run; empty: `seconds` is of the first run
  std::vector<Point> history;  // the last one is the answer
};

// When a tolerance was first met. -1 and NaN: never.
struct Moment {
  long iteration = -1;
  double seconds;
  Moment();
};
// The moment for each tolerance, exact to one point of the history: a factor of kHistoryRatio in
// iterations, or one iteration.
std::vector<Moment> first_moments(const std::vector<Point>&, double Point::*error,
                                  const std::vector<double>& tolerances);
inline constexpr double kHistoryRatio = 1.05;
// At most `most` points of a history, about evenly spaced in the logarithm of iterations, with the
// first and the last one. A restart is kept in the next point.
std::vector<Point> thinned(const std::vector<Point>&, std::size_t most);

struct Results {
  std::string title;
  std::string campaign;           // the same for all shards
  std::vector<Machine> machines;  // at least one
  Settings settings;
  std::vector<double> tolerances;  // ascending
  std::vector<SolverEntry> solvers;
  std::vector<ProblemEntry> problems;
  std::vector<Row> rows;          // by problem, then by solver
  std::int64_t rows_planned = 0;  // if larger than the number of rows, it was interrupted
};

// results.json, results.csv (docs/results.md).
std::string to_json(const Results&);
std::string to_csv(const Results&);
// Writes results.h5, results.json and results.csv into a folder.
void write_results(const Results&, const std::string& folder);
// Reads results.h5 of a folder, or the file itself. Throws io::InputError.
Results read_results(const std::string& path);

// Frames of one file.
struct Input {
  std::string file;
  std::vector<Index> frames;
  std::vector<std::string> tags;  // for all of them, added to those of the file
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
  std::function<bool()> stop;  // called a few times per second; true stops at once
  // Rows done so far, those done by an earlier run, rows in all.
  std::function<void(long done, long before, long total)> progress;
  peers::Answering answering;  // default: perpend::solve
  // A solve that ignores its time limit is killed after five times that limit and so many seconds
  // of the wall clock.
  double grace = 5;
};

// Runs the rows that are not done yet, and writes each finished row to the folder's journal. Throws
// io::InputError if the folder has another campaign, or if another program works in it.
Results run(const Campaign&, const std::string& folder, const Hooks& = {});
// Deletes the folder's journal.
void forget(const std::string& folder);

// Joins shards of one campaign, or several campaigns with the same settings. Throws io::InputError
// if settings differ, or if the same row appears twice with different results (times may differ).
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
  std::size_t refused = 0;                         // rows refused in A and B, not in `common`
  bool times_judged = true;                        // false: the machines differ
  double noise = 0;                                // median over the rows of (high - low)/median
};
// A change is reported if it is larger than the noise. Errors: 10 % (a factor of 10 if a time limit
// ended the run) and more than the tolerance. Iterations: 10 % and more than one. Times: the
// fastest new run is slower than the slowest old one by more than the spread of either and of most
// rows.
Comparison compare(const Results& a, const Results& b);

// The summary: one line per solver, as in the terminal and at the top of report.md and the page
// (docs/report.md).
//
// A problem that a solver does not accept (status invalid_input: joints, no mass matrix) is not a
// failure. Such rows are counted separately.
//
// Solved: the status is converged. Reached: at some moment the error was at most the tolerance,
// however the row ended. Time over best: on each problem, the time to reach the tolerance divided
// by that of the fastest solver; the median over the problems where the solver reached it. Times
// below kLeastSeconds count as kLeastSeconds: a clock cannot tell them apart. The answer in the
// file (`recorded`) is treated like a solver, with the recorded time.

inline constexpr double kLeastSeconds = 1e-7;

struct SolverSummary {
  std::size_t problems = 0;  // problems with a row that the solver accepts
  std::size_t refused = 0;   // problems that it does not accept
  std::size_t solved = 0;    // with the status converged
  std::vector<std::size_t> own_error, velocity_error;    // how many reached each tolerance
  double time_over_best = 0, seconds = 0;                // medians over those; NaN: none
  double transfer_seconds = 0;                           // median over the problems
  double worst_own_error = 0, worst_velocity_error = 0;  // m/s, of all answers; NaN: none measured
  std::map<std::string, std::size_t> failures;           // count of each status but converged
  std::map<std::string, std::size_t> paths;              // of the solved rows
};

struct Summary {
  // The measure and tolerance of reached() and of the times: velocity_error if the campaign uses
  // it, else own_error; the campaign's tolerance, or the next larger one in the list.
  Measure error = Measure::own_error;
  std::size_t tolerance = 0;  // index
  std::vector<SolverSummary> solvers;

  std::size_t reached(const SolverSummary&) const;
  bool transfers() const;  // true if a solver runs in another process
};
Summary summary(const Results&);

// Pages that show the frames of problem files (docs/share.md), by file; relative to the folder of
// the report, which lists them in share/pages.json.
using Pages = std::map<std::string, std::string>;
void write_pages(const Pages&, const std::string& folder);
Pages read_pages(const std::string& folder);  // empty: there are none. Throws io::InputError

// The report as one HTML file that links to no other files but those pages (docs/report.md).
std::string report_html(const Results&, const Pages& = {});
// The summary as Markdown.
std::string report_markdown(const Results&);

// Writes report.md and report.html into a folder; rows link to the folder's pages. Throws
// io::InputError if that fails.
void write_report(const Results&, const std::string& folder);

// Tests a solver of yours: `perpend check-solver`.
struct CheckOptions {
  double tolerance = 1e-8;  // m/s, of own_error
  long max_iterations = 100000;
  double seconds = 10;                             // limit of one solve, wall clock
  std::function<void(int done, int of)> progress;  // called after each solve
  std::function<bool()> cancelled;
};

struct Complaint {
  std::string frame;  // the problem
  std::string words;  // what is wrong with the answer
};

struct Check {
  std::string what;
  int asked = 0, passed = 0;
  bool advice = false;  // failing this check means slow, not wrong
  std::vector<Complaint> complaints;
};

// Every solve runs in its own process, so that a crash or a hang is a complaint. A check ends early
// after three solves that crashed or had to be killed.
std::vector<Check> check_solver(const SolverInfo&, const CheckOptions& = {});
bool passed(const std::vector<Check>&);

}  // namespace perpend::bench
