#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <new>

#include "peers/channel.hpp"
#include "peers/wire.hpp"
#include "perpend/base.hpp"
#include "perpend/host.hpp"
#include "perpend/peers.hpp"

namespace perpend::peers {
namespace {

constexpr int kBroken = 6;  // exit code of a child that cannot go on

Result out_of_memory(double memory) {
  Result result;
  result.status = Status::too_large;
  result.message = formatted("ran out of memory: the limit is %.3g bytes", memory);
  return result;
}

// The child: reads a problem, then requests, answers each.
[[noreturn]] void serve(int channel, double memory, const Answering& answering) {
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
      if (!receive(channel, message, bytes)) _exit(0);
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
      if (!send(channel, Message::result, to_bytes(result))) _exit(0);
    } catch (const std::bad_alloc&) {  // not even the problem or the answer has room
      _exit(send(channel, Message::no_memory, {}) ? 0 : kBroken);
    } catch (const std::exception&) {
      _exit(kBroken);
    }
  }
}

}  // namespace

struct Worker::Child {
  double memory = 0;
  Answering answering;
  Waiting::Stop stop;
  host::Child process;
  int channel = -1;
  Bytes problem;     // a new child must be told again
  bool sent = true;  // is the problem with the child
  std::chrono::steady_clock::time_point started;

  ~Child() { end(); }

  void begin() {
    if (process.runs()) return;
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return;
    // Nobody waits for an answer any more when we are killed, however long a solve may take.
    const int failed = process.fork(SIGKILL, [&] {
      // Files of the parent stay the parent's: all but our end.
      const int own = ::fcntl(ends[1], F_DUPFD, 3);
      const long most = sysconf(_SC_OPEN_MAX);
      for (int f = 3; f < static_cast<int>(most > 0 && most < 4096 ? most : 4096); ++f)
        if (f != own) ::close(f);
      serve(own, memory, answering);
    });
    ::close(ends[1]);
    if (failed != 0) {
      ::close(ends[0]);
      return;
    }
    channel = ends[0];
    sent = false;
  }

  host::ExitStatus end(bool by_force = true) {
    if (!process.runs()) return {};
    ::close(channel);
    channel = -1;
    host::ExitStatus how;
    for (int i = 0; i < 500 && !by_force; ++i) {  // one that has closed its end may go on
      if (process.ended(how)) return how;
      ::usleep(1000);
    }
    return process.kill();
  }
};

Worker::Worker(double memory, Answering answering, std::function<bool()> stop)
    : child_(std::make_unique<Child>()) {
  child_->memory = memory;
  child_->answering = std::move(answering);
  child_->stop = std::move(stop);
}
Worker::~Worker() = default;
Worker::Worker(Worker&&) noexcept = default;
Worker& Worker::operator=(Worker&&) noexcept = default;

void Worker::give(const System& system) {
  child_->problem = to_bytes(system);
  child_->sent = false;
}

// A child that dies or hangs while it is written to is noticed in wait().
void Worker::start(std::string_view solver, const Options& options, double seconds) {
  Child& c = *child_;
  Waiting waiting(seconds > 0 ? seconds : Waiting::kForever, c.stop);
  c.begin();
  c.started = std::chrono::steady_clock::now();
  if (!c.process.runs()) return;
  bool well = true;
  if (!c.sent) well = send(c.channel, Message::system, c.problem, &waiting);
  c.sent = true;
  if (well)
    send(c.channel, Message::request, to_bytes(Request{std::string(solver), options}), &waiting);
}

int Worker::descriptor() const { return child_->channel; }

double Worker::running() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - child_->started).count();
}

Result Worker::wait(double seconds) {
  Child& c = *child_;
  Result result;
  const bool began = c.process.runs();
  bool no_memory = false;
  if (began) {
    Waiting waiting(seconds <= 0 ? Waiting::kForever : seconds - running(), c.stop);
    Message message;
    Bytes bytes;
    const bool said = receive(c.channel, message, bytes, &waiting);
    if (said && message == Message::result && from_bytes(bytes, result)) return result;
    result = Result();
    no_memory = said && message == Message::no_memory;
    if (waiting.late() || waiting.stopped()) {
      const double after = running();
      c.end();
      result.status = waiting.late() ? Status::time_limit : Status::stopped;
      result.message =
          formatted(waiting.late() ? "did not stop at its limit and was killed after %.3g s"
                                   : "was killed after %.3g s, for the run was stopped",
                    after);
      result.seconds = after;
      result.reproducible = false;
      return result;
    }
  }
  const host::ExitStatus how = c.end(false);
  if (no_memory)
    result = out_of_memory(c.memory);
  else
    result.status = Status::crashed;
  result.seconds = running();
  if (!began)
    result.message = "cannot start a process";
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
  worker.start(solver, options, seconds);
  return worker.wait(seconds);
}

}  // namespace perpend::peers
