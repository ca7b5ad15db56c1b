#include "peers/serve.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "peers/channel.hpp"

namespace perpend::peers {
namespace {

// Exit code of a program that does not understand what it is told.
constexpr int kBroken = 6;

// The first call of a process meets pages, symbols and caches for the first time, which is not the
// method's time: one that is shorter than this is made again, and the second is told. s
constexpr double kShort = 0.01;

// Peers take pointers: every size is checked before they get one.
bool consistent(const Task& task) {
  const Index n = task.A.rows();
  return task.A.cols() == n && 3 * task.mu.size() <= n &&
         static_cast<Index>(task.bound_by.size()) == n &&
         std::all_of(task.bound_by.begin(), task.bound_by.end(),
                     [&](Index by) { return by >= -1 && by < n; });
}

bool fits(const Call& call, Index n) {
  return call.b.size() == n && call.start.size() == n && call.lower.size() == call.upper.size() &&
         (call.lower.size() == n || call.lower.size() == 0);
}

}  // namespace

int serve(int argc, char** argv, const MakeHost& make) {
  // Nobody waits for an answer any more when the parent is killed, however long a solve may take.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (argc != 2 || std::strtol(argv[1], nullptr, 10) != ::getppid()) {
    std::fputs("perpend starts this program to run solvers of other projects\n", stderr);
    return 2;
  }
  for (const int stop : {SIGINT, SIGTERM, SIGHUP})
    ::signal(stop, SIG_IGN);  // Ctrl-C is for the parent, which ends us when it sees fit
  const int channel = ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
  const int nowhere = ::open("/dev/null", O_RDWR);
  if (channel < 0 || nowhere < 0) return kBroken;
  // Peers print.
  for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(nowhere, standard);

  return serve(channel, [&](const Task& task) {
    limit_process(task.memory);
    return make(task);
  });
}

int serve(int channel, const MakeHost& make) {
  std::unique_ptr<Host> host;
  Task task;
  bool first = true;
  if (!send(channel, Message::answer, {})) return 0;  // ready
  while (true) {
    Message message;
    Bytes bytes;
    if (!receive(channel, message, bytes)) return 0;
    if (message == Message::task) {
      task = Task();
      if (!from_bytes(bytes, task) || !consistent(task)) return kBroken;
      host = make(task);
      if (!host) return kBroken;
      continue;
    }
    Call call;
    if (message != Message::call || !host || !from_bytes(bytes, call) || !fits(call, task.A.rows()))
      return kBroken;
    Answer answer = host->solve(call);
    if (first && answer.seconds < kShort) {
      host.reset();
      host = make(task);
      answer = host->solve(call);
    }
    first = false;
    if (!send(channel, Message::answer, to_bytes(answer))) return 0;
  }
}

}  // namespace perpend::peers
