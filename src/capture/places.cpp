#include "capture/places.hpp"

namespace perpend::capture {

void Places::grow() {
  std::vector<Slot> old(slots_.empty() ? 64 : 2 * slots_.size(), Slot{nullptr, kNone, 0});
  old.swap(slots_);
  shift_ = 64;
  for (std::size_t size = slots_.size(); size > 1; size /= 2) --shift_;
  for (const Slot& slot : old)
    if (slot.round == round_) slots_[slot_of(slot.address)] = slot;
}

}  // namespace perpend::capture
