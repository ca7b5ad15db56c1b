#include "peers/serve.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "peers/channel.hpp"

namespace perpend::peers {
namespace {

// Exit code of a program that does not understand what it is told.
constexpr int kBroken = 6;

}  // namespace

int serve(int argc, char** argv, const MakeHost& make) {
  // Nobody waits for an answer any more when the parent is killed, however long a solve may take.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (argc != 2 || std::strtol(argv[1], nullptr, 10) != ::getppid()) {
    std::fputs("this program is started by perpend, to run solvers of other projects\n", stderr);
    return 2;
  }
  ::signal(SIGINT, SIG_IGN);  // Ctrl-C is for the parent, which ends us when it sees fit
  const int channel = ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
  const int nowhere = ::open("/dev/null", O_RDWR);
  if (channel < 0 || nowhere < 0) return kBroken;
  // Peers print.
  for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(nowhere, standard);

  std::unique_ptr<Host> host;
  if (!send(channel, Message::answer, {})) return 0;  // ready
  while (true) {
    Opening opening;
    if (!read_all(channel, &opening, sizeof opening)) return 0;
    Bytes bytes(opening.size);
    if (!read_all(channel, bytes.data(), bytes.size())) return 0;
    if (opening.message == Message::task) {
      Task task;
      if (!from_bytes(bytes, task)) return kBroken;
      limit_process(task.memory);
      host = make(task);
      if (!host) return kBroken;
      continue;
    }
    Call call;
    if (opening.message != Message::call || !host || !from_bytes(bytes, call)) return kBroken;
    if (!send(channel, Message::answer, to_bytes(host->solve(call)))) return 0;
  }
}

}  // namespace perpend::peers
