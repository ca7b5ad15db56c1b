// A frame as an engine leaves it: every contact overlaps, each by another depth, so that the four
// contacts of a face contradict each other. Repeatable.
#pragma once

#include <cstdint>

#include "perpend/frame.hpp"

namespace perpend::boxes {

// Gaps uniform in [-depth, 0], m.
inline Frame sunk(Frame f, double depth, std::uint64_t seed = 1) {
  for (Index i = 0; i < f.contacts.count(); ++i) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    f.contacts.gap[i] = -depth * (static_cast<double>(seed >> 11) / 9007199254740992.0);  // 2^53
  }
  return f;
}

// The last body, which these builders put on top, made heavier.
inline Frame heavy_top(Frame f, double factor) {
  const Index top = f.bodies.count() - 1;
  f.bodies.masses[top] *= factor;
  f.bodies.inertia.row(top) *= factor;
  f.bodies.forces.row(top) *= factor;
  return f;
}

}  // namespace perpend::boxes
