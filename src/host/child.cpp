#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include "perpend/host.hpp"

namespace perpend::host {
namespace {

using Clock = std::chrono::steady_clock;

}  // namespace

std::string program_folder() {
  char path[4096];
  const ssize_t size = ::readlink("/proc/self/exe", path, sizeof path);
  if (size <= 0 || size == sizeof path) return {};
  const std::string self(path, static_cast<std::size_t>(size));
  return self.substr(0, self.rfind('/'));
}

std::string program_on_path(const std::string& name) {
  const char* path = std::getenv("PATH");
  const std::string folders = path ? path : "/usr/bin:/bin";
  for (std::size_t from = 0; from <= folders.size();) {
    const std::size_t colon = std::min(folders.find(':', from), folders.size());
    const std::string folder = folders.substr(from, colon - from);
    std::string found = (folder.empty() ? "." : folder) + "/" + name;
    struct stat info {};
    if (::stat(found.c_str(), &info) == 0 && S_ISREG(info.st_mode) &&
        ::access(found.c_str(), X_OK) == 0)
      return found;
    from = colon + 1;
  }
  return {};
}

Environment::Environment(const std::map<std::string, std::string>& set) {
  for (char** one = environ; one != nullptr && *one != nullptr; ++one)
    if (!set.contains(std::string(*one, std::strcspn(*one, "=")))) lines_.emplace_back(*one);
  for (const auto& [name, value] : set) lines_.push_back(name + "=" + value);
  for (std::string& line : lines_) pointers_.push_back(line.data());
  pointers_.push_back(nullptr);
}

bool readable(int file, double seconds) {
  const auto started = Clock::now();
  while (true) {
    const double left = seconds - std::chrono::duration<double>(Clock::now() - started).count();
    pollfd waiting{file, POLLIN, 0};
    const int most = !std::isfinite(left) ? -1
                     : left <= 0          ? 0
                                          : static_cast<int>(1e3 * std::min(left, 1e6)) + 1;
    const int ready = ::poll(&waiting, 1, most);
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return false;
    if (left <= 0) return false;
  }
}

int ExitStatus::signal() const { return WIFSIGNALED(status) ? WTERMSIG(status) : 0; }
int ExitStatus::code() const { return WIFSIGNALED(status) ? 128 + signal() : WEXITSTATUS(status); }
std::string ExitStatus::words() const {
  return signal() != 0 ? ::strsignal(signal()) : "exit code " + std::to_string(code());
}

Child::~Child() { kill(); }

int Child::start(std::vector<std::string> words, Environment& environment, int in, int out,
                 int error) {
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  if (in >= 0) ::posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
  if (out >= 0) ::posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
  if (error >= 0) ::posix_spawn_file_actions_adddup2(&actions, error, STDERR_FILENO);
  const int failed =
      ::posix_spawn(&id_, arguments[0], &actions, nullptr, arguments.data(), environment.get());
  ::posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) id_ = -1;
  return failed;
}

int Child::fork(int signal_of_ours, const std::function<void()>& task) {
  const pid_t parent = ::getpid();
  id_ = ::fork();
  if (id_ < 0) return errno;
  if (id_ > 0) return 0;
  ::prctl(PR_SET_PDEATHSIG, signal_of_ours);
  if (::getppid() != parent) ::_exit(0);
  try {
    task();
  } catch (...) {  // what called us is not the child's to go on with
    ::_exit(1);
  }
  ::_exit(0);
}

void Child::signal(int number) const {
  if (runs()) ::kill(id_, number);
}

void Child::signal_group(int number) const {
  if (runs()) ::kill(-id_, number);
}

bool Child::ended(ExitStatus& how) {
  if (!runs() || ::waitpid(id_, &how.status, WNOHANG) == 0) return !runs();
  id_ = -1;
  return true;
}

ExitStatus Child::wait() {
  ExitStatus how;
  if (!runs()) return how;
  while (::waitpid(id_, &how.status, 0) < 0 && errno == EINTR) {
  }
  id_ = -1;
  return how;
}

ExitStatus Child::kill() {
  signal(SIGKILL);
  return wait();
}

}  // namespace perpend::host
