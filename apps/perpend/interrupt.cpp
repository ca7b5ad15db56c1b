#include "interrupt.hpp"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstring>
#include <iterator>

#include "command.hpp"
#include "perpend/io/files.hpp"

namespace perpend::app {
namespace {

// A signal handler can reach nothing but globals.
std::atomic<int> seen = 0, times = 0;  // the first signal, and how many there were
std::atomic<Patience> patience = Patience::none;
std::atomic<AtEnd> at_end = AtEnd::nothing;
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<AtEnd>::is_always_lock_free);
struct Unfinished {
  std::atomic<bool> set = false;
  char path[4096];
};
Unfinished unfinished[8];  // more are never under construction
char recording[4096], recording_target[4096];
pid_t self = 0;     // children that were forked off leave our files alone
char children[64];  // where Linux lists those of our first thread

void leave() {
  if (getpid() != self) return;
  for (const Unfinished& one : unfinished)
    if (one.set) unlink(one.path);
  if (at_end == AtEnd::remove) unlink(recording);
  if (at_end == AtEnd::rename) rename(recording, recording_target);
}

// With our children: one that is stopped would not notice that we are gone.
[[noreturn]] void end_at_once() {
  leave();
  char list[4096];
  const int file = getpid() == self ? open(children, O_RDONLY | O_CLOEXEC) : -1;
  const ssize_t size = file < 0 ? 0 : read(file, list, sizeof list);
  pid_t child = 0;
  for (ssize_t i = 0; i < size; ++i) {
    if (list[i] >= '0' && list[i] <= '9') {
      child = 10 * child + (list[i] - '0');
    } else if (child > 0) {
      kill(child, SIGKILL);
      child = 0;
    }
  }
  _exit(128 + seen);
}

void on_interrupt(int signal) {
  int none = 0;
  seen.compare_exchange_strong(none, signal);
  ++times;
  if (patience == Patience::always || (patience == Patience::once && times == 1)) return;
  end_at_once();
}

// With the handler gone the same signal ends the program, as it would have.
void on_crash(int signal) {
  leave();
  raise(signal);
}

void install(int signal, void (*handler)(int), int flags) {
  struct sigaction action {};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  action.sa_flags = flags;
  sigaction(signal, &action, nullptr);
}

}  // namespace

void catch_interrupts() {
  self = getpid();
  std::snprintf(children, sizeof children, "/proc/self/task/%d/children", self);
  // Reading and writing go on as if nothing had happened.
  for (const int signal : {SIGINT, SIGTERM}) install(signal, on_interrupt, SA_RESTART);
  struct sigaction before {};
  sigaction(SIGHUP, nullptr, &before);
  if (before.sa_handler != SIG_IGN) install(SIGHUP, on_interrupt, SA_RESTART);  // as nohup wants it
  install(SIGXFSZ, SIG_IGN, 0);  // a file beyond the limit of its size is an error like any other
}

bool interrupted() { return seen != 0; }
bool impatient() { return times > 1; }
int stop_signal() { return seen == 0 ? SIGINT : seen.load(); }
std::string stopped_by() {
  return stop_signal() == SIGINT ? "Ctrl-C" : stop_signal() == SIGTERM ? "SIGTERM" : "SIGHUP";
}

Patient::Patient(Patience how) : before_(patience.exchange(how)) {}
Patient::~Patient() { patience = before_; }

Impatient::Impatient() : before_(patience.exchange(Patience::none)) {
  if (interrupted()) end_at_once();
}

void Impatient::end() { patience = before_; }

int Relay::next() {
  if (told_ == 0 && interrupted()) {
    told_ = 1;
    return stop_signal();
  }
  if (told_ == 1 && impatient()) {
    told_ = 2;
    return SIGKILL;
  }
  return 0;
}

void leave_at_end(const std::string& path, const std::string& target, AtEnd what) {
  at_end = AtEnd::nothing;
  const bool fits = path.size() < sizeof recording && target.size() < sizeof recording_target;
  recording[0] = '\0';
  if (fits) {
    std::memcpy(recording, path.c_str(), path.size() + 1);
    std::memcpy(recording_target, target.c_str(), target.size() + 1);
    at_end = what;
  }
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGQUIT, SIGPIPE, SIGXCPU})
    path.empty() ? install(signal, SIG_DFL, 0)
                 : install(signal, on_crash, static_cast<int>(SA_RESETHAND | SA_NODEFER));
}
void leave_at_end(AtEnd what) {
  if (recording[0] != '\0') at_end = what;
}

UnfinishedFile::UnfinishedFile(const std::string& path) {
  if (path.empty() || path.size() >= sizeof unfinished[0].path) return;
  for (slot_ = std::size(unfinished) - 1; slot_ >= 0 && unfinished[slot_].set;) --slot_;
  if (slot_ < 0) return;
  std::memcpy(unfinished[slot_].path, path.c_str(), path.size() + 1);
  unfinished[slot_].set = true;
}

UnfinishedFile::~UnfinishedFile() {
  if (slot_ >= 0) unfinished[slot_].set = false;
}

void check_target(const std::string& path) { io::plain_target(path); }

}  // namespace perpend::app
