#include "linear/interrupt.hpp"

#include <utility>

namespace perpend::linear {
namespace {

constexpr double kBetween = 1e6;  // operations between two questions: about a millisecond

thread_local Interrupt* innermost = nullptr;
thread_local double done = 0;  // since the last question
thread_local double total = 0;

}  // namespace

Interrupt::Interrupt(Ended ended, TooLarge too_large)
    : ended_(std::move(ended)), too_large_(std::move(too_large)), outer_(innermost) {
  innermost = this;
}

Interrupt::~Interrupt() { innermost = outer_; }

bool Interrupt::any() { return innermost != nullptr; }

double Interrupt::operations() { return total; }

void Interrupt::after(double flops) {
  total += flops;
  done += flops;
  if (done < kBetween) return;
  done = 0;
  for (const Interrupt* one = innermost; one; one = one->outer_)
    if (one->ended_ && one->ended_(0)) throw Interrupted();
}

void Interrupt::before(double flops, double bytes) {
  total += flops;
  for (const Interrupt* one = innermost; one; one = one->outer_) {
    if (one->too_large_ && one->too_large_(bytes)) throw Interrupted();
    if (one->ended_ && one->ended_(flops)) throw Interrupted();
  }
}

}  // namespace perpend::linear
