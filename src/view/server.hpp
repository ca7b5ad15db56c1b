// HTTP and WebSocket on one port: gives out the page and carries messages. One thread; it never
// touches the simulation.
//
// Who may connect: whoever has the token of the address, from a page of this server (Host and
// Origin: a page of somebody else cannot reach us through a name it controls).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "view/clients.hpp"

namespace perpend::view {

struct ServerOptions {
  std::string listen = "127.0.0.1";
  std::uint16_t port = 0;
  std::string token;
  std::size_t most_clients = 16;
  std::size_t most_bytes = 1 << 12;  // of a message to us
};

// Called from the server's thread.
struct Listener {
  std::function<void(Client)> joined, left;
  std::function<bool(Client, Message, std::size_t bytes)> heard;  // false: it was too much
};

class Server {
 public:
  // Takes the port. Throws std::runtime_error where it cannot be had.
  Server(ServerOptions, Listener);
  ~Server();

  std::string address() const;                  // "http://127.0.0.1:8000/?token=..."
  void run(const std::function<bool()>& stop);  // until then; asked twenty times a second
  // From any thread: it is put into the mailbox, nobody waits.
  void send(Client, SharedBytes);

  struct Inside;

 private:
  std::unique_ptr<Inside> inside_;
};

}  // namespace perpend::view
