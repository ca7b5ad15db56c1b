#include "capture/program/summary.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>

namespace perpend::capture {
namespace {

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

// Seconds that are not known count as none.
double known(double seconds) { return std::isfinite(seconds) ? seconds : 0; }

Json milliseconds(const std::vector<double>& sorted, double quantile) {
  if (sorted.empty()) return nullptr;
  const double place = quantile * static_cast<double>(sorted.size() - 1);
  return 1e3 * sorted[static_cast<std::size_t>(place + 0.5)];
}

}  // namespace

std::string hexadecimal(std::uint64_t value) {
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(value));
  return digits;
}

void Summary::step(const RecordedStep& made, double spent) {
  const io::Timing& timing = made.record.timing;
  collision_ += known(timing.collision);
  formulation_ += known(timing.formulation);
  solver_ += known(timing.solver);
  recording_ += made.recording;
  seconds_.push_back(spent);
}

void Summary::written(const io::Record& record) {
  const io::FrameCounts counts = io::counts_of(record);
  bodies_ = std::max<Index>(bodies_, counts.bodies);
  contacts_ = std::max<Index>(contacts_, counts.contacts);
  joint_rows_ = std::max<Index>(joint_rows_, counts.joint_rows);
  const std::string& who = record.answer.answered;
  ++answered_[who.empty() ? "not told" : who];
  // Once it cannot be told for a step, it cannot be told for the run.
  const double gap = momentum_gap(record);
  momentum_ = std::isnan(gap) ? gap : std::isnan(momentum_) ? momentum_ : std::max(momentum_, gap);
  for (const MeasureInfo& one : measures())
    if (record.answer.errors.has(one.measure) &&
        !(errors_[one.measure] >= record.answer.errors[one.measure]))
      errors_[one.measure] = record.answer.errors[one.measure];
}

Json Summary::document(const std::string& solver, const Run& run, const io::Header& header,
                       std::uintmax_t bytes) {
  Json errors = Json::object();
  for (const MeasureInfo& one : measures())
    if (errors_.has(one.measure)) errors[std::string(one.name)] = number(errors_[one.measure]);
  Json answered = Json::object();
  long fallbacks = 0;
  for (const auto& [who, count] : answered_) {
    answered[who] = count;
    if (who != solver) fallbacks += count;
  }
  std::sort(seconds_.begin(), seconds_.end());
  return {{"scene", header.scene},
          {"engine", header.engine},
          {"engine_version", header.engine_version},
          {"scalar_bytes", header.scalar_bytes},
          {"solver", solver},
          {"max_iterations", run.iterations() > 0 ? Json(run.iterations()) : Json(nullptr)},
          {"dt", run.h()},
          {"steps", steps()},
          {"bodies", bodies_},
          {"contacts_max", contacts_},
          {"joint_rows", joint_rows_},
          {"answered", answered},
          {"fallbacks", fallbacks},
          {"momentum_gap", number(momentum_)},
          {"errors", errors},
          {"state_hash", hexadecimal(run.hash())},
          {"bytes", bytes},
          {"seconds",
           {{"collision", collision_},
            {"formulation", formulation_},
            {"solver", solver_},
            {"total", std::accumulate(seconds_.begin(), seconds_.end(), 0.0)},
            {"recording", recording_}}},
          {"step_ms",
           {{"median", milliseconds(seconds_, 0.5)}, {"p99", milliseconds(seconds_, 0.99)}}}};
}

}  // namespace perpend::capture
