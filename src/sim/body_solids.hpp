// Bodies that are one convex piece, placed once in a step for all the pairs they are in: a box in a
// heap has a dozen neighbours.
#pragma once

#include <memory>

#include "sim/contact_pair.hpp"
#include "sim/touches.hpp"

namespace perpend::sim {

class BodySolids {
 public:
  struct Placed {
    bool convex = false;  // else the rest is not set
    MovingConvex piece;   // now, and where the sweep takes it
  };

  // Those in the pairs, where they are now. The same memory serves one step after the other.
  void place(const std::vector<TouchPair>&, const StepBodies&);
  // Precondition: the row is in one of the pairs.
  const Placed& operator[](Index row) const { return placed_[static_cast<std::size_t>(row)]; }

 private:
  std::unique_ptr<Placed[]> placed_;  // polyhedra cannot be moved
  std::size_t room_ = 0;
  HullCache hulls_;
};

// How far the two bodies of a pair go in the step.
Sweep sweep_of(const StepBody&, const StepBody&);

}  // namespace perpend::sim
