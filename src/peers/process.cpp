#include "peers/process.hpp"

#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>

#include "peers/channel.hpp"

namespace perpend::peers {
namespace {

constexpr double kStart = 30;  // s until a program of ours that starts at all is ready
constexpr double kRest = 0.5;  // s within which the rest of an answer that has begun is there
constexpr double kEnd = 0.5;   // s that a program gets to end by itself when its channel is closed
constexpr std::size_t kRemarks = 1 << 20;  // bytes of an answer beside its impulses

using Clock = std::chrono::steady_clock;
double since(Clock::time_point moment) {
  return std::chrono::duration<double>(Clock::now() - moment).count();
}

}  // namespace

Process::Process(std::string program) : program_(std::move(program)) { begin(); }
Process::~Process() { end(true); }

bool Process::begin() {
  if (child_.runs()) return true;
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return false;
  // One thread: our solvers have one too, and more would make the bits depend on the machine.
  host::Environment environment({{"OPENBLAS_NUM_THREADS", "1"}, {"OMP_NUM_THREADS", "1"}});
  const int failed = child_.start({program_, std::to_string(::getpid())}, environment, ends[1]);
  ::close(ends[1]);
  channel_ = ends[0];
  Opening opening;
  if (failed != 0) {
    ::close(channel_);
    channel_ = -1;
  } else if (!host::readable(channel_, kStart) || !read_all(channel_, &opening, sizeof opening)) {
    end(true);
  }
  return child_.runs();
}

// A program that dies while it is written to is noticed when it is asked.
void Process::give(const Task& task, double seconds) {
  if (!begin()) return;
  patience(seconds);
  hung_ = !send(channel_, Message::task, to_bytes(task)) && errno == EAGAIN;
}

Process::End Process::ask(const Call& call, double seconds, Answer& answer, std::string& why) {
  if (!child_.runs()) {
    why = "it could not be started";
    return End::died;
  }
  const auto started = Clock::now();
  patience(seconds);
  const bool late = hung_ || (!send(channel_, Message::call, to_bytes(call)) && errno == EAGAIN);
  if (late || !host::readable(channel_, seconds - since(started))) {
    end(true);
    return End::hung;
  }
  patience(kRest);
  errno = 0;
  Opening opening;
  const std::size_t most = kRemarks + 8 * static_cast<std::size_t>(call.b.size());
  if (read_all(channel_, &opening, sizeof opening) && opening.message == Message::answer &&
      opening.size <= most) {
    Bytes bytes(opening.size);
    if (read_all(channel_, bytes.data(), bytes.size()) && from_bytes(bytes, answer))
      return End::answered;
  }
  if (errno == EAGAIN) {
    end(true);
    return End::hung;
  }
  why = end(false).words();
  return End::died;
}

void Process::patience(double seconds) const {
  timeval most{0, 0};  // for ever
  if (std::isfinite(seconds)) {
    const double some = std::clamp(seconds, 1e-3, 1e6);
    most.tv_sec = static_cast<time_t>(some);
    most.tv_usec = static_cast<suseconds_t>(1e6 * (some - std::floor(some)));
  }
  ::setsockopt(channel_, SOL_SOCKET, SO_SNDTIMEO, &most, sizeof most);
  ::setsockopt(channel_, SOL_SOCKET, SO_RCVTIMEO, &most, sizeof most);
}

host::ExitStatus Process::end(bool by_force) {
  host::ExitStatus how;
  if (!child_.runs()) return how;
  ::close(channel_);
  const auto started = Clock::now();
  while (!by_force && !child_.ended(how)) {
    by_force = since(started) > kEnd;
    ::usleep(1000);
  }
  if (by_force) how = child_.kill();
  channel_ = -1;
  hung_ = false;
  return how;
}

}  // namespace perpend::peers
