// Who may have the page and the socket: a request is judged by its texts alone.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace perpend::view {

struct Request {
  std::string_view method, target, host;
  std::optional<std::string_view> origin;
  bool upgrade = false;  // asks for a WebSocket
};

struct Access {
  enum class To { nothing, page, socket } to = To::nothing;
  unsigned status = 200;  // HTTP's
  std::string_view why;
};

// Names under which a server at this numeric address is reached, as Host says them.
std::vector<std::string> host_names(const std::string& address, bool loopback, std::uint16_t port,
                                    const std::string& machine);

Access access(const Request&, const std::vector<std::string>& hosts, std::string_view token);

}  // namespace perpend::view
