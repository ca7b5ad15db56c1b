// What ends a step before it is done: the time limit, which its solves, the closing of joints and
// the correction share, and Ctrl-C; and speeds at which no step can be taken.
#pragma once

#include <string>

#include "perpend/solve.hpp"
#include "sim/bodies.hpp"

namespace perpend::sim {

class StepClock {
 public:
  // Starts now. The options are those of the step's solves, and must outlive it.
  explicit StepClock(const Options&);

  double left() const;         // of the time limit, s; 0: none is set
  Options for_solve() const;   // with what is left
  bool over();                 // what is left to do is left off
  void note(Status of_solve);  // a solve that was ended by one of them

  // Whether a part of the step was left off, and how it is told.
  bool ended() const { return stopped_ || limited_; }
  Status status() const { return stopped_ ? Status::stopped : Status::time_limit; }
  std::string message() const;

 private:
  const Options& options_;
  double began_;                            // by the clock of the options
  bool stopped_ = false, limited_ = false;  // by Ctrl-C, by the time limit
};

// The body that comes to 1e9 m/s, or to no number, with these velocities, one row per body; empty:
// none does.
std::string runaway(const StepBodies&, const Rows6& velocities);
// The same with the forces of the step alone.
std::string runaway(const StepBodies&);

}  // namespace perpend::sim
