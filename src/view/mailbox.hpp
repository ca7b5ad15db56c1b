// What waits for a client: of each kind of message the newest alone. A client that reads slowly
// misses states, never the last one, and a client that stops reading costs one message of a kind.
#pragma once

#include <array>
#include <memory>
#include <utility>

#include "view/messages.hpp"

namespace perpend::view {

using SharedBytes = std::shared_ptr<const Bytes>;

class Mailbox {
 public:
  // Precondition: an encoded message.
  void put(SharedBytes message) { slots_[(*message)[0] % kNumbers] = std::move(message); }
  // The one with the lowest number: a scene before its states. Null: nothing waits.
  SharedBytes take() {
    for (SharedBytes& slot : slots_)
      if (slot) return std::exchange(slot, nullptr);
    return nullptr;
  }
  std::size_t waiting() const {
    std::size_t count = 0;
    for (const SharedBytes& slot : slots_) count += slot ? 1 : 0;
    return count;
  }

 private:
  std::array<SharedBytes, kNumbers> slots_;
};

}  // namespace perpend::view
