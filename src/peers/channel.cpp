#include "peers/channel.hpp"

#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>

namespace perpend::peers {
namespace {

constexpr std::uint64_t kPiece = std::uint64_t{1} << 22;  // bytes

bool ready(Waiting* waiting, int file, short events) {
  Waiting for_ever;
  return (waiting ? *waiting : for_ever).ready(file, events);
}

}  // namespace

bool Waiting::ready(int file, short events) {
  constexpr double kTick = 0.05;  // s
  while (true) {
    const double left =
        seconds_ -
        std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
    pollfd one{file, events, 0};
    if (::poll(&one, 1, static_cast<int>(1e3 * std::clamp(left, 0.0, kTick))) > 0) return true;
    stopped_ = stop_ && stop_();
    late_ = left <= 0;
    if (stopped_ || late_) return false;
  }
}

bool write_all(int to, const void* data, std::size_t size, Waiting* waiting) {
  const auto* at = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t done = ::send(to, at, size, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (done < 0 && (errno == EINTR || (errno == EAGAIN && ready(waiting, to, POLLOUT)))) continue;
    if (done <= 0) return false;
    at += done;
    size -= static_cast<std::size_t>(done);
  }
  return true;
}

bool read_all(int from, void* data, std::size_t size, Waiting* waiting) {
  auto* at = static_cast<char*>(data);
  while (size > 0) {
    const ssize_t done = ::recv(from, at, size, MSG_DONTWAIT);
    if (done < 0 && (errno == EINTR || (errno == EAGAIN && ready(waiting, from, POLLIN)))) continue;
    if (done <= 0) return false;
    at += done;
    size -= static_cast<std::size_t>(done);
  }
  return true;
}

bool send(int to, Message message, const Bytes& bytes, Waiting* waiting) {
  const Opening opening{message, bytes.size()};
  return write_all(to, &opening, sizeof opening, waiting) &&
         write_all(to, bytes.data(), bytes.size(), waiting);
}

bool receive(int from, Message& message, Bytes& bytes, Waiting* waiting) {
  Opening opening;
  bytes.clear();
  if (!read_all(from, &opening, sizeof opening, waiting)) return false;
  message = opening.message;
  for (std::uint64_t left = opening.size; left > 0;) {
    const auto next = static_cast<std::size_t>(std::min(left, kPiece));
    const std::size_t there = bytes.size();
    bytes.resize(there + next);
    if (!read_all(from, bytes.data() + there, next, waiting)) return false;
    left -= next;
  }
  return true;
}

void limit_process(double memory) {
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  if (memory <= 0) return;
  // RLIMIT_AS counts what the process has already.
  unsigned long pages = 0;
  if (std::FILE* statm = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(statm, "%lu", &pages) != 1) pages = 0;
    std::fclose(statm);
  }
  const double there = static_cast<double>(pages) * static_cast<double>(sysconf(_SC_PAGESIZE));
  const auto all = static_cast<rlim_t>(there + memory);
  const rlimit limit{all, all};
  ::setrlimit(RLIMIT_AS, &limit);
}

}  // namespace perpend::peers
