#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <limits>
#include <new>

#include "peers/channel.hpp"
#include "peers/wire.hpp"
#include "perpend/base.hpp"
#include "perpend/host.hpp"
#include "perpend/peers.hpp"

namespace perpend::peers {
namespace {

// Exit codes of a child that cannot go on.
constexpr int kNoMemory = 5, kBroken = 6;

Result out_of_memory(double memory) {
  Result result;
  result.status = Status::too_large;
  result.message = formatted("ran out of memory: the limit is %.3g bytes", memory);
  return result;
}

// The child: reads a problem, then requests, answers each.
[[noreturn]] void serve(int in, int out, double memory, const Answering& answering) {
  // A solver that prints must not end up in our caller's output.
  if (const int nowhere = ::open("/dev/null", O_RDWR); nowhere >= 0) {
    ::dup2(nowhere, STDIN_FILENO);
    ::dup2(nowhere, STDOUT_FILENO);
    ::dup2(nowhere, STDERR_FILENO);
  }
  // Ctrl-C is for the parent, which ends us when it sees fit.
  for (const int stop : {SIGINT, SIGTERM, SIGHUP}) ::signal(stop, SIG_IGN);
  limit_process(memory);
  System system;
  while (true) {
    try {
      Message message;
      Bytes bytes;
      if (!receive(in, message, bytes)) _exit(0);
      if (message == Message::system) {
        system = System();
        if (!from_bytes(bytes, system)) _exit(kBroken);
        continue;
      }
      Request request;
      if (!from_bytes(bytes, request)) _exit(kBroken);
      Result result;
      try {
        result = answering ? answering(system, request.solver, request.options)
                           : perpend::solve(system, request.solver, request.options);
      } catch (const std::bad_alloc&) {
        result = out_of_memory(memory);
      }
      if (!send(out, Message::result, to_bytes(result))) _exit(0);
    } catch (const std::bad_alloc&) {  // not even the problem or the answer has room
      _exit(kNoMemory);
    } catch (const std::exception&) {
      _exit(kBroken);
    }
  }
}

}  // namespace

struct Worker::Child {
  double memory = 0;
  Answering answering;
  host::Child process;
  int to = -1, from = -1;
  Bytes problem;     // a new child must be told again
  bool sent = true;  // is the problem with the child
  std::chrono::steady_clock::time_point started;

  ~Child() { end(); }

  void begin() {
    if (process.runs()) return;
    int down[2], up[2];
    if (pipe2(down, O_CLOEXEC) != 0) return;
    if (pipe2(up, O_CLOEXEC) != 0) {
      ::close(down[0]);
      ::close(down[1]);
      return;
    }
    // Nobody waits for an answer any more when we are killed, however long a solve may take.
    const int failed = process.fork(SIGKILL, [&] {
      // Files of the parent stay the parent's: all but the two ends.
      const int in = ::fcntl(down[0], F_DUPFD, 3), out = ::fcntl(up[1], F_DUPFD, 3);
      const long most = sysconf(_SC_OPEN_MAX);
      for (int f = 3; f < static_cast<int>(most > 0 && most < 4096 ? most : 4096); ++f)
        if (f != in && f != out) ::close(f);
      serve(in, out, memory, answering);
    });
    ::close(down[0]);
    ::close(up[1]);
    if (failed != 0) {
      ::close(down[1]);
      ::close(up[0]);
      return;
    }
    to = down[1];
    from = up[0];
    sent = false;
  }

  host::ExitStatus end(bool by_force = true) {
    if (!process.runs()) return {};
    if (by_force) process.signal(SIGKILL);
    ::close(to);
    ::close(from);
    to = from = -1;
    return process.wait();
  }
};

Worker::Worker(double memory, Answering answering) : child_(std::make_unique<Child>()) {
  child_->memory = memory;
  child_->answering = std::move(answering);
}
Worker::~Worker() = default;
Worker::Worker(Worker&&) noexcept = default;
Worker& Worker::operator=(Worker&&) noexcept = default;

void Worker::give(const System& system) {
  child_->problem = to_bytes(system);
  child_->sent = false;
}

// A child that dies while it is written to is noticed in wait().
void Worker::start(std::string_view solver, const Options& options) {
  Child& c = *child_;
  c.begin();
  c.started = std::chrono::steady_clock::now();
  if (!c.process.runs()) return;
  ::signal(SIGPIPE, SIG_IGN);
  bool well = true;
  if (!c.sent) well = send(c.to, Message::system, c.problem);
  c.sent = true;
  if (well) send(c.to, Message::request, to_bytes(Request{std::string(solver), options}));
}

int Worker::descriptor() const { return child_->from; }

double Worker::running() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - child_->started).count();
}

Result Worker::wait(double seconds) {
  Child& c = *child_;
  Result result;
  while (c.process.runs()) {
    const double forever = std::numeric_limits<double>::infinity();
    if (!host::readable(c.from, seconds <= 0 ? forever : seconds - running())) {
      const double after = running();
      c.end();
      result.status = Status::time_limit;
      result.message = formatted("did not stop by itself and was killed after %.3g s", after);
      result.seconds = after;
      result.reproducible = false;
      return result;
    }
    Message message;
    Bytes bytes;
    if (!receive(c.from, message, bytes)) break;
    if (message == Message::result && from_bytes(bytes, result)) return result;
    result = Result();
    break;
  }
  const bool began = c.process.runs();
  const host::ExitStatus how = c.end(false);
  if (began && how.code() == kNoMemory)
    result = out_of_memory(c.memory);
  else
    result.status = Status::crashed;
  result.seconds = running();
  if (!began)
    result.message = "no process could be started";
  else if (how.signal() != 0)
    result.message = "the solver's process ended: " + how.words();
  else if (result.status == Status::crashed)
    result.message = "the solver's process ended with " + how.words();
  return result;
}

void Worker::kill() { child_->end(); }

Result solve(Worker& worker, const System& system, std::string_view solver, const Options& options,
             double seconds) {
  worker.give(system);
  worker.start(solver, options);
  return worker.wait(seconds);
}

}  // namespace perpend::peers
