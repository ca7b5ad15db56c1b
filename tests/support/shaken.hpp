// A frame of which every moving body is thrown about, repeatably: no two contacts are alike.
#pragma once

#include <cstdint>

#include "perpend/frame.hpp"

namespace perpend::boxes {

// Velocities uniform in [-speed, speed], m/s and rad/s.
inline Frame shaken(Frame f, double speed, std::uint64_t seed = 1) {
  for (Index i = 0; i < f.bodies.count(); ++i)
    for (Index k = 0; k < 6 && !f.bodies.fixed(i); ++k) {
      seed = seed * 6364136223846793005u + 1442695040888963407u;
      f.bodies.velocities(i, k) =
          speed * (2 * static_cast<double>(seed >> 11) / 9007199254740992.0 - 1);  // 2^53
    }
  return f;
}

}  // namespace perpend::boxes
