#include "capture/program/summary.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numeric>

#include "perpend/base.hpp"

namespace perpend::capture {
namespace {

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

// Seconds that are not known count as none.
double known(double seconds) { return std::isfinite(seconds) ? seconds : 0; }

Json milliseconds(const std::vector<double>& seconds) {
  return {{"median", number(1e3 * quantile(seconds, 0.5))},
          {"p99", number(1e3 * quantile(seconds, 0.99))}};
}

}  // namespace

void Summary::step(const io::Timing& timing, double recording, double whole) {
  collision_ += known(timing.collision);
  formulation_ += known(timing.formulation);
  solver_ += known(timing.solver);
  recording_ += recording;
  own_.push_back(timing.total);
  recorded_.push_back(whole);
}

void Summary::plain_step(double whole) { plain_.push_back(whole); }

void Summary::written(const io::Record& record) {
  const io::FrameCounts counts = io::counts_of(record);
  bodies_ = std::max<Index>(bodies_, counts.bodies);
  contacts_ = std::max<Index>(contacts_, counts.contacts);
  joint_rows_ = std::max<Index>(joint_rows_, counts.joint_rows);
  const std::string& who = record.answer.answered;
  ++answered_[who.empty() ? "unknown" : who];
  // Once it cannot be told for a step, it cannot be told for the run.
  const double gap = momentum_gap(record);
  momentum_ = std::isnan(gap) ? gap : std::isnan(momentum_) ? momentum_ : std::max(momentum_, gap);
  for (const MeasureInfo& one : measures())
    if (record.answer.errors.has(one.measure))
      errors_[std::string(one.name)].push_back(record.answer.errors[one.measure]);
}

Json Summary::document(const std::string& solver, const Run& run, const io::Header& header,
                       const WriterStatistics& writer) const {
  Json errors = Json::object(), medians = Json::object();
  for (const MeasureInfo& one : measures()) {
    const auto found = errors_.find(std::string(one.name));
    if (found == errors_.end()) continue;
    errors[found->first] = number(quantile(found->second, 1));
    medians[found->first] = number(quantile(found->second, 0.5));
  }
  Json answered = Json::object();
  long fallbacks = 0;
  for (const auto& [who, count] : answered_) {
    answered[who] = count;
    if (who != solver) fallbacks += count;
  }
  Json out{{"scene", header.scene},
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
           {"errors_median", medians},
           {"state_hash", hexadecimal(run.hash())},
           {"seconds",
            {{"collision", collision_},
             {"formulation", formulation_},
             {"solver", solver_},
             {"total", std::accumulate(own_.begin(), own_.end(), 0.0)},
             {"recording", recording_},
             {"waited", writer.waited}}},
           {"queue_bytes_max", writer.most_bytes},
           {"held_bytes_max", writer.most_held},
           {"step_ms", milliseconds(own_)},
           {"recorded_step_ms", milliseconds(recorded_)}};
  if (!plain_.empty()) out["plain_step_ms"] = milliseconds(plain_);
  return out;
}

}  // namespace perpend::capture
