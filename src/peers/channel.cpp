#include "peers/channel.hpp"

#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>

namespace perpend::peers {
namespace {

constexpr std::uint64_t kPiece = std::uint64_t{1} << 22;  // bytes

}  // namespace

bool write_all(int to, const void* data, std::size_t size) {
  const auto* at = static_cast<const char*>(data);
  while (size > 0) {
    ssize_t done = ::send(to, at, size, MSG_NOSIGNAL);
    if (done < 0 && errno == ENOTSOCK) done = ::write(to, at, size);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    at += done;
    size -= static_cast<std::size_t>(done);
  }
  return true;
}

bool read_all(int from, void* data, std::size_t size) {
  auto* at = static_cast<char*>(data);
  while (size > 0) {
    const ssize_t done = ::read(from, at, size);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    at += done;
    size -= static_cast<std::size_t>(done);
  }
  return true;
}

bool send(int to, Message message, const Bytes& bytes) {
  const Opening opening{message, bytes.size()};
  return write_all(to, &opening, sizeof opening) && write_all(to, bytes.data(), bytes.size());
}

bool receive(int from, Message& message, Bytes& bytes) {
  Opening opening;
  bytes.clear();
  if (!read_all(from, &opening, sizeof opening)) return false;
  message = opening.message;
  for (std::uint64_t left = opening.size; left > 0;) {
    const auto next = static_cast<std::size_t>(std::min(left, kPiece));
    const std::size_t there = bytes.size();
    bytes.resize(there + next);
    if (!read_all(from, bytes.data() + there, next)) return false;
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
