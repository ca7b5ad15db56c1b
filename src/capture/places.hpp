// Which body is at this address.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace perpend::capture {

// Numbers by address, for a recorder that asks thousands of times in every step which body this
// is. Only looked up and never walked through, so that addresses do not decide about any order.
// Clearing it keeps its memory.
class Places {
 public:
  static constexpr std::int64_t kNone = -1;

  void clear() {
    ++round_;
    count_ = 0;
  }
  // The number of an address, kNone when it has none.
  std::int64_t find(const void* address) const {
    if (slots_.empty()) return kNone;
    const Slot& slot = slots_[slot_of(address)];
    return slot.round == round_ ? slot.number : kNone;
  }
  // The number it has, and false; or the one given here, and true.
  std::pair<std::int64_t, bool> emplace(const void* address, std::int64_t number) {
    if (2 * (count_ + 1) > slots_.size()) grow();
    Slot& slot = slots_[slot_of(address)];
    if (slot.round == round_) return {slot.number, false};
    slot = {address, number, round_};
    ++count_;
    return {number, true};
  }

 private:
  struct Slot {
    const void* address;
    std::int64_t number;
    std::uint64_t round;  // another than the table's: the slot is free
  };

  // Where the address is, or the free slot where it would be.
  std::size_t slot_of(const void* address) const {
    const auto bits = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(address));
    std::size_t at = static_cast<std::size_t>((bits * 0x9e3779b97f4a7c15u) >> shift_);
    while (slots_[at].round == round_ && slots_[at].address != address)
      at = (at + 1) & (slots_.size() - 1);
    return at;
  }
  void grow();

  std::vector<Slot> slots_;  // a power of two, at least half of them free
  int shift_ = 64;
  std::size_t count_ = 0;
  std::uint64_t round_ = 1;
};

}  // namespace perpend::capture
