// What a run and recordings share: pages come, ask and go, which one thread takes from a queue, and
// are told things without waiting.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>

#include "view/mailbox.hpp"

namespace perpend::view {

using Client = std::uint64_t;  // from 1
inline constexpr Client kEverybody = 0;

class Clients {
 public:
  using Send = std::function<void(Client, SharedBytes)>;  // must not wait

  // From any thread, without waiting.
  void joined(Client client) { put({client, Item::What::joined, {}}); }
  void left(Client client) { put({client, Item::What::left, {}}); }
  void heard(Client client, Message message) {
    put({client, Item::What::heard, std::move(message)});
  }

 protected:
  struct Item {
    Client client = kEverybody;
    enum class What { joined, left, heard } what = What::heard;
    Message message;
  };

  explicit Clients(Send send) : send_(std::move(send)) {}
  ~Clients() = default;

  void notice(Client client, const std::string& words) {
    NoticeMessage out;
    out.wrong = true;
    out.words = words;
    send(client, out);
  }
  template <class What>
  void send(Client client, const What& message) {
    send_(client, std::make_shared<const Bytes>(encoded(message)));
  }

  std::mutex mutex_;
  std::condition_variable news_;
  std::vector<Item> queue_;  // guarded by mutex_

 private:
  void put(Item);

  Send send_;
};

}  // namespace perpend::view
