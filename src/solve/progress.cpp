// Clock, limits, cancel, NaN guard, best iterate, history: what every solver would otherwise
// repeat.
//
// The clock runs from construction to the last `next` or `finish` and stops while `next` measures:
// a solver is billed its own time only, with and without observer and history.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <limits>
#include <utility>

#include "linear/interrupt.hpp"
#include "perpend/base.hpp"
#include "solve/limits.hpp"

namespace perpend {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kUnmeasured = std::numeric_limits<double>::quiet_NaN();
// An own_estimate above this many tolerances is trusted to mean "not yet".
constexpr double kFarAbove = 10;
// What one core does of elimination in blocks, operations per second.
constexpr double kFlops = 4e9;
// Sums of work are counted up to this part.
constexpr double kCounted = 1e-9;
// Work that cannot be left may end this much too late by that measure. s
constexpr double kGrace = 0.5;

double most(const Bounded& e) { return e.error + e.rounding; }

const OptionInfo* find(const SolverInfo& info, std::string_view option) {
  for (const OptionInfo& o : info.options)
    if (o.name == option) return &o;
  return nullptr;
}

}  // namespace

double seconds_now(const Options& options) {
  if (options.clock) return options.clock();
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double memory_limit(const Options& options) {
  if (options.memory_limit > 0) return options.memory_limit;
  return 0.5 * static_cast<double>(sysconf(_SC_PHYS_PAGES)) *
         static_cast<double>(sysconf(_SC_PAGESIZE));
}

std::string needs_too_much(double bytes, const Options& options) {
  return "needs " + short_number(bytes) + " bytes, the memory limit is " +
         short_number(memory_limit(options));
}

std::optional<Ending> over(const Options& options, double spent, double flops,
                           const std::string& when) {
  if (options.cancelled && options.cancelled()) return Ending{Status::stopped, "stopped " + when};
  if (!(options.time_limit > 0)) return std::nullopt;
  const std::string limit = "limit of " + short_number(options.time_limit) + " s " + when;
  if (spent >= options.time_limit) return Ending{Status::time_limit, limit};
  if (spent + flops / kFlops > options.time_limit + kGrace)
    return Ending{Status::time_limit, limit + ": a factorization of " + short_number(flops) +
                                          " operations would take longer"};
  return std::nullopt;
}

// In the order of Status and of Work.
constexpr std::array<std::string_view, 11> kStatusNames = {
    "not_called", "converged", "iteration_limit", "time_limit",    "stalled", "infeasible",
    "failed",     "stopped",   "too_large",       "invalid_input", "crashed"};
static_assert(static_cast<std::size_t>(Status::crashed) + 1 == kStatusNames.size());
constexpr std::array<std::string_view, kWorks> kWorkNames = {"sweeps", "products", "factorizations",
                                                             "pivots"};

std::string_view name(Status s) { return kStatusNames[static_cast<std::size_t>(s)]; }
std::string_view name(Work w) { return kWorkNames[static_cast<std::size_t>(w)]; }

namespace {
constexpr std::string_view kAtIterate = "@iterate";
}

std::string name(HistoryMeasure m) {
  return std::string(name(m.measure)).append(m.at_iterate ? kAtIterate : "");
}

std::optional<HistoryMeasure> history_measure_named(std::string_view text) {
  const bool at_iterate = text.ends_with(kAtIterate);
  if (at_iterate) text.remove_suffix(kAtIterate.size());
  const std::optional<Measure> measure = measure_named(text);
  if (!measure) return std::nullopt;
  return HistoryMeasure(*measure, at_iterate);
}

Progress::Progress(const Options& options, const SolverInfo& info, VectorXd start, Judge judge)
    : Progress(options, info, start, judge, judge.error(start)) {}

Progress::Progress(const Options& options, const SolverInfo& info, VectorXd start, Judge judge,
                   double start_error)
    : options_(options),
      info_(info),
      start_(std::move(start)),
      start_error_(start_error),
      judge_(std::move(judge)),
      operations_(linear::Interrupt::operations()),
      best_{kInfinity, 0},
      doubted_{kInfinity, 0},
      lowest_energy_(kInfinity),
      best_estimate_(kInfinity) {
  consider(start_, start_error);
  if (best_z_.size() != start_.size()) best_z_ = start_;
  if (options_.history_measures)
    for (const HistoryMeasure& m : *options_.history_measures)
      (m.at_iterate ? at_iterate_ : judged_).push_back(m.measure);
  if (options_.history) record(start_);
  started_ = now();
}

double Progress::now() const { return seconds_now(options_); }

void Progress::consider(const VectorXd& z, double error) {
  Bounded found{error, 0};
  if (error <= options_.tolerance && judge_.bounded) {
    found = judge_.bounded(z);
    if (most(found) > options_.tolerance && most(found) < most(doubted_)) doubted_ = found;
  }
  if (most(found) < most(best_)) {
    best_ = found;
    best_z_ = z;
  }
}

void Progress::weigh_start() {
  if (std::exchange(start_weighed_, true)) return;
  weigh(start_, {}, start_error_);
}

void Progress::weigh(const VectorXd& z, std::optional<double> known, std::optional<double> error) {
  if (!options_.by_energy || !judge_.energy || met()) return;
  const double energy = known ? *known : judge_.energy(z);
  if (!(energy < lowest_energy_)) return;
  lowest_energy_ = energy;
  lowest_z_ = z;
  lowest_error_ = error;
}

double Progress::sweeps() const {
  double sum = judge_.costs.operation * (linear::Interrupt::operations() - operations_);
  for (std::size_t w = 0; w < kWorks; ++w)
    sum += judge_.costs.sweeps[w] * static_cast<double>(work_[w]);
  return sum;
}

std::string Progress::error_text(double error) const {
  return std::string(name(options_.error)) + " " + short_number(error);
}

Errors Progress::some(const VectorXd& z, const std::vector<Measure>& asked) const {
  Errors kept;
  if (asked.empty()) return kept;
  const Errors measured = judge_.some ? judge_.some(z, asked) : judge_.all(z);
  for (const Measure m : asked) kept[m] = measured[m];
  return kept;
}

void Progress::record(const VectorXd& z) {
  const Errors errors = options_.history_measures ? some(z, judged_) : judge_.all(z);
  // A method that extrapolates says so after `next`: iterate().
  history_.push_back({iterations_, billed_, restart_, errors, some(z, at_iterate_)});
  restart_ = false;
  next_point_ = std::max(iterations_ + 1,
                         static_cast<long>(std::ceil(static_cast<double>(iterations_) *
                                                     std::max(1.0, options_.history_ratio))));
}

bool Progress::next(const VectorXd& z, double own_estimate, std::optional<double> energy) {
  if (finished()) return false;
  const double entered = now();
  billed_ = own(entered - started_ - excluded_);
  ++iterations_;
  if (!z.allFinite()) {
    finish(Status::failed, "iterate " + std::to_string(iterations_) + " is not finite");
    excluded_ += now() - entered;
    return false;
  }
  std::optional<double> error;
  // Estimates lag and may mislead: iterations 1, 2, 4, 8 ... are measured whatever they say, but
  // where energies decide.
  const bool measured = !options_.by_energy && (iterations_ & (iterations_ - 1)) == 0;
  if (options_.error == Measure::own_error && !measured &&
      own_estimate > kFarAbove * options_.tolerance) {
    if (own_estimate < best_estimate_) {
      best_estimate_ = own_estimate;
      best_guess_ = z;
    }
  } else {
    error = judge_.error(z);
    consider(z, *error);
  }
  // Where factorizations have led to an answer the lowest error decides (take_result).
  if (work_[static_cast<std::size_t>(Work::factorization)] == 0 || best_z_.isZero(0)) {
    weigh_start();
    weigh(z, energy, error);
  }
  return counted(&z, entered);
}

void Progress::iterate(const VectorXd& z) {
  const bool kept = !history_.empty() && history_.back().iteration == iterations_;
  if (!wants_iterates() || !kept || z.size() != start_.size() || !z.allFinite()) return;
  const double entered = now();
  history_.back().iterate = some(z, at_iterate_);
  excluded_ += now() - entered;
}

bool Progress::energy_decides(double own_estimate, double energy) const {
  return options_.by_energy && judge_.energy && std::isfinite(energy) && !options_.observer &&
         !options_.history && options_.error == Measure::own_error &&
         own_estimate > kFarAbove * options_.tolerance;
}

bool Progress::next_unseen() {
  if (finished()) return false;
  const double entered = now();
  billed_ = own(entered - started_ - excluded_);
  ++iterations_;
  return counted(nullptr, entered);
}

bool Progress::counted(const VectorXd* z, double entered) {
  const double sweeps_now = sweeps(), this_one = sweeps_now - last_sweeps_;
  last_sweeps_ = sweeps_now;
  const bool recorded = z && options_.history && iterations_ >= next_point_;
  if (recorded) record(*z);
  const bool go_on = !z || !options_.observer || options_.observer({iterations_, billed_, *z});

  if (met())
    finish(Status::converged,
           error_text(best_.error) + " after " + std::to_string(iterations_) + " iterations");
  else if (!go_on || cancelled())
    finish(Status::stopped, "stopped after " + std::to_string(iterations_) + " iterations");
  else if (iterations_ >= options_.max_iterations)
    finish(Status::iteration_limit, "limit of " + std::to_string(iterations_) + " iterations");
  else if (options_.effort > 0 && sweeps_now + this_one > options_.effort * (1 + kCounted))
    finish(Status::iteration_limit, "effort of " + short_number(options_.effort) +
                                        " sweeps: " + short_number(sweeps_now) + " after " +
                                        std::to_string(iterations_) + " iterations");
  else if (options_.time_limit > 0 && billed_ >= options_.time_limit)
    finish(Status::time_limit, "limit of " + short_number(options_.time_limit) + " s after " +
                                   std::to_string(iterations_) + " iterations");
  if (z && options_.history && finished() && !recorded) record(*z);
  excluded_ += now() - entered;
  return !finished();
}

double Progress::spent() const { return now() - started_ - excluded_; }

double Progress::time_left() const {
  if (!(options_.time_limit > 0)) return kInfinity;
  return options_.time_limit - own(spent());
}

void Progress::bill(double seconds) { elsewhere_ = elsewhere_.value_or(0) + seconds; }

double Progress::transfer() const { return elsewhere_ ? std::max(0.0, spent() - *elsewhere_) : 0; }

void Progress::offer(const VectorXd& z, std::optional<double> energy) {
  if (z.size() == best_z_.size() && z == best_z_) return;  // it was measured when it became that
  const double entered = now();
  if (z.allFinite()) {
    const bool left =  // to the caller, who measures what he takes
        !options_.measure_all && energy && energy_decides(kInfinity, *energy);
    const double error = left ? kUnmeasured : judge_.error(z);
    consider(z, error);
    weigh(z, energy, error);
  }
  excluded_ += now() - entered;
}

void Progress::count(Work work, long times) { work_[static_cast<std::size_t>(work)] += times; }

void Progress::path(std::string_view path) { path_ = path; }

void Progress::finish(Status status, std::string why) {
  if (finished()) return;
  if (status == Status::time_limit) reproducible_ = false;
  status_ = status;
  why_ = std::move(why);
}

double Progress::memory_limit() const { return perpend::memory_limit(options_); }

bool Progress::too_large(double bytes) {
  if (bytes <= memory_limit()) return false;
  finish(Status::too_large, needs_too_much(bytes, options_));
  return true;
}

std::string_view Progress::own_option(std::string_view option) const {
  if (const auto given = options_.set.find(std::string(option)); given != options_.set.end())
    return given->second;
  const OptionInfo* info = find(info_, option);
  return info ? std::string_view(info->fallback) : std::string_view();
}

double Progress::number(std::string_view option) const {
  return std::strtod(std::string(own_option(option)).c_str(), nullptr);
}

std::string_view Progress::choice(std::string_view option) const { return own_option(option); }

Result Progress::take_result() {
  // Time after the last `next` (a direct method's only work, say) is the solver's too.
  billed_ = own(spent());
  const double transfer_seconds = transfer();
  weigh_start();
  // Points of Newton's method and of the interior point come from outside the law or from inside
  // the cones: of lowest energy are those that open contacts which slide. But the lowest error may
  // be that of no impulses at all.
  const bool swept = work_[static_cast<std::size_t>(Work::factorization)] == 0;
  const bool by_energy =
      !met() && lowest_energy_ < kInfinity && (swept || best_z_.size() == 0 || best_z_.isZero(0));
  double lowest_error = kInfinity;
  if (by_energy) lowest_error = lowest_error_ ? *lowest_error_ : judge_.error(lowest_z_);
  if (by_energy)
    consider(lowest_z_, lowest_error);
  else if (best_guess_.size())
    consider(best_guess_, judge_.error(best_guess_));
  if (!finished()) finish(Status::failed, "the method returned without a verdict");
  if (met()) {
    if (status_ != Status::converged) why_ = error_text(best_.error) + " (" + why_ + ")";
    status_ = Status::converged;
  } else if (doubted_.error < kInfinity) {
    // A proof, and what the user or the clock ended, stay what they are.
    if (status_ == Status::iteration_limit || status_ == Status::failed) status_ = Status::stalled;
    why_ = error_text(doubted_.error) + ", but rounding may hide " +
           short_number(doubted_.rounding) + " (" + why_ + ")";
  }
  if (!met() && status_ == Status::converged) status_ = Status::stalled;
  if (!met() && by_energy) {
    best_z_ = std::move(lowest_z_);
    best_ = {lowest_error, 0};
  }
  Result r;
  r.status = status_;
  r.message = std::move(why_);
  r.path = path_.empty() ? info_.name : path_;
  r.z = std::move(best_z_);
  if (best_.error < kInfinity) r.errors[options_.error] = best_.error;
  r.iterations = iterations_;
  r.work = work_;
  r.sweeps = sweeps();
  r.seconds = billed_;
  r.transfer_seconds = transfer_seconds;
  r.reproducible = reproducible_;
  r.history = std::move(history_);
  return r;
}

std::string invalid(const Options& o, const SolverInfo& info) {
  if (!(o.tolerance >= 0)) return "tolerance must not be negative";
  if (o.error == Measure::energy_change)
    return "energy_change can be negative, so it has no tolerance";
  if (o.max_iterations < 0) return "max-iterations must not be negative";
  if (!(o.effort >= 0)) return "effort must not be negative";
  if (!(o.time_limit >= 0)) return "time-limit must not be negative";
  if (!(o.memory_limit >= 0)) return "memory-limit must not be negative";
  if (!(o.history_ratio >= 1)) return "the ratio of a history must not be below 1";
  if (o.facets < 3) return "facets must be at least 3";
  for (const auto& [option, value] : o.set) {
    const OptionInfo* known = find(info, option);
    if (!known) {
      std::string list;
      for (const OptionInfo& k : info.options) list += (list.empty() ? "" : ", ") + k.name;
      return info.name + " has no option '" + option + "'; it has " +
             (list.empty() ? "none" : list);
    }
    if (!known->choices.empty()) {
      if (std::find(known->choices.begin(), known->choices.end(), value) != known->choices.end())
        continue;
      std::string list;
      for (const std::string& k : known->choices) list += (list.empty() ? "" : ", ") + k;
      return info.name + " option '" + option + "' must be one of " + list;
    }
    char* end = nullptr;
    const double number = std::strtod(value.c_str(), &end);
    if (value.empty() || *end || !(number >= known->lowest && number <= known->highest))
      return info.name + " option '" + option + "' must be a number from " +
             short_number(known->lowest) + " to " + short_number(known->highest);
  }
  return {};
}

}  // namespace perpend
