#include "view/clients.hpp"

namespace perpend::view {

bool Clients::put(Item item) {
  constexpr std::size_t kMostWaiting = std::size_t{8} << 20;  // bytes of one client
  const std::lock_guard lock(mutex_);
  if (queue_.empty()) waiting_.clear();
  std::size_t& waiting = waiting_[item.client];
  if (item.what == Item::What::heard && waiting + item.bytes > kMostWaiting) return false;
  // Who asks for another frame does not want the one before any more.
  if (std::holds_alternative<ShowFrame>(item.message))
    std::erase_if(queue_, [&](const Item& older) {
      const bool same =
          older.client == item.client && std::holds_alternative<ShowFrame>(older.message);
      if (same) waiting -= older.bytes;
      return same;
    });
  waiting += item.bytes;
  queue_.push_back(std::move(item));
  news_.notify_all();
  return true;
}

}  // namespace perpend::view
