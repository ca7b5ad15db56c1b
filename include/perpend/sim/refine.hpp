// The convergence laboratory: one scene with steps h, h/2, ..., h/2^N over the same time, and how
// far the trajectories are from each other.
#pragma once

#include "perpend/sim.hpp"

namespace perpend {

// How far two runs of one scene are apart, the largest over moving bodies (R: a body's radius).
// `distance` is that of any point of a body: no point is farther from its place in the other run.
struct Apart {
  double position = 0;  // m, between centres of mass
  double turn = 0;      // m, angle between orientations times R
  double distance = 0;  // m, the two added for each body
};

struct RefineLevel {
  double h = 0;
  Index steps = 0;
  Summary summary;
  double energy = 0;                     // J, at the end
  Apart to_next, to_finest;              // largest over time; the finest has neither
  double energy_to_next = 0;             // J, the same of |energy - energy|
  double ratio = 0;                      // of to_next.distance to that of the next level; NaN: none
  std::vector<double> distance_to_next;  // m, at each common time
};

struct Refinement {
  enum class Verdict {
    converges,  // the distance falls with h over the whole run
    until,      // it does up to the time `until`, and no longer after it
    none,       // it does not, from the first common time on
    same,       // all runs agree to what the solver's tolerance explains: no order to see
    stopped     // the caller stopped it: only complete levels are here
  };
  std::vector<RefineLevel> levels;  // coarsest first
  std::vector<double> times;        // s, at which runs are compared
  double order = 0;  // slope of log distance over log h until `until`; NaN: none seen
  double until = 0;  // s
  Verdict verdict = Verdict::stopped;
  std::string words() const;  // the verdict in a sentence
};

// Runs levels 0..halvings. The steps of the coarsest run are the times at which runs are compared,
// or every second, third, ... of them where more than `most_kept` poses (56 bytes each) would have
// to be kept. `progress` counts the steps of all levels. Precondition: that of simulate;
// halvings >= 1; `out` is empty and `observe` is not set.
Refinement refine(const Scene&, const SimulateOptions&, int halvings, Index most_kept = 1 << 20);

}  // namespace perpend
