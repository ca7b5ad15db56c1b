// A way out of long work: loops tell how much they have done, factorizations what they are about to
// cost, and who waits for them may end it.
//
// An Interrupt is there for its thread from construction to destruction; within another one it asks
// that one too (a solver that calls a solver). Work is left by throwing Interrupted, which is
// caught where it was begun: what is half done is of no use to anybody in between. Without an
// Interrupt nothing is asked.
#pragma once

#include <functional>

namespace perpend::linear {

struct Interrupted {};

class Interrupt {
 public:
  // True ends the work. `flops`: operations of a piece that is about to begin and cannot be left.
  using Ended = std::function<bool(double flops)>;
  using TooLarge = std::function<bool(double bytes)>;

  explicit Interrupt(Ended, TooLarge = {});
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  // In a loop, after so many operations, about.
  static void after(double flops);
  // Before a piece that cannot be left.
  static void before(double flops, double bytes);
  static bool any();
  // Operations told by this thread so far.
  static double operations();

 private:
  Ended ended_;
  TooLarge too_large_;
  Interrupt* outer_;
};

}  // namespace perpend::linear
