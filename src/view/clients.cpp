#include "view/clients.hpp"

namespace perpend::view {

void Clients::put(Item item) {
  constexpr std::size_t kMostWaiting = 10000;  // of what pages ask for; more is dropped
  const std::lock_guard lock(mutex_);
  if (item.what == Item::What::heard && queue_.size() >= kMostWaiting) return;
  // Who asks for another frame does not want the one before any more.
  if (std::holds_alternative<ShowFrame>(item.message))
    std::erase_if(queue_, [&](const Item& older) {
      return older.client == item.client && std::holds_alternative<ShowFrame>(older.message);
    });
  queue_.push_back(std::move(item));
  news_.notify_all();
}

}  // namespace perpend::view
