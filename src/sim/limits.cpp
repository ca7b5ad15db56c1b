// What ends a step before it is done: the time limit, which its solves and its correction share,
// and Ctrl-C; and speeds at which no step can be taken.
#include <chrono>
#include <cmath>
#include <cstdio>

#include "perpend/base.hpp"
#include "sim/bullet_body.hpp"
#include "sim/step.hpp"

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

}  // namespace

void Step::watch() {
  began_ = options.solve.time_limit > 0 ? now(options.solve) : 0;
  stopped_ = limited_ = false;
}

double Step::left() const {
  const double limit = options.solve.time_limit;
  return limit > 0 ? std::max(limit - (now(options.solve) - began_), kNothingLeft) : 0;
}

Options Step::for_solve() const {
  Options how = options.solve;
  how.measure_all = false;
  how.time_limit = left();
  return how;
}

bool Step::over() {
  if (options.solve.cancelled && options.solve.cancelled()) stopped_ = true;
  if (left() == kNothingLeft) limited_ = true;
  return stopped_ || limited_;
}

void Step::conclude() {
  if (stopped_) {
    report.status = Status::stopped;
    report.message = "stopped within the step";
  } else if (limited_) {
    report.status = Status::time_limit;
    report.message = formatted("limit of %.3g s for a step", options.solve.time_limit);
  }
}

bool Step::runs_away() {
  const bool solved = velocities_plus_.rows() >= static_cast<Index>(bodies_.size());
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const Moving& m = bodies_[i];
    if (!m.moves) continue;
    Vector3d v = m.velocity, w = m.spin;
    if (solved) {
      v = velocities_plus_.row(static_cast<Index>(i)).head<3>().transpose();
      w = velocities_plus_.row(static_cast<Index>(i)).tail<3>().transpose();
    }
    const double speed = v.norm() + w.norm() * m.radius;
    if (speed < kTooFast) continue;
    report.status = Status::failed;
    report.message = "body " + std::to_string(m.id) +
                     (std::isnan(speed) ? std::string(" has a speed that is not a number")
                                        : formatted(" would move at %.3g m/s", speed));
    return true;
  }
  return false;
}

}  // namespace perpend::sim
