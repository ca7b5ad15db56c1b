// The conformance set: frames whose velocities were derived by hand, frames that break solvers,
// limits, and the same bits twice.
#include <algorithm>
#include <cstdio>
#include <sstream>

#include "bench/check_frames.hpp"
#include "perpend/base.hpp"
#include "perpend/bench.hpp"
#include "perpend/io.hpp"
#include "perpend/peers.hpp"

namespace perpend::bench {
namespace {

std::vector<io::Record> records(std::string_view text, const char* name) {
  std::istringstream lines{std::string(text)};
  return io::read_json_lines(lines, name);
}

bool tagged(const io::Record& r, std::string_view tag) {
  return std::find(r.tags.begin(), r.tags.end(), tag) != r.tags.end();
}

// Whether the derived velocity holds for this formulation's friction.
bool holds(std::string_view formulation, const io::Record& r) {
  if (formulation == "normal") return tagged(r, "frictionless");
  return formulation == "ncp" || formulation == "mncp" || !tagged(r, "cone-only");
}

bool died(const Result& r) {
  return r.status == Status::crashed || r.status == Status::time_limit ||
         r.status == Status::too_large;
}

class Checker {
 public:
  Checker(const SolverInfo& info, const CheckOptions& options)
      : info_(info), options_(options), worker_(0, {}, options.cancelled) {
    for (io::Record& r : records(sample_frames(), "sample frames"))
      if (accepts(r)) samples_.push_back(std::move(r));
    for (io::Record& r : records(hard_frames(), "hard frames"))
      if (accepts(r)) hard_.push_back(std::move(r));
    total_ = static_cast<int>(samples_.size() + hard_.size()) + 2 * kTwice + kLimits;
  }

  std::vector<Check> run() {
    derived();
    slow();
    hard();
    same_bits();
    limits();
    return std::move(checks_);
  }

 private:
  static constexpr int kTwice = 3, kLimits = 3;

  bool accepts(const io::Record& r) const { return info_.joints || !r.frame.joints.count(); }
  bool cancelled() const { return options_.cancelled && options_.cancelled(); }
  // A check goes on until three of its solves died.
  bool goes_on() const { return !cancelled() && deaths_ - deaths_before_ < 3; }
  Check& begin(std::string what) {
    deaths_before_ = deaths_;
    checks_.push_back({std::move(what), 0, 0, false, {}});
    return checks_.back();
  }

  Options usual() const {
    Options o;
    o.tolerance = options_.tolerance;
    o.max_iterations = options_.max_iterations;
    o.measure_all = false;
    return o;
  }

  Result ask(const System& s, const Options& o, Check& check) {
    Result r = peers::solve(worker_, s, info_.name, o, options_.seconds);
    ++check.asked;
    ++done_;
    deaths_ += died(r);
    if (options_.progress) options_.progress(done_, total_);
    return r;
  }

  // What is wrong with any answer, whatever was asked; empty: nothing.
  static std::string faults(const System& s, const Result& r, long most_iterations) {
    if (r.status == Status::time_limit)
      return "did not return: " + r.message + " (does it stop when next() returns 0?)";
    if (died(r) || r.status == Status::invalid_input)
      return std::string(name(r.status)) + ": " + r.message;
    if (r.message.find("not finite") != std::string::npos) return r.message;
    if (r.message == "the method returned without a verdict")
      return "returned although next() did not return 0, and without calling finish()";
    if (r.impulses.size() != s.rows() || !r.impulses.allFinite()) return "impulses are not finite";
    if (r.iterations > most_iterations)
      return std::to_string(r.iterations) + " iterations, but the limit was " +
             std::to_string(most_iterations);
    return {};
  }

  void answer(const io::Record& record, Check& check) {
    const System s = assemble(record.frame);
    const Result r = ask(s, usual(), check);
    std::string words = faults(s, r, options_.max_iterations);
    if (words.empty() && r.status != Status::converged)
      words = std::string(name(r.status)) + " at own_error " +
              short_number(r.errors[Measure::own_error]) + " m/s: " + r.message;
    if (words.empty() && holds(info_.formulation(), record)) {
      // A residual of e moves the bodies of these frames by less than 32 e
      // (tests/conformance/conformance_test.cpp derives it).
      const Rows6 plus = velocity_plus(record.frame, s, r.impulses);
      const double off = (plus - record.answer.velocities_plus).cwiseAbs().maxCoeff();
      if (off > 32 * options_.tolerance)
        words = "converged to a velocity that is wrong by " + short_number(off) +
                " m/s: " + record.derivation;
    }
    note(record.name, words, check);
  }

  static void note(const std::string& frame, std::string words, Check& check) {
    if (words.empty())
      ++check.passed;
    else
      check.complaints.push_back({frame, std::move(words)});
  }

  void derived() {
    Check& check = begin("velocities derived by hand");
    for (const io::Record& record : samples_)
      if (!tagged(record, "many-sweeps") && goes_on()) answer(record, check);
  }

  void slow() {
    Check& check = begin("velocities at mass ratios up to 1:1000");
    check.advice = true;
    for (const io::Record& record : samples_)
      if (tagged(record, "many-sweeps") && goes_on()) answer(record, check);
  }

  void hard() {
    Check& check = begin("correct status on hard problems");
    Options o = usual();
    o.max_iterations = 300;
    for (const io::Record& record : hard_) {
      if (!goes_on()) return;
      const System s = assemble(record.frame);
      const Result r = ask(s, o, check);
      std::string words = faults(s, r, o.max_iterations);
      if (words.empty() && tagged(record, "infeasible") && r.status == Status::converged)
        words = "converged, but there is no solution: " + record.derivation;
      note(record.name, std::move(words), check);
    }
  }

  void same_bits() {
    Check& check = begin("the same bits in two runs");
    Options o = usual();
    o.max_iterations = 300;
    for (int k = 0; k < kTwice && k < static_cast<int>(hard_.size()) && goes_on(); ++k) {
      // The last ones: they take most iterations.
      const io::Record& record = hard_[hard_.size() - 1 - static_cast<std::size_t>(k)];
      const System s = assemble(record.frame);
      const Result first = ask(s, o, check);
      worker_.kill();  // a new process: what a solver keeps must not matter
      const Result second = ask(s, o, check);
      --check.asked;
      if (died(first) || died(second)) {
        note(record.name, faults(s, died(first) ? first : second, o.max_iterations), check);
        continue;
      }
      const bool same = first.iterations == second.iterations && first.impulses == second.impulses;
      note(record.name, same ? "" : "two runs on the same problem differ", check);
    }
  }

  void limits() {
    Check& check = begin("limits are kept");
    const System s = assemble(hard_.back().frame);
    for (const long most : {1L, 2L, 7L}) {
      if (!goes_on()) return;
      Options o = usual();
      o.tolerance = 0;
      o.max_iterations = most;
      const Result r = ask(s, o, check);
      note("--max-iterations " + std::to_string(most), faults(s, r, most), check);
    }
  }

  const SolverInfo& info_;
  const CheckOptions& options_;
  peers::Worker worker_;
  std::vector<io::Record> samples_, hard_;
  std::vector<Check> checks_;
  int done_ = 0, total_ = 0, deaths_ = 0, deaths_before_ = 0;
};

}  // namespace

std::vector<Check> check_solver(const SolverInfo& info, const CheckOptions& options) {
  return Checker(info, options).run();
}

bool passed(const std::vector<Check>& checks) {
  return std::all_of(checks.begin(), checks.end(),
                     [](const Check& c) { return c.advice || c.complaints.empty(); });
}

}  // namespace perpend::bench
