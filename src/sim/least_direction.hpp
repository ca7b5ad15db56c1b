// The direction in which a function on the unit sphere is least, near a start: a pattern search.
//
// The function is continuous and smooth nowhere near a crease. In each round ten directions about
// the present one are tried, at an angle that shrinks where they gain too little: less than the
// square of the angle asks for (Kolda, Lewis and Torczon 2003, section 3.2.2: without such a
// "sufficient decrease" a search that gains next to nothing in every round never ends). The pattern
// turns from round to round, or it would get stuck in creases.
#pragma once

#include <cmath>

#include "perpend/frame.hpp"

namespace perpend::sim {

struct LeastDirection {
  Vector3d direction;
  double value;
  int rounds;
};

// `value` of a unit vector; `allowed`: whether it may be the answer; `size`: how much the value
// changes with an angle of one, about.
template <typename Value, typename Allowed>
LeastDirection least_direction(const Vector3d& start, double size, const Value& value,
                               const Allowed& allowed) {
  constexpr double kSmallest = 1e-9;   // rad
  constexpr double kGain = 1e-2;       // of size times the square of the angle
  constexpr double kRounding = 1e-13;  // of size
  constexpr int kRounds = 400;         // 60 to 200 are usual; creeping along a crease ends here
  LeastDirection best{start, value(start), 0};
  for (double angle = 0.5; angle > kSmallest && best.rounds < kRounds; ++best.rounds) {
    const Vector3d from = best.direction;
    const Tangents frame = tangents(from);
    const double before = best.value;
    for (int k = 0; k < 10; ++k) {
      const double around = 0.62831853071795865 * k + 2.4 * best.rounds;
      const Vector3d n =
          (from + angle * (std::cos(around) * frame.t + std::sin(around) * frame.o)).normalized();
      const double here = value(n);
      if (here < best.value && allowed(n)) {
        best.value = here;
        best.direction = n;
      }
    }
    if (!(best.value < before - size * (kGain * angle * angle + kRounding))) angle *= 0.7;
  }
  return best;
}

}  // namespace perpend::sim
