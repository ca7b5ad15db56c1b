#include "peers/process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>

#include "peers/channel.hpp"

extern char** environ;

namespace perpend::peers {
namespace {

constexpr double kStart = 30;  // s until a program of ours that starts at all is ready

// One thread: our solvers have one too, and more would make the bits depend on the machine.
std::vector<std::string> environment() {
  std::vector<std::string> list = {"OPENBLAS_NUM_THREADS=1", "OMP_NUM_THREADS=1"};
  for (char** one = environ; one != nullptr && *one != nullptr; ++one) list.emplace_back(*one);
  return list;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> list;
  for (std::string& text : texts) list.push_back(text.data());
  list.push_back(nullptr);
  return list;
}

}  // namespace

Process::Process(std::string program) : program_(std::move(program)) { begin(); }
Process::~Process() { end(true); }

bool Process::begin() {
  if (pid_ > 0) return true;
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return false;
  std::vector<std::string> words = {program_, std::to_string(::getpid())};
  std::vector<std::string> settings = environment();
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
  const int failed = ::posix_spawn(&pid_, program_.c_str(), &actions, nullptr,
                                   pointers(words).data(), pointers(settings).data());
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  channel_ = ends[0];
  Opening opening;
  if (failed != 0) {
    ::close(channel_);
    pid_ = channel_ = -1;
  } else if (!readable(kStart) || !read_all(channel_, &opening, sizeof opening)) {
    end(true);
  }
  return pid_ > 0;
}

// A program that dies while it is written to is noticed when it is asked.
void Process::give(const Task& task) {
  if (begin()) send(channel_, Message::task, to_bytes(task));
}

Process::End Process::ask(const Call& call, double seconds, Answer& answer, std::string& why) {
  if (pid_ <= 0) {
    why = "it could not be started";
    return End::died;
  }
  send(channel_, Message::call, to_bytes(call));
  if (!readable(seconds)) {
    end(true);
    return End::hung;
  }
  Opening opening;
  if (read_all(channel_, &opening, sizeof opening) && opening.message == Message::answer) {
    Bytes bytes(opening.size);
    if (read_all(channel_, bytes.data(), bytes.size()) && from_bytes(bytes, answer))
      return End::answered;
  }
  const int status = end(false);
  why = WIFSIGNALED(status) ? ::strsignal(WTERMSIG(status))
                            : "exit code " + std::to_string(WEXITSTATUS(status));
  return End::died;
}

bool Process::readable(double seconds) const {
  using Clock = std::chrono::steady_clock;
  const auto until = Clock::now() + std::chrono::duration<double>(seconds);
  while (true) {
    const double left = std::chrono::duration<double>(until - Clock::now()).count();
    if (seconds > 0 && left <= 0) return false;
    pollfd answer{channel_, POLLIN, 0};
    const int ready =
        ::poll(&answer, 1, seconds > 0 ? static_cast<int>(1e3 * std::min(left, 1e6)) + 1 : -1);
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return false;
  }
}

int Process::end(bool by_force) {
  if (pid_ <= 0) return 0;
  if (by_force) ::kill(pid_, SIGKILL);
  ::close(channel_);
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = channel_ = -1;
  return status;
}

}  // namespace perpend::peers
