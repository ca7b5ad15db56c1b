#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <new>

#include "peers/channel.hpp"
#include "peers/wire.hpp"
#include "perpend/base.hpp"
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
[[noreturn]] void serve(int in, int out, pid_t parent, double memory, const Answering& answering) {
  // Nobody waits for an answer any more when the parent is killed, however long a solve may take.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) _exit(0);
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
  pid_t pid = -1;
  int to = -1, from = -1;
  Bytes problem;     // a new child must be told again
  bool sent = true;  // is the problem with the child
  std::chrono::steady_clock::time_point started;

  ~Child() { end(); }

  void begin() {
    if (pid > 0) return;
    int down[2], up[2];
    if (pipe2(down, O_CLOEXEC) != 0) return;
    if (pipe2(up, O_CLOEXEC) != 0) {
      ::close(down[0]);
      ::close(down[1]);
      return;
    }
    const pid_t parent = getpid();
    pid = fork();
    if (pid == 0) {
      // Files of the parent stay the parent's: all but the two ends.
      const int in = ::fcntl(down[0], F_DUPFD, 3), out = ::fcntl(up[1], F_DUPFD, 3);
      const long most = sysconf(_SC_OPEN_MAX);
      for (int f = 3; f < static_cast<int>(most > 0 && most < 4096 ? most : 4096); ++f)
        if (f != in && f != out) ::close(f);
      serve(in, out, parent, memory, answering);
    }
    ::close(down[0]);
    ::close(up[1]);
    if (pid < 0) {
      ::close(down[1]);
      ::close(up[0]);
      return;
    }
    to = down[1];
    from = up[0];
    sent = false;
  }

  // Its status as waitpid tells it.
  int end(bool by_force = true) {
    if (pid <= 0) return 0;
    if (by_force) ::kill(pid, SIGKILL);
    ::close(to);
    ::close(from);
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    pid = to = from = -1;
    return status;
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
  if (c.pid <= 0) return;
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
  while (c.pid > 0) {
    const double left = seconds - running();
    pollfd answer{c.from, POLLIN, 0};
    const int ready = poll(&answer, 1,
                           seconds <= 0 ? -1
                           : left <= 0  ? 0
                                        : static_cast<int>(1e3 * left) + 1);
    if (ready < 0 && errno == EINTR) continue;
    if (ready == 0 && left > 0) continue;
    if (ready <= 0) {
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
  const bool began = c.pid > 0;
  const int status = c.end(false);
  if (began && WIFEXITED(status) && WEXITSTATUS(status) == kNoMemory)
    result = out_of_memory(c.memory);
  else
    result.status = Status::crashed;
  result.seconds = running();
  if (!began)
    result.message = "no process could be started";
  else if (WIFSIGNALED(status))
    result.message = std::string("the solver's process ended: ") + strsignal(WTERMSIG(status));
  else if (result.status == Status::crashed)
    result.message =
        "the solver's process ended with exit code " + std::to_string(WEXITSTATUS(status));
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
