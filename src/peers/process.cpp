#include "peers/process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>

#include "peers/channel.hpp"

extern char** environ;

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
void Process::give(const Task& task, double seconds) {
  if (!begin()) return;
  patience(seconds);
  hung_ = !send(channel_, Message::task, to_bytes(task)) && errno == EAGAIN;
}

Process::End Process::ask(const Call& call, double seconds, Answer& answer, std::string& why) {
  if (pid_ <= 0) {
    why = "it could not be started";
    return End::died;
  }
  const auto started = Clock::now();
  patience(seconds);
  const bool late = hung_ || (!send(channel_, Message::call, to_bytes(call)) && errno == EAGAIN);
  if (late || !readable(seconds - since(started))) {
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
  const int status = end(false);
  why = WIFSIGNALED(status) ? ::strsignal(WTERMSIG(status))
                            : "exit code " + std::to_string(WEXITSTATUS(status));
  return End::died;
}

bool Process::readable(double seconds) const {
  const auto started = Clock::now();
  while (true) {
    const double left = seconds - since(started);
    if (left <= 0) return false;
    pollfd answer{channel_, POLLIN, 0};
    const int ready = ::poll(
        &answer, 1, std::isfinite(left) ? static_cast<int>(1e3 * std::min(left, 1e6)) + 1 : -1);
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return false;
  }
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

int Process::end(bool by_force) {
  if (pid_ <= 0) return 0;
  if (by_force) ::kill(pid_, SIGKILL);
  ::close(channel_);
  int status = 0;
  const auto started = Clock::now();
  while (!by_force && ::waitpid(pid_, &status, WNOHANG) == 0) {
    if (since(started) > kEnd) ::kill(pid_, SIGKILL);
    ::usleep(1000);
  }
  while (by_force && ::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = channel_ = -1;
  hung_ = false;
  return status;
}

}  // namespace perpend::peers
