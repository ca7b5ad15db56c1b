// Bodies that are one convex piece, or a static plane, placed once in a step for all the pairs they
// are in: a box in a heap has a dozen neighbours.
#pragma once

#include <memory>

#include "sim/contact_pair.hpp"
#include "sim/touches.hpp"

namespace perpend::sim {

class BodySolids {
 public:
  struct Placed {
    std::uint64_t version = 0;  // another one whenever it is placed anew, never 0
    Vector3d way, angle;        // that were swept
    double reach;
    bool convex = false;  // else the piece is not set
    MovingConvex piece;   // now, and where the sweep takes it
    bool plane = false;   // a static plane, and then this one
    HalfSpace below;
  };

  // A step begins: bodies are elsewhere than before.
  void begin() { first_ = last_ + 1; }
  // Those in the pairs, where they are now. Within a step only what goes another way is placed
  // again. The same memory serves one step after the other.
  void place(const std::vector<TouchPair>&, const StepBodies&);
  // Precondition: the row is in one of the pairs.
  const Placed& operator[](Index row) const { return placed_[static_cast<std::size_t>(row)]; }

 private:
  std::unique_ptr<Placed[]> placed_;  // polyhedra cannot be moved
  std::size_t room_ = 0;
  std::vector<char> wanted_;
  std::uint64_t first_ = 1, last_ = 0;  // versions: of this step, given last
  HullCache hulls_;
};

// How far the two bodies of a pair go in the step.
Sweep sweep_of(const StepBody&, const StepBody&);

}  // namespace perpend::sim
