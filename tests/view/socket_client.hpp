// A client of the tests: HTTP and WebSocket over a plain socket, so that it can also behave badly.
#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <cstring>
#include <string>

#include "view/messages.hpp"

namespace perpend::view {

class SocketClient {
 public:
  explicit SocketClient(std::uint16_t port) : file_(socket(AF_INET, SOCK_STREAM, 0)) {
    timeval patience{10, 0};
    setsockopt(file_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    setsockopt(file_, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(port);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(connect(file_, reinterpret_cast<const sockaddr*>(&to), sizeof to), 0);
  }
  ~SocketClient() { close(); }
  SocketClient(const SocketClient&) = delete;
  SocketClient& operator=(const SocketClient&) = delete;
  void close() {
    if (file_ >= 0) ::close(file_);
    file_ = -1;
  }

  void write(const std::string& bytes) {
    for (std::size_t at = 0; at < bytes.size();) {
      const ssize_t sent = ::send(file_, bytes.data() + at, bytes.size() - at, MSG_NOSIGNAL);
      if (sent <= 0) return;
      at += static_cast<std::size_t>(sent);
    }
  }
  // All that comes until the other side closes, or the head of an answer that stays open.
  std::string read_answer(bool head_only = false) {
    std::string out;
    char letter = 0;
    while (::recv(file_, &letter, 1, 0) == 1) {
      out += letter;
      if (head_only && out.ends_with("\r\n\r\n")) break;
    }
    return out;
  }
  // Status of a request with these lines; 0: no answer.
  int status(const std::string& lines) {
    write(lines + "\r\n\r\n");
    const std::string answer = read_answer();
    return answer.starts_with("HTTP/1.1 ") ? std::stoi(answer.substr(9, 3)) : 0;
  }

  bool open_socket(std::uint16_t port, const std::string& token) {
    const std::string host = "127.0.0.1:" + std::to_string(port);
    write("GET /socket?token=" + token + " HTTP/1.1\r\nHost: " + host + "\r\nOrigin: http://" +
          host +
          "\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
          "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n");
    const std::string head = read_answer(true);
    // RFC 6455, 1.3: the answer to that key.
    return head.starts_with("HTTP/1.1 101") &&
           head.find("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=") != std::string::npos;
  }
  void send(const Bytes& payload, std::uint8_t kind = 2) {
    std::string frame{static_cast<char>(0x80 | kind)};
    const int digits = payload.size() < 126 ? 0 : payload.size() < 65536 ? 2 : 8;
    frame += static_cast<char>(0x80 | (digits == 0 ? payload.size() : digits == 2 ? 126 : 127));
    for (int i = digits - 1; i >= 0; --i)
      frame += static_cast<char>((payload.size() >> (8 * i)) & 255);
    frame += std::string(4, '\0');  // masked by zeros
    frame.append(payload.begin(), payload.end());
    write(frame);
  }
  void send(const Message& message) { send(encoded(message)); }

  int closed_with = 0;  // the code of the other side
  // The next message; none: the connection has ended.
  Message next() {
    while (true) {
      std::uint8_t head[2];
      if (!read(head, 2)) return {};
      std::uint64_t size = head[1] & 127;
      const int more = size == 126 ? 2 : size == 127 ? 8 : 0;
      std::uint8_t digits[8];
      if (!read(digits, static_cast<std::size_t>(more))) return {};
      if (more > 0) size = 0;
      for (int i = 0; i < more; ++i) size = size << 8 | digits[i];
      Bytes payload(size);
      if (!read(payload.data(), size)) return {};
      if ((head[0] & 15) == 8) {
        if (size >= 2) closed_with = payload[0] << 8 | payload[1];
        return {};
      }
      if ((head[0] & 15) != 2) continue;
      std::string why;
      Message out = decoded(payload.data(), payload.size(), why);
      EXPECT_EQ(why, "");
      return out;
    }
  }
  // The next one of a kind; a default one when the connection ends.
  template <class Kind>
  Kind next_of() {
    for (Message message = next(); number(message) != 0; message = next())
      if (Kind* found = std::get_if<Kind>(&message)) return std::move(*found);
    ADD_FAILURE() << "the connection has ended";
    return {};
  }

 private:
  bool read(std::uint8_t* to, std::size_t size) {
    for (std::size_t at = 0; at < size;) {
      const ssize_t got = ::recv(file_, to + at, size - at, 0);
      if (got <= 0) return false;
      at += static_cast<std::size_t>(got);
    }
    return true;
  }
  int file_;
};

}  // namespace perpend::view
