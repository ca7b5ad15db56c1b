#include "peers/process.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>

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

Process::Process(std::string program) : program_(std::move(program)) { start(); }
Process::~Process() { end(true); }

void Process::start() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return;
  // One thread: our solvers have one too, and more would make the bits depend on the machine.
  host::Environment environment({{"OPENBLAS_NUM_THREADS", "1"}, {"OMP_NUM_THREADS", "1"}});
  const int failed = child_.start({program_, std::to_string(::getpid())}, environment, ends[1]);
  ::close(ends[1]);
  channel_ = ends[0];
  ready_ = false;
  if (failed == 0) return;
  ::close(channel_);
  channel_ = -1;
}

bool Process::begin(const Waiting::Stop& stop) {
  if (!child_.runs()) start();
  if (!child_.runs() || ready_) return child_.runs();
  Opening opening;
  Waiting waiting(kStart, stop);
  ready_ = read_all(channel_, &opening, sizeof opening, &waiting);
  if (!ready_) end(true);
  return ready_;
}

// A program that dies while it is written to is noticed when it is asked.
void Process::give(const Task& task, Waiting waiting) {
  if (!begin(waiting.stop())) return;
  send(channel_, Message::task, to_bytes(task), &waiting);
  hung_ = waiting.late();
}

Process::End Process::ask(const Call& call, Waiting waiting, Answer& answer, std::string& why) {
  if (!child_.runs()) {
    why = "it could not be started";
    return End::died;
  }
  if (!hung_) send(channel_, Message::call, to_bytes(call), &waiting);
  if (hung_ || waiting.late() || !waiting.ready(channel_, POLLIN)) {
    end(true);
    return waiting.stopped() ? End::stopped : End::hung;
  }
  Waiting rest(kRest);
  Opening opening;
  const std::size_t most = kRemarks + 8 * static_cast<std::size_t>(call.b.size());
  if (read_all(channel_, &opening, sizeof opening, &rest) && opening.message == Message::answer &&
      opening.size <= most) {
    Bytes bytes(opening.size);
    if (read_all(channel_, bytes.data(), bytes.size(), &rest) && from_bytes(bytes, answer))
      return End::answered;
  }
  if (rest.late()) {
    end(true);
    return End::hung;
  }
  why = end(false).words();
  return End::died;
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
