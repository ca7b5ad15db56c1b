// What a run and recordings share: pages come, ask and go, which one thread takes from a queue, and
// are told things without waiting.
#pragma once

#include <condition_variable>
#include <functional>
#include <map>
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
  // A message of so many bytes. False: too much waits already, and it is dropped.
  bool heard(Client client, Message message, std::size_t bytes = 0) {
    return put({client, Item::What::heard, std::move(message), bytes + sizeof(Item)});
  }

 protected:
  struct Item {
    Client client = kEverybody;
    enum class What { joined, left, heard } what = What::heard;
    Message message;
    std::size_t bytes = 0;  // that it takes in the queue
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
  bool put(Item);
  std::map<Client, std::size_t> waiting_;  // bytes in the queue; guarded by mutex_

  Send send_;
};

}  // namespace perpend::view
