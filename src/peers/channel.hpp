// Messages between two processes of ours, and what a process that runs foreign code may use.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>

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
  python_reply,
  no_memory
};
struct Opening {
  Message message;
  std::uint64_t size;
};

// How long the other end of a socket may stay silent, or leave unread what is written to it.
class Waiting {
 public:
  static constexpr double kForever = std::numeric_limits<double>::infinity();
  using Stop = std::function<bool()>;  // asked twenty times a second; empty: never

  // `seconds` count from here.
  explicit Waiting(double seconds = kForever, Stop stop = {})
      : seconds_(seconds), stop_(std::move(stop)) {}
  // Waits until poll() reports `events`. False: it is late or stopped.
  bool ready(int file, short events);
  bool late() const { return late_; }
  bool stopped() const { return stopped_; }
  const Stop& stop() const { return stop_; }

 private:
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  double seconds_;
  Stop stop_;
  bool late_ = false, stopped_ = false;
};

// False when the other end is gone, or is not waited for any longer; null: for ever.
bool write_all(int to, const void* data, std::size_t size, Waiting* = nullptr);
bool read_all(int from, void* data, std::size_t size, Waiting* = nullptr);
bool send(int to, Message, const Bytes&, Waiting* = nullptr);
// One message of any kind. A size that is announced is not believed before the bytes are there.
bool receive(int from, Message&, Bytes&, Waiting* = nullptr);

// No core file, and `memory` bytes of address space beyond what this process has; 0: no limit.
void limit_process(double memory);

}  // namespace perpend::peers
