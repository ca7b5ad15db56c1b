#include "sim/limits.hpp"

#include <chrono>
#include <cmath>

#include "perpend/base.hpp"

namespace perpend::sim {
namespace {

// Three times the speed of light. Boxes grown by such a way meet everything, and rounding of such
// positions is of the size of the bodies: what follows is no motion any more. m/s
constexpr double kTooFast = 1e9;

// Zero would be no limit. s
constexpr double kNothingLeft = 1e-9;

double now(const Options& options) {
  if (options.clock) return options.clock();
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::string too_fast(const StepBody& m, const Vector3d& v, const Vector3d& w) {
  const double speed = v.norm() + w.norm() * m.radius;
  if (speed < kTooFast) return {};
  return "body " + std::to_string(m.id) +
         (std::isnan(speed) ? std::string(" has a speed that is not a number")
                            : formatted(" would move at %.3g m/s", speed));
}

}  // namespace

StepClock::StepClock(const Options& options)
    : options_(options), began_(options.time_limit > 0 ? now(options) : 0) {}

double StepClock::left() const {
  const double limit = options_.time_limit;
  return limit > 0 ? std::max(limit - (now(options_) - began_), kNothingLeft) : 0;
}

Options StepClock::for_solve() const {
  Options how = options_;
  how.measure_all = false;
  how.time_limit = left();
  return how;
}

bool StepClock::over() {
  if (options_.cancelled && options_.cancelled()) stopped_ = true;
  if (left() == kNothingLeft) limited_ = true;
  return ended();
}

void StepClock::note(Status of_solve) {
  stopped_ |= of_solve == Status::stopped;
  limited_ |= of_solve == Status::time_limit;
}

std::string StepClock::message() const {
  return stopped_ ? "stopped within the step"
                  : formatted("limit of %.3g s for a step", options_.time_limit);
}

std::string runaway(const StepBodies& bodies, const Rows6& velocities) {
  for (Index i = 0; i < bodies.count(); ++i) {
    if (!bodies[i].moves) continue;
    std::string why = too_fast(bodies[i], velocities.row(i).head<3>().transpose(),
                               velocities.row(i).tail<3>().transpose());
    if (!why.empty()) return why;
  }
  return {};
}

std::string runaway(const StepBodies& bodies) {
  for (const StepBody& m : bodies.list) {
    if (!m.moves) continue;
    std::string why = too_fast(m, m.velocity, m.spin);
    if (!why.empty()) return why;
  }
  return {};
}

}  // namespace perpend::sim
