// Messages between two processes of ours, and what a process that runs foreign code may use.
#pragma once

#include <cstdint>

#include "peers/wire.hpp"

namespace perpend::peers {

enum class Message : std::uint64_t {
  system,
  request,
  result,
  task,
  call,
  answer,
  python_table,
  python_task,
  python_step,
  python_reply
};
struct Opening {
  Message message;
  std::uint64_t size;
};

// False when the other end is gone. Over a socket without a signal; over a pipe whoever writes
// has to ignore SIGPIPE.
bool write_all(int to, const void* data, std::size_t size);
bool read_all(int from, void* data, std::size_t size);
bool send(int to, Message, const Bytes&);
// One message of any kind. A size that is announced is not believed before the bytes are there.
bool receive(int from, Message&, Bytes&);

// No core file, and `memory` bytes of address space beyond what this process has; 0: no limit.
void limit_process(double memory);

}  // namespace perpend::peers
