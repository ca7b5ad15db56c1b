// Seconds that recorders measure.
#pragma once

#include <chrono>

namespace perpend::capture {

using Clock = std::chrono::steady_clock;

inline double seconds(Clock::duration duration) {
  return std::chrono::duration<double>(duration).count();
}
inline double seconds_since(Clock::time_point start) { return seconds(Clock::now() - start); }

}  // namespace perpend::capture
