// What a step leaves for the next one: the impulses from which it starts, and the bodies whose
// islands stayed above the tolerance or closed slowly.
#pragma once

#include <map>
#include <span>

#include "sim/held_joints.hpp"
#include "sim/touches.hpp"

namespace perpend::sim {

// Impulses as vectors on the second body, by the ids of the two bodies and the features that met.
struct ContactMemory {
  struct Pair {
    std::int64_t first, second;  // ids
    std::size_t start, count;
  };
  struct Impulse {
    std::uint64_t feature;
    Vector3d impulse;
  };
  std::vector<Pair> pairs;  // ascending
  std::vector<Impulse> impulses;

  std::span<const Impulse> of(const Pair&) const;
  // A pair after all that are there; nothing where it has no impulses.
  void append(std::int64_t first, std::int64_t second, std::span<const Impulse>);
};

struct Memory {
  struct RowImpulse {
    int key;
    double impulse;
  };
  ContactMemory contacts;
  std::map<const btTypedConstraint*, std::vector<RowImpulse>> joints;  // only looked up
  std::vector<std::int64_t> fell_short, held;                          // ids, ascending

  void forget_body(std::int64_t id);
  void forget_bodies();  // ids are given anew
};

// Contacts of this step, whose impulses are these vectors; and of pairs asleep, which keep what
// they had.
ContactMemory remembered(const ContactMemory& before, const Touches&, const StepBodies&,
                         std::span<const Vector3d> impulses);

// What the solves of a frame start from.
struct Start {
  Impulses impulses;                     // of all its rows; empty: from nothing
  std::vector<std::int64_t> fell_short;  // ids, ascending
  std::vector<std::int64_t> held = {};   // of islands that closed slowly, the same
};
Start start_from(const Memory&, const StepBodies&, const Touches&, const HeldJoints&);

}  // namespace perpend::sim
